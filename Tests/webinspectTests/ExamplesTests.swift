import FlyingFox
import Foundation
import TestSupport
import Testing

/// The programs of `Examples/`, against a server on loopback.
@Suite(
    .enabled(if: ExamplePrograms.areBuilt, "not built: WEBLOADER_DEVELOPMENT=1 swift build"),
    .timeLimit(.minutes(20))
)
struct ExamplesTests {
    /// A program, its arguments and input, and what it prints; SERVER stands for the server's URL, FOLDER for a folder.
    struct Run: CustomTestStringConvertible, Sendable {
        let line: String
        var input = ""
        var status: Int32 = 0
        let output: String
        /// Whether lines come as loads end.
        var isInAnyOrder = false

        var testDescription: String { line }
    }

    private static let page = """
        <!doctype html><title>Home</title><h1>Tea</h1><p class="price">12.50 EUR</p>
        <a href="/about">About</a> <a href="about">Again</a>
        <img src="tea.png"> <a href="http://">Nowhere</a>
        <table><tr><th>Name<th>Price<tr><td rowspan=2>Tea, green<td>2<tr><td>"3"</table>
        """

    private static let answer: TestServer.Handler = { request in
        var headers: HTTPHeaders = [.contentType: "text/html; charset=utf-8"]
        headers[HTTPHeader("Cache-Control")] = "no-store"
        switch request.path {
        case "/moved":
            headers[.location] = "/about"
            return HTTPResponse(statusCode: .movedPermanently, headers: headers)
        case "/away":
            headers[.location] = "http://elsewhere.invalid/"
            return HTTPResponse(statusCode: .movedPermanently, headers: headers)
        case "/about":
            return HTTPResponse(statusCode: .ok, headers: headers, body: Data("<title>About</title>".utf8))
        case "/": return HTTPResponse(statusCode: .ok, headers: headers, body: Data(page.utf8))
        case "/login":
            let sent = (try? await request.bodyData).map { String(decoding: $0, as: UTF8.self) }
            guard sent == "user=ada&password=secret" else {
                let form = "<form method=post><input name=user><input type=password name=password></form>"
                return HTTPResponse(
                    statusCode: .ok,
                    headers: headers,
                    body: Data("<title>Log in</title>\(form)".utf8)
                )
            }
            headers[.location] = "/account"
            headers[.setCookie] = "id=1; Path=/; HttpOnly"
            return HTTPResponse(statusCode: .seeOther, headers: headers)
        case "/account" where request.headers[.cookie] == "id=1":
            return HTTPResponse(statusCode: .ok, headers: headers, body: Data("<title>Account</title>".utf8))
        case "/robots.txt":
            let robots = "User-agent: crab\nDisallow: /secret\nSitemap: /index.xml\n"
            return HTTPResponse(statusCode: .ok, headers: headers, body: Data(robots.utf8))
        case "/index.xml":
            let index = """
                <sitemapindex><sitemap><loc>/index.xml</loc></sitemap><sitemap><loc>/map.txt</loc></sitemap>\
                <sitemap><loc>/lost.xml</loc></sitemap></sitemapindex>
                """
            return HTTPResponse(statusCode: .ok, headers: headers, body: Data(index.utf8))
        case "/map.txt":
            return HTTPResponse(
                statusCode: .ok,
                headers: headers,
                body: Data("http://h.test/1\nhttp://h.test/2\n".utf8)
            )
        default:
            return HTTPResponse(
                statusCode: .notFound,
                headers: headers,
                body: Data("<title>Gone</title>".utf8)
            )
        }
    }

    @Test(arguments: [
        Run(line: "load-offline SERVER/", output: "online:  Home\noffline: Home stale-hit N s old\n"),
        Run(
            line: "load-offline http://127.0.0.1:1/",
            output: "online:  network.connect\noffline: not here yet\n"
        ),
        Run(line: "page-history SERVER/", output: "200 first version\nat first: Home\n"),
        Run(line: "page-history http://[", status: 2, output: "not a URL\n"),
        Run(
            line: "list-links SERVER/",
            output: """
                navigation SERVER/about line 2 About
                image SERVER/tea.png line 3\u{20}
                broken     http://

                """
        ),
        Run(line: "watch-price SERVER/", output: "Tea 12.5\n"),
        Run(line: "watch-price SERVER/ 12.5", output: "Tea 12.5\n"),
        Run(line: "watch-price SERVER/ 14", status: 1, output: "Tea 12.5\ncheaper by 1.5\n"),
        Run(line: "watch-price http://[", status: 3, output: "IPv6-unclosed at byte 8\n"),
        Run(line: "list-links http://[", status: 1, output: "IPv6-unclosed at byte 8\n"),
        Run(line: "hear-loads http://[", status: 2, output: "not a URL\n"),
        Run(
            line: "table-to-csv SERVER/",
            output: "Name,Price\n\"Tea, green\",2\n\"Tea, green\",\"\"\"3\"\"\"\n"
        ),
        Run(line: "table-to-csv SERVER/ 2", status: 1, output: "there are 1 tables\n"),
        Run(
            line: "hear-loads SERVER/moved",
            output:
                "allowed /moved\nstarted\nallowed /about\nredirected 301\nreceived 20 bytes\nfinished About\n"
        ),
        Run(
            line: "hear-loads SERVER/away",
            output: "allowed /away\nstarted\nrefused /\ncancelled load.refused\n"
        ),
        Run(line: "trace-load http://[", status: 2, output: "not a URL\n"),
        Run(
            line: "trace-load http://127.0.0.1:1/",
            output: """
                load /
                  request /
                    exchange /
                      network.connect
                    network.connect
                  network.connect

                """
        ),
        Run(
            line: "trace-load SERVER/moved",
            output: """
                load /moved
                  request /moved
                    exchange /moved
                      301 from network
                    301 from network
                  redirected with 301 to /about
                  request /about
                    exchange /about
                      200 from network
                    200 from network
                  parsing /about
                    done
                  200 from network

                """
        ),
        Run(
            line: "guarded-service",
            input: "SERVER/\nfile:///etc/passwd\nhttp://[::ffff:127.0.0.1]/\nnothing\n",
            output: """
                {"error":"network.address"}
                {"error":"url.unsupported"}
                {"error":"network.address"}
                {"error":"url.invalid"}

                """
        ),
        Run(
            line: "guarded-service 127.0.0.1",
            input: "SERVER/\nSERVER/none\n",
            output: #"{"status":200,"title":"Home"}\#n{"status":404,"title":"Gone"}\#n"#
        ),
        Run(
            line: "load-many 1",
            input: "nothing\nSERVER/\nSERVER/none\nhttp://127.0.0.1:1/\n",
            output: """
                url.invalid nothing
                200 SERVER/ Home
                404 SERVER/none Gone
                network.connect http://127.0.0.1:1/
                1 failed

                """,
            isInAnyOrder: true
        ),
        Run(line: "own-fetcher", output: "200 Home\n200 About\n404 Not found\n"),
        Run(line: "own-cache-store SERVER/", output: "network Home\ncache Home\nthe contract is kept\n"),
        Run(line: "extract SERVER/", output: #"{"title":"Tea","links":["SERVER/about","SERVER/about"]}\#n"#),
        Run(
            line: "archive-titles /dev/stdin",
            input:
                "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2024-03-04T05:06:07Z\r\n"
                + "WARC-Target-URI: http://h.test/\r\nContent-Type: application/http; msgtype=response\r\n"
                + "Content-Length: 62\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Tea</title>\r\n\r\n",
            output: "2024-03-04T05:06:07Z\tTea\thttp://h.test/\n"
        ),
        Run(
            line: "site-titles SERVER/",
            output: "200 SERVER/ Home\n200 SERVER/about About\n"
        ),
        Run(line: "site-titles http://127.0.0.1:1/", output: ""),
        Run(
            line: "save-page SERVER/ FOLDER/page.html",
            status: 1,
            output: """
                1 files, Home
                missing: SERVER/tea.png http.404

                """
        ),
        Run(line: "session-login SERVER/login ada secret", output: "Account\n"),
        Run(line: "session-login SERVER/login ada wrong", status: 1, output: "not logged in\n"),
        Run(
            line: "session-login SERVER/about ada secret",
            status: 1,
            output: "form.missing no field user: no control has that name, label or selector\n"
        ),
        Run(line: "session-login http://127.0.0.1:1/ ada secret", status: 1, output: "network.connect\n"),
        Run(
            line: "session-login http://[ ada secret",
            status: 2,
            output: "usage: session-login URL USER PASSWORD\n"
        ),
        Run(
            line: "robots-check Crab/1.0",
            input: "SERVER/\nSERVER/secret/1\nnothing\n",
            status: 1,
            output: "yes / no-rule\nno  /secret/1 line 2: Disallow: /secret\nnot a URL: nothing\n"
        ),
        Run(
            line: "sitemap-list SERVER/any/page",
            output: """
                - http://h.test/1
                - http://h.test/2
                sitemap.status SERVER/lost.xml: HTTP status 404

                """
        ),
        Run(
            line: "resolve-urls https://h.test/a/b",
            input: "../c?q\n//[\n#f\n",
            output: "https://h.test/c?q\nIPv6-unclosed at byte 3: //[\nhttps://h.test/a/b#f\n"
        ),
        Run(
            line: "html-outline https://h.test/a/b",
            input: "<title>T</title><h1>One</h1><h2>Two</h2><a href=c>x</a><a href=http://[>y</a>",
            output: "T\n  One\n    Two\nhttps://h.test/a/c\nbroken: http://[\n"
        ),
        Run(
            line: "page-changes .clock",
            input:
                "<h1>Tea</h1>\n<p>3 cups\n<p class=clock>10:00\n---\n<h1>Tea</h1>\n<p>4 cups\n<p class=clock>11:00\n",
            output: """
                line 2: text changed: "3" -> "4"
                left out by selector .clock: text changed: "10:00" -> "11:00"

                """
        ),
        Run(line: "page-changes", input: "<p>a\n---\n<p>a\n", output: "the same\n"),
    ])
    func `an example prints what it should`(_ run: Run) async throws {
        try await withTestServer(Self.answer) { server in
            try await withTemporaryFolder { folder in
                let origin = String(server.url("/").dropLast())
                let words = run.line.replacing("SERVER", with: origin)
                    .replacing("FOLDER", with: folder.path).split(separator: " ").map(String.init)
                let program = try Command.file(try #require(words.first)).path
                let outcome = try await Command.run(
                    program,
                    Array(words.dropFirst()),
                    input: Data(run.input.replacing("SERVER", with: origin).utf8),
                    environment: ["XDG_CACHE_HOME": folder.path]
                )
                #expect(outcome.status == run.status, "\(outcome.errors)")
                let output = outcome.text.replacing(origin, with: "SERVER")
                    .replacing(/[0-9]+ s old/, with: "N s old")
                if run.isInAnyOrder {
                    #expect(
                        output.split(separator: "\n").sorted() == run.output.split(separator: "\n").sorted()
                    )
                } else {
                    #expect(output == run.output)
                }
            }
        }
    }

    /// Of what the dynamic linker loads, what the product brings: neither the compiler's runtime nor C's own libraries.
    @Test(arguments: [
        ("resolve-urls", [], ["libxml2", "libcurl", "liblua", "libpcre2", "libyaml", "libFoundation"]),
        ("html-outline", ["libxml2"], ["libcurl", "liblua", "libpcre2", "libyaml", "libFoundation"]),
        ("list-links", ["libxml2", "liblua", "libpcre2", "libyaml"], ["libcurl", "libFoundation"]),
    ])
    func `a product loads what it needs`(name: String, needed: [String], absent: [String]) async throws {
        let program = try Command.file(name).path
        let libraries = try await Command.run("/usr/bin/ldd", [program]).text
        #expect(libraries.contains("libc.so"))
        for library in needed { #expect(libraries.contains(library), "\(libraries)") }
        for library in absent { #expect(!libraries.contains(library), "\(libraries)") }
    }

    @Test func `every example is run, and short`() throws {
        let sources = ProjectFolder.root.appending(path: "Examples")
        let names = try FileManager.default.contentsOfDirectory(atPath: sources.path)
        #expect(names.count >= 8)
        for name in names {
            let file = sources.appending(path: "\(name)/main.swift")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count <= 60, "\(name)")
        }
    }
}

/// Whether the programs are built beside the tests.
private enum ExamplePrograms {
    static let areBuilt = (try? Command.file("load-offline")) != nil
}
