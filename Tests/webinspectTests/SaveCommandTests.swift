import FlyingFox
import Foundation
import TestSupport
import Testing

/// `webinspect save`: what is in its files, what it says, and how it ends.
@Suite(.timeLimit(.minutes(20)))
struct SaveCommandTests {
    private static let pixel = Data([
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52,
    ])

    private static func answer(
        _ type: String,
        _ body: String,
        _ fields: [String: String] = [:]
    ) -> HTTPResponse {
        var headers: HTTPHeaders = [.contentType: type]
        for (name, value) in fields { headers[HTTPHeader(name)] = value }
        return HTTPResponse(statusCode: .ok, headers: headers, body: Data(body.utf8))
    }

    private static let site: TestServer.Handler = { request in
        switch request.path {
        case "/":
            return answer(
                "text/html",
                """
                <!DOCTYPE html><title>Tea</title><link rel=stylesheet href=a.css integrity="sha256-x"><h1>Tea</h1>
                <script>x()</script><p id=p><img src=i.png><a href=other>other</a></p><iframe src=frame></iframe>
                """
            )
        case "/part":
            return answer(
                "text/html",
                """
                <!DOCTYPE html><title>Part</title><link rel=stylesheet href=a.css><body class=b>
                <nav><img src=menu.png></nav><main><p class=x>First<p class=x><img src=i.png>Second</main>
                """
            )
        case "/lost":
            return answer("text/html", "<!DOCTYPE html><img src=lost.png><link rel=stylesheet href=dead.css>")
        case "/paper": return answer("text/html", "<!DOCTYPE html><iframe src=paper.pdf></iframe>")
        case "/paper.pdf": return answer("application/pdf", "%PDF-1.4")
        case "/dead": return answer("text/html", "<!DOCTYPE html><link rel=stylesheet href=deadrule.css>")
        case "/deadrule.css": return answer("text/css", "p { background: url(lost.png) }")
        case "/circle":
            return answer(
                "text/html",
                "<!DOCTYPE html><style>@import 'c1.css'</style><iframe src=circle></iframe>"
            )
        case "/c1.css": return answer("text/css", "@import 'c2.css'; @import 'c1.css'; a { color: red }")
        case "/c2.css": return answer("text/css", "@import 'c1.css'; @import 'c1.css?'; b { color: red }")
        case "/frame": return answer("text/html", "<!DOCTYPE html><p>Frame<img src=i.png>")
        case "/a.css": return answer("text/css", "@import 'b.css'; p { background: url(i.png) }")
        case "/b.css": return answer("text/css", "h1 { color: green }")
        case "/i.png", "/menu.png":
            return HTTPResponse(statusCode: .ok, headers: [.contentType: "image/png"], body: pixel)
        case "/big.png":
            return HTTPResponse(
                statusCode: .ok,
                headers: [.contentType: "image/png"],
                body: Data(repeating: 7, count: 100_000)
            )
        case "/fifty":
            let images = (0..<50).map { "<img src=big.png width=\($0)>" }.joined()
            return answer("text/html", "<!DOCTYPE html>\(images)")
        default: return HTTPResponse(statusCode: .notFound)
        }
    }

    private func save(
        _ server: TestServer,
        _ path: String,
        _ out: URL,
        _ more: String...
    ) async throws -> Command.Outcome {
        try await Command.run("webinspect", ["save", server.url(path), "-o", out.path] + more)
    }

    @Test func `a page of HTML has all in it, and leads nowhere but by its links`() async throws {
        try await withTestServer(Self.site) { server in
            try await withTemporaryFolder { folder in
                let out = folder.appending(path: "page.html")
                let outcome = try await save(server, "/", out, "--json")
                #expect(outcome.status == 0, "\(outcome.errors)")
                let text = try String(contentsOf: out, encoding: .utf8)
                #expect(text.hasPrefix("<!-- Saved from \(server.url("/")) on "))
                #expect(text.contains("href=\"\(server.url("/other"))\""))
                #expect(text.contains("data:image/png;base64,\(Self.pixel.base64EncodedString())"))
                #expect(text.contains("srcdoc="))
                #expect(text.contains("default-src 'none'"))
                #expect(!text.contains("<script>"))
                #expect(!text.contains("integrity"))
                let report = try #require(
                    try JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any]
                )
                #expect(report["files"] as? Int == 5)
                #expect(report["bytes"] as? Int == text.utf8.count)
                #expect((report["missing"] as? [Any])?.isEmpty == true)
                #expect(report["truncated"] as? Bool == false)
                #expect((report["changed"] as? [String: Int])?["integrity"] == 1)
            }
        }
    }

    @Test(arguments: ["mhtml", "wacz", "warc", "warc.gz"])
    func `a copy is a source of other commands`(form: String) async throws {
        try await withTestServer(Self.site) { server in
            try await withTemporaryFolder { folder in
                let out = folder.appending(path: "page.\(form)")
                #expect(try await save(server, "/", out).status == 0)
                let again = folder.appending(path: "again.html")
                let outcome = try await Command.run(
                    "webinspect",
                    ["save", server.url("/"), "--from", out.path, "-o", again.path]
                )
                #expect(outcome.status == 0, "\(outcome.errors)")
                let text = try String(contentsOf: again, encoding: .utf8)
                #expect(text.contains("data:image/png;base64,\(Self.pixel.base64EncodedString())"))
            }
        }
    }

    @Test(
        arguments: [
            (["page.wacz"], 0x50), (["page.warc"], 0x57), (["page.warc.gz"], 0x1F),
            (["page.html", "--format", "warc"], 0x57), (["page.gz", "--format", "warc"], 0x1F),
        ] as [([String], UInt8)]
    )
    func `an archive has nothing wrong with it`(line: [String], first: UInt8) async throws {
        try await withTestServer(Self.site) { server in
            try await withTemporaryFolder { folder in
                let saved = try await Command.run(
                    "webinspect",
                    ["save", server.url("/"), "-o"] + line,
                    folder: folder
                )
                #expect(saved.status == 0, "\(saved.errors)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [line[0]])
                let path = folder.appending(path: line[0])
                #expect(try Data(contentsOf: path).first == first)
                let checked = try await Command.run(
                    "webinspect",
                    ["archive", "verify", path.path, "--jsonl"]
                )
                #expect(checked.status == 0, "\(checked.text)\(checked.errors)")
            }
        }
    }

    @Test(arguments: [["page.webarchive"], ["page.bin", "--format", "webarchive"]])
    func `a webarchive is a property list`(line: [String]) async throws {
        try await withTestServer(Self.site) { server in
            try await withTemporaryFolder { folder in
                let arguments = ["save", server.url("/"), "--json", "-o"] + line
                let saved = try await Command.run("webinspect", arguments, folder: folder)
                #expect(saved.status == 0, "\(saved.errors)")
                let bytes = try Data(contentsOf: folder.appending(path: line[0]))
                #expect(bytes.starts(with: Data("bplist00".utf8)))
                #expect(saved.text.contains("\"bytes\":\(bytes.count)"))
            }
        }
    }

    @Test func `a part keeps what is around it`() async throws {
        try await withTestServer(Self.site) { server in
            try await withTemporaryFolder { folder in
                let out = folder.appending(path: "page.html")
                #expect(try await save(server, "/part", out, "--select", "p.x:last-child").status == 0)
                let text = try String(contentsOf: out, encoding: .utf8)
                #expect(text.contains("<main><p class=\"x\"><img"))
                #expect(text.contains("<body class=\"b\">"))
                #expect(!text.contains("First"))
                #expect(!text.contains("<nav>"))
                let nothing = try await save(
                    server,
                    "/part",
                    folder.appending(path: "no.html"),
                    "--select",
                    "table"
                )
                #expect(nothing.status == 7)
                #expect(nothing.errors.contains("(copy.empty)"))
            }
        }
    }

    @Test(arguments: [
        ("/lost", 1, ["/lost.png is missing: HTTP status 404 (http.404)", "/dead.css is missing"]),
        ("/dead", 0, ["/lost.png is missing"]), ("/paper", 1, ["/paper.pdf is missing: ", "(parse.kind)"]),
    ])
    func `what is missing is said`(path: String, status: Int32, said: [String]) async throws {
        try await withTestServer(Self.site) { server in
            try await withTemporaryFolder { folder in
                let out = folder.appending(path: "page.html")
                let outcome = try await save(server, path, out)
                #expect(outcome.status == status)
                for text in said { #expect(outcome.errors.contains(text), "\(outcome.errors)") }
                let text = try String(contentsOf: out, encoding: .utf8)
                #expect(!text.contains(server.url("/lost.png")))
            }
        }
    }

    /// Text, comments and instructions of XML do not become markup in the copy.
    @Test func `XHTML becomes HTML of the same elements`() async throws {
        try await withTemporaryFolder { folder in
            let markup = """
                <html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><style>a[x="&lt;/STYLE>&lt;h1>1&lt;/h1>"]{}</style></head>\
                <body><!--><h1>2</h1>--><?x ><h1>3</h1>?><xmp>&lt;b>&lt;/xmp>&lt;h1>4&lt;/h1></xmp><p>5</p></body></html>
                """
            try Data(markup.utf8).write(to: folder.appending(path: "p.xhtml"))
            let saved = try await Command.run(
                "webinspect",
                ["save", "p.xhtml", "-o", "o.html"],
                folder: folder
            )
            #expect(saved.status == 0)
            for (selector, count) in [("h1", "0"), ("p", "1"), ("style", "1"), ("xmp", "1")] {
                let line = ["select", selector, "o.html", "--count"]
                #expect(try await Command.run("webinspect", line, folder: folder).text == "\(count)\n")
            }
        }
    }

    @Test func `the page of an error is no whole copy`() async throws {
        let page = HTTPResponse(
            statusCode: .notFound,
            headers: [.contentType: "text/html"],
            body: Data("<p>gone".utf8)
        )
        try await withTestServer({ _ in page }) { server in
            try await withTemporaryFolder { folder in
                let out = folder.appending(path: "page.html")
                let outcome = try await save(server, "/", out)
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("the server answers with status 404"))
                #expect(try String(contentsOf: out, encoding: .utf8).contains("<p>gone"))
            }
        }
    }

    @Test(arguments: [
        (["--max-files", "1"], "limit.resources"), (["--max-bytes", "20"], "limit.resources"),
        (["--max-filesize", "20000"], "limit.size"),
    ])
    func `a copy is made within its limits`(flags: [String], code: String) async throws {
        try await withTestServer(Self.site) { server in
            try await withTemporaryFolder { folder in
                let out = folder.appending(path: "page.html")
                let path = code == "limit.size" ? "/fifty" : "/"
                let outcome = try await Command.run(
                    "webinspect",
                    ["save", server.url(path), "-o", out.path] + flags
                )
                #expect(outcome.status == 6, "\(outcome.errors)")
                #expect(outcome.errors.contains("(\(code))"))
                #expect(FileManager.default.fileExists(atPath: out.path))
            }
        }
    }

    @Test func `style sheets and frames in a circle end`() async throws {
        try await withTestServer(Self.site) { server in
            try await withTemporaryFolder { folder in
                for form in ["html", "mhtml", "wacz", "warc", "webarchive"] {
                    let outcome = try await save(server, "/circle", folder.appending(path: "page.\(form)"))
                    #expect(outcome.status == 0, "\(outcome.errors)")
                }
            }
        }
    }

    @Test func `an image that is used often is stored once`() async throws {
        try await withTestServer(Self.site) { server in
            try await withTemporaryFolder { folder in
                let out = folder.appending(path: "page.html")
                #expect(try await save(server, "/fifty", out).status == 0)
                let size = try Data(contentsOf: out).count
                #expect(size < 150_000)
            }
        }
    }

    @Test func `an old copy stays where a new one cannot be made`() async throws {
        try await withTestServer(Self.site) { server in
            try await withTemporaryFolder { folder in
                let target = folder.appending(path: "target.html")
                try Data("old".utf8).write(to: target)
                let link = folder.appending(path: "link.html")
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
                let there = folder.appending(path: "folder.html")
                try FileManager.default.createDirectory(at: there, withIntermediateDirectories: false)
                let pipe = folder.appending(path: "pipe.html")
                #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
                for place in [there, pipe, folder.appending(path: "none/page.html")] {
                    let outcome = try await save(server, "/", place)
                    #expect(outcome.status == 8, "\(outcome.errors)")
                    #expect(outcome.errors.contains("(file.write)"))
                }
                #expect(try await save(server, "/dead", link).status == 0)
                // A link of one's own is followed.
                #expect(try String(contentsOf: target, encoding: .utf8).hasPrefix("<!-- Saved from"))
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
            }
        }
    }

    @Test(arguments: [
        ["-o", "page.txt"], ["-o", "-"], [], ["-o", "a.wacz", "--main"],
        ["-o", "a.warc.gz", "--scripts"], ["-o", "a.webarchive", "--select", "p"],
        ["-o", "a.html", "--format", "pdf"], ["-o", "a.html", "--format", "warc", "--main"],
        ["-o", "a.html", "--main", "--select", "p"],
        ["-o", "a.html", "--max-density", "0"], ["-o", "a.html", "--max-files", "0"],
        ["-o", "a.html", "--select", "["],
    ])
    func `a bad line is a usage error`(flags: [String]) async throws {
        try await withTemporaryFolder { folder in
            let page = folder.appending(path: "page.html")
            try Data("<!DOCTYPE html><p>Text".utf8).write(to: page)
            let outcome = try await Command.run("webinspect", ["save", page.path] + flags, folder: folder)
            #expect(outcome.status == 2, "\(outcome.errors)")
        }
    }

    @Test func `a page of this machine brings only files of its folder`() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "in"),
                withIntermediateDirectories: false
            )
            try Data("secret".utf8).write(to: folder.appending(path: "secret.txt"))
            try Self.pixel.write(to: folder.appending(path: "in/i.png"))
            // Nor by a link that stands in it.
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "in/link.txt"),
                withDestinationURL: folder.appending(path: "secret.txt")
            )
            // A file that may never end is not read at all.
            #expect(unsafe mkfifo(folder.appending(path: "in/pipe.png").path, 0o600) == 0)
            let page = folder.appending(path: "in/page.html")
            let frames = "<iframe src=../secret.txt></iframe><iframe src=link.txt></iframe><img src=pipe.png>"
            try Data("<!DOCTYPE html><img src=i.png>\(frames)".utf8).write(to: page)
            let mirror = folder.appending(path: "mirror")
            let mirrored = try await Command.run("webinspect", ["mirror", page.path, "-o", mirror.path])
            #expect(mirrored.status == 1, "\(mirrored.errors)")
            for path in try FileManager.default.subpathsOfDirectory(atPath: mirror.path) {
                let bytes = FileManager.default.contents(atPath: mirror.appending(path: path).path) ?? Data()
                #expect(bytes != Data("secret".utf8), "\(path)")
            }
            let out = folder.appending(path: "copy.html")
            let outcome = try await Command.run("webinspect", ["save", page.path, "-o", out.path])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("(load.refused)"))
            let text = try String(contentsOf: out, encoding: .utf8)
            #expect(text.contains(Self.pixel.base64EncodedString()))
            #expect(!text.contains("secret.txt"))
            #expect(!text.contains(Data("secret".utf8).base64EncodedString()))
        }
    }

    @Test(arguments: [[], ["--select", "p"]])
    func `a page of XML that was cut off is said to be`(flags: [String]) async throws {
        try await withTemporaryFolder { folder in
            let page = folder.appending(path: "page.xhtml")
            let paragraphs = String(repeating: "<p>Text</p>", count: 100)
            let body = "<html xmlns='http://www.w3.org/1999/xhtml'><body>\(paragraphs)</body></html>"
            try Data(body.utf8).write(to: page)
            let out = folder.appending(path: "copy.html")
            let line = ["save", page.path, "-o", out.path, "--json", "--max-nodes", "50"] + flags
            let outcome = try await Command.run("webinspect", line)
            #expect(outcome.status == 6, "\(outcome.errors)")
            #expect(outcome.text.contains("\"truncated\":true"))
        }
    }
}
