import FlyingFox
import Foundation
import Glibc
import TestSupport
import Testing

/// A folder that commands write to while faults occur: an output file, a cookie jar, a cache.
struct LoadedFolder {
    let folder: URL

    /// The body of the server's response: more than fits into an entry of a cache.
    static let body = Data("<title>T</title>".utf8) + Data(repeating: UInt8(ascii: "x"), count: 700_000)

    /// The previous contents of the output file.
    static let old = Data("precious".utf8)

    static let handler: TestServer.Handler = { _ in
        var headers: HTTPHeaders = [.contentType: "text/html"]
        headers[HTTPHeader("Cache-Control")] = "max-age=3600"
        headers[HTTPHeader("Set-Cookie")] =
            "c=\(String(repeating: "v", count: 3000)); Max-Age=3600; Path=/"
        return HTTPResponse(statusCode: .ok, headers: headers, body: body)
    }

    /// The lines that the commands are run with.
    static func lines(_ url: String) -> [[String]] {
        [
            ["fetch", url, "--refresh", "-o", "out", "-c", "jar", "-b", "jar"],
            ["url", url, "--json"],
            ["select", "title", "\(url)?select", "--refresh"],
            ["extract", "-e", "t=title", url, "--json", "-o", "extracted"],
        ].map { $0 + ["--cache-dir", "cache", "--max-time", "60"] }
    }

    /// Makes what is there before.
    init(_ folder: URL) throws {
        self.folder = folder
        try Self.old.write(to: folder.appending(path: "out"))
        try Data().write(to: folder.appending(path: "jar"))
    }

    /// Returns the files that are neither unchanged nor complete.
    func faults() async throws -> [String] {
        var faults: [String] = []
        let out = try Data(contentsOf: folder.appending(path: "out"))
        if out != Self.old, out != Self.body { faults.append("out has \(out.count) bytes") }
        let jar = try String(decoding: Data(contentsOf: folder.appending(path: "jar")), as: UTF8.self)
        let cookies = jar.split(separator: "\n").filter { $0.contains("\t") }
        if !jar.isEmpty, !jar.hasSuffix("\n") || cookies.count != 1 {
            faults.append("jar: \(jar.prefix(200))")
        }
        if let extracted = try? Data(contentsOf: folder.appending(path: "extracted")),
            (try? JSONSerialization.jsonObject(with: extracted)) == nil
        {
            faults.append("extracted has \(extracted.count) bytes")
        }
        let verified = try await Command.run(
            "webinspect",
            ["cache", "verify", "--cache-dir", "cache"],
            folder: folder
        )
        if verified.status != 0 { faults.append("cache verify: \(verified.text)\(verified.errors)") }
        return faults
    }

    /// Files whose names say nothing to anybody, once an hour has passed and the cache was swept.
    func leftovers() async throws -> [String] {
        let manager = FileManager.default
        for case let name as String in try #require(manager.enumerator(atPath: folder.path)) {
            try manager.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)],
                ofItemAtPath: folder.appending(path: name).path
            )
        }
        let swept = try await Command.run(
            "webinspect",
            ["cache", "gc", "--cache-dir", "cache"],
            folder: folder
        )
        #expect(swept.status == 0, "\(swept.errors)")
        let all = try #require(manager.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        return all.filter { name in
            let last = (name as NSString).lastPathComponent
            // The name that an output has for the moment in which it takes the old one's place.
            if name.firstMatch(of: /^\.webloader-new-[0-9a-f]{16}$/) != nil { return false }
            return last.hasPrefix(".") || last.contains("new")
        }
    }
}
