import Foundation
import TestSupport
import Testing

/// Bytes of standard input and of files that name no encoding.
@Suite struct LocalEncodingTests {
    @Test(arguments: [["-"], ["x.html"]])
    func utf8IsReadAsSuch(source: [String]) async throws {
        try await withTemporaryFolder { folder in
            let page = Data("<title>5 €</title><p>ä".utf8)
            try page.write(to: folder.appendingPathComponent("x.html"))
            let flags = ["--base-url", "http://h/", "--no-store"]
            let report = try await Command.run(
                "webinspect",
                source + ["--json"] + flags,
                input: page,
                folder: folder
            )
            #expect(try report.json()["title"] as? String == "5 €")
            let extraction = try await Command.run(
                "webinspect",
                ["extract", "-e", "t=p"] + source + flags,
                input: page,
                folder: folder
            )
            #expect(extraction.text.contains("ä"))
            let select = try await Command.run(
                "webinspect",
                ["select", "p"] + source + flags,
                input: Data([0x3C, 0x70, 0x3E, 0xE4]),
                folder: folder
            )
            #expect(select.text == "ä\n")
        }
    }
}
