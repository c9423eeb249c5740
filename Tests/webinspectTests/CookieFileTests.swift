import FlyingFox
import Foundation
import TestSupport
import Testing

/// `-c FILE` of the commands that load many pages: FILE has what the site has set.
@Suite(.timeLimit(.minutes(5)))
struct CookieFileTests {
    @Test(arguments: [
        "crawl URL -o site.warc", "mirror URL -o copy", "batch list -o out.jsonl --run meta",
        "pipe --run meta", "watch watched",
    ])
    func isWritten(command: String) async throws {
        let answer: TestServer.Handler = { _ in
            let headers: HTTPHeaders = [.contentType: "text/html", .setCookie: "sid=7; Path=/; Max-Age=3600"]
            return HTTPResponse(statusCode: .ok, headers: headers, body: Data("<title>T</title><p>text".utf8))
        }
        try await withTestServer(answer) { server in
            try await withTemporaryFolder { folder in
                let url = server.url("/")
                try Data("\(url)\n".utf8).write(to: folder.appending(path: "list"))
                try Data("- {name: p, url: \(url)}".utf8).write(to: folder.appending(path: "watched"))
                let words = command.replacing("URL", with: url).split(separator: " ").map(String.init)
                let outcome = try await Command.run(
                    "webinspect",
                    words + ["-c", "jar"],
                    input: command.hasPrefix("pipe") ? Data("\(url)\n".utf8) : Data(),
                    environment: ["XDG_CACHE_HOME": folder.path],
                    folder: folder
                )
                #expect(outcome.status == 0, "\(outcome.errors)")
                let jar = try String(contentsOf: folder.appending(path: "jar"), encoding: .utf8)
                #expect(jar.contains("\tsid\t7"))
            }
        }
    }
}
