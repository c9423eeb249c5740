import FlyingFox
import Foundation
import TestSupport
import Testing

/// The commands that the documents and the help texts show are run: a new one cannot go untested.
///
/// A shell runs them, in a folder with the files that they name, against a server that stands in for example.com. A
/// command that names another host, or a missing file, fails.
@Suite(.timeLimit(.minutes(20)))
struct DocumentationTests {
    /// The origins that the documents use for the server: example.com, and the port that README.md shows.
    private static let origins = [
        "https://example.com", "http://127.0.0.1:39383", "http://127.0.0.1:8765",
    ]

    /// A page that has something for each command, and nothing that is wrong.
    private static let page = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta name="description" content="A page for the commands that documents show.">
        <title>Example</title>
        <link rel="canonical" href="https://example.com/">
        <link rel="stylesheet" href="/style.css">
        <main>
        <article>
        <h1>Example</h1>
        <p class="price">12.50</p>
        <p>\(String(repeating: "There is something to read, a sentence, and another one. ", count: 20))</p>
        <p><a href="/about">About</a> <a href="https://elsewhere.example/">Elsewhere</a></p>
        <img src="/photo.png" alt="A photograph" width="1" height="1">
        <table><caption>Days</caption><tr><th>Day<th>Hours<tr><td>Monday<td>8</table>
        <table id="prices"><caption>Prices</caption><tr><th>Name<th>Price<tr><td>Tea<td>2.50</table>
        </article>
        <div class="comment"><b class="author">Ann</b><p>It is so.</p></div>
        </main>
        </html>
        """

    /// A login, and what is behind it.
    private static let login = """
        <!doctype html><html lang="en"><meta charset="utf-8"><title>Log in</title>
        <form method="post" action="/login"><label>Name <input name="user" required></label>
        <label>Password <input name="password" type="password" required></label>
        <label><input type="checkbox" name="keep"> Stay logged in</label>
        <button>Log in</button></form></html>
        """
    private static let account = """
        <!doctype html><html lang="en"><meta charset="utf-8"><title>Ada's account</title><h1>Orders</h1>
        <ul><li class="order">Tea, 2.50</li><li class="order">A pot, 12.50</li></ul>
        <p><a href="/orders/2">The pot</a></p></html>
        """

    /// The script of a session that docs/sessions.md shows.
    private static let script = """
        # Log in, and list the orders.
        open http://127.0.0.1:39383/login
        fill user ada
        fill Password a secret
        submit
        title
        select .order
        history

        """

    private static let robots = "User-agent: *\nDisallow: /private/\n"

    private static let sitemap = """
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://example.com/</loc></url><url><loc>https://example.com/about</loc></url>
        </urlset>
        """

    private static let recipe = "version: 1\nfields: {title: {select: h1, required: true}}\n"

    /// The start of a PNG of one pixel: as much as says what it is.
    private static let image = Data([
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0,
        0, 1, 8, 6,
        0, 0, 0, 0x1F, 0x15, 0xC4, 0x89,
    ])

    /// The files that commands may name.
    private static let files: [String: String] = [
        "page.html": page, "old.html": page, "new.html": page,
        "recipe.yaml": recipe, "article.yaml": recipe, "product.yaml": recipe,
        "robots.txt": robots, "sitemap.xml": sitemap,
        "links.txt": "file:///dev/null\n", "old.jsonl": "", "login.txt": script,
        "references.jsonl": #"{"id":1,"input":"../x","base":"https://example.com/a/"}"#,
        "pages.jsonl": #"{"id":1,"html":"<h1>One</h1>"}"#,
        "pages.yaml": "- page.html\n",
        "urls.txt": "page.html\n" + #"{"id":"b","html":"<h1>Two</h1>"}"# + "\n",
    ]

    /// The commands that create the archives that commands may name, from a page of the server.
    private static let archives = """
        webinspect https://example.com/ --record site.warc.gz --with-resources
        for name in site.wacz site.har 2023.wacz 2024.wacz 2023.warc.gz 2024.warc.gz; do
            webinspect archive create site.warc.gz -o $name || exit
        done
        webinspect archive index site.warc.gz -o index.cdxj
        """

    /// Texts in the commands that name one of the archives.
    private static let archived = ["site.", "2023.", "2024.", "warc", "wacz", "archive"]

    @Test func `commands in documents do what is shown`() async throws {
        let commands = try ShownCommand.documented()
        #expect(commands.count >= 20)
        try await check(commands)
    }

    @Test(arguments: NamedCommand.all)
    func `examples in help texts run`(_ command: NamedCommand) async throws {
        try await check(ShownCommand.examples(of: command.discussion, in: command.testDescription))
    }

    /// Runs commands one after the other, in one folder.
    private func check(_ commands: [ShownCommand]) async throws {
        let pages = TestServer.files(of: ProjectFolder.fixtures)
        let handler: TestServer.Handler = { request in
            request.path == "/ordinary.html" ? await pages(request) : Self.answer(request)
        }
        try await withTestServer(handler) { server in
            try await withTemporaryFolder { folder in
                for (name, text) in Self.files {
                    let local = text.replacing("http://127.0.0.1:39383", with: server.url(""))
                    try Data(local.utf8).write(to: folder.appending(path: name))
                }
                for name in ["site", "public"] {
                    let site = folder.appending(path: name)
                    try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
                    try Data("<!doctype html><title>T</title><p id=a><a href=#a>a</a>".utf8)
                        .write(to: site.appending(path: "index.html"))
                }
                try FileManager.default.createSymbolicLink(
                    at: folder.appending(path: "docs"),
                    withDestinationURL: ProjectFolder.root.appending(path: "docs")
                )
                if commands.contains(where: { command in Self.archived.contains(where: command.line.contains)
                }) {
                    let made = try await run(
                        Self.archives.replacing("https://example.com", with: server.url("")),
                        folder
                    )
                    #expect(made.status == 0, "\(made.errors)")
                }
                for command in commands { try await check(command, server, folder) }
            }
        }
    }

    private func check(_ command: ShownCommand, _ server: TestServer, _ folder: URL) async throws {
        let line = Self.origins.reduce(command.line) { $0.replacing($1, with: server.url("")) }
        let hosts = line.matches(of: /:\/\/([^\/' ]*)/).map { String($0.output.1) }
        try #require(
            hosts.allSatisfy { $0 == "127.0.0.1:\(server.port)" },
            "\(command.testDescription): nothing stands in for another host than example.com"
        )
        let isRendering = ["--render", "--wait-for", "--screenshot"].contains { line.contains($0) }
        if isRendering, !Browser.isInstalled { return }
        // A server goes on until it is interrupted, and opens no window here.
        let isServer = line.hasPrefix("webinspect serve ") || line == "webinspect serve"
        let run =
            isServer ? "timeout --preserve-status -s INT 4 \(line.replacing(" --open", with: ""))" : line
        // The page is kept, whatever the command before has removed.
        let kept = try await self.run("webinspect fetch \(server.url("/")) -o /dev/null", folder)
        #expect(kept.status == 0)
        let outcome = try await self.run(run, folder)
        #expect(outcome.status == command.status, "\(command.testDescription): \(outcome.errors)")
        guard let output = command.output else { return }
        let written = Self.comparable(outcome.text + outcome.errors)
            .replacing("127.0.0.1:\(server.port)", with: "127.0.0.1:39383")
        let shown = Self.comparable(output).replacing(Self.origins[0], with: Self.origins[1])
        if let rest = shown.range(of: "\n…") {
            #expect(written.hasPrefix(shown[..<rest.lowerBound]), "\(command.testDescription)")
        } else {
            #expect(written == shown, "\(command.testDescription)")
        }
    }

    private func run(_ line: String, _ folder: URL) async throws -> Command.Outcome {
        let programs = try Command.file("webinspect").deletingLastPathComponent().path
        // Of curl, which need not be installed, only the URL counts here.
        let curl = #"curl() { webinspect fetch "${@: -1}"; }"#
        return try await Command.run(
            "/bin/bash",
            ["-c", "\(curl); \(line)"],
            environment: [
                "PATH": "\(programs):/usr/bin:/bin", "HOME": folder.path,
                "XDG_CACHE_HOME": "\(folder.path)/cache",
                "XDG_CONFIG_HOME": "\(folder.path)/config",
            ],
            folder: folder
        )
    }

    /// Without what is another each time.
    private static func comparable(_ text: String) -> String {
        text.replacing(/[0-9.]+ ms/, with: "0 ms").replacing(/[0-9]+ s old/, with: "0 s old")
            .replacing(/[0-9]+\/#token=[A-Za-z0-9_…-]+/, with: "0/#token=…")
            .trimmingCharacters(in: .newlines)
    }

    private static func answer(_ request: HTTPRequest) -> HTTPResponse {
        func fresh(_ type: String, _ body: Data) -> HTTPResponse {
            HTTPResponse(
                statusCode: .ok,
                headers: [.contentType: type, .init("Cache-Control"): "max-age=3600"],
                body: body
            )
        }
        switch request.path {
        case "/p/1":
            let file = ProjectFolder.root.appending(path: "docs/recipes/product.html")
            // A page that is not there fails the command that asks for it.
            guard let bytes = try? Data(contentsOf: file) else { return HTTPResponse(statusCode: .notFound) }
            return fresh("text/html", bytes)
        case "/robots.txt": return fresh("text/plain", Data(robots.utf8))
        case "/sitemap.xml":
            let host = request.headers[.host] ?? ""
            return fresh(
                "text/xml",
                Data(sitemap.replacing("https://example.com", with: "http://\(host)").utf8)
            )
        case "/login" where request.method == .POST:
            let headers: HTTPHeaders = [
                .location: "/account", .setCookie: "id=f81d4fae; Path=/; HttpOnly; SameSite=Lax",
            ]
            return HTTPResponse(statusCode: .seeOther, headers: headers)
        case "/login": return fresh("text/html; charset=utf-8", Data(login.utf8))
        case "/account" where request.headers[.cookie]?.contains("id=f81d4fae") != true:
            let headers: HTTPHeaders = [.location: "/login"]
            return HTTPResponse(statusCode: .seeOther, headers: headers)
        case "/account": return fresh("text/html; charset=utf-8", Data(account.utf8))
        case "/style.css": return fresh("text/css", Data("main { margin: auto }".utf8))
        case "/photo.png": return fresh("image/png", image)
        default: return fresh("text/html; charset=utf-8", Data(page.utf8))
        }
    }
}
