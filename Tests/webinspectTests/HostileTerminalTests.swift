import Foundation
import TestSupport
import Testing

@testable import webinspect

/// Tests of data from pages, servers and file names on a terminal: text, and no control characters.
@Suite(.timeLimit(.minutes(20)))
struct HostileTerminalTests {
    /// A title for the window, colours by both kinds of sequence, a line of its own, and text from right to left.
    private static let payload =
        "a\u{1B}]0;PWN\u{7}\u{1B}[33mb\u{9B}31mc\u{85}d\u{202E}e\u{2066}f\u{2028}g\u{7F}h\r"

    /// The page and the server's answer around it.
    private static let page = """
        <html lang="\(payload)"><title>\(payload)</title><meta name=description content="\(payload)">
        <meta property="og:title" content="\(payload)"><!--\(payload)-->
        <h1 id="\(payload)" class="\(payload)">\(payload)</h1><p>Some text, \(payload), and more of it.
        <a href="/\(payload)" rel="\(payload)">\(payload)</a><a href="http://[\(payload)">x</a>
        <img src="/i\(payload)" alt="\(payload)"><form action="\(payload)"><input name="\(payload)" value="\(payload)"></form>
        <table><caption>\(payload)</caption><tr><th>\(payload)<th>b<tr><td>\(payload)<td>c</table>
        <script type="application/ld+json">{"@type":"\(payload.replacingOccurrences(of: "\r", with: ""))"}</script>
        <pre>\(payload)</pre><iframe src="\(payload)"></iframe>
        """

    /// The lines that each command is run with; URL and FILE stand for the page's, DIR for the cache, the others in
    /// capitals for files.
    private static let lines: [String: [[String]]] = [
        "url": [
            ["URL"], ["URL", "--json"], ["FILE", "--findings"], ["FILE", "--format", "html"],
            ["FILE", "--parse-errors"],
            ["FILE", "--format", "pretty"], ["FILE", "--format", "xml"], ["FILE", "--format", "sarif"],
            ["FILE", "--format", "junit"], ["URL", "-v", "--explain"], ["FILE-that-is-not-there"],
        ],
        "fetch": [["URL"], ["URL", "--json"], ["URL", "-v"], ["URL", "-H", payload]],
        "links": [
            ["URL"], ["FILE", "--format", "csv"], ["FILE", "--format", "jsonl"], ["FILE", "--kind", payload],
            ["FILE", "--format", "json"],
        ],
        "resolve": [
            [payload, "--base-url", "http://h.test/"], [payload],
            ["--json", "/\(payload)", "--base-url", "x:y"],
        ],
        "select": [
            ["h1", "URL"], ["a", "URL", "-a", "href"], ["h1", "FILE", "--html"], ["h1", "FILE", "--path"],
            ["h1", "FILE", "--json"], ["h1", "FILE", "--jsonl"], ["//h1", "FILE", "--xpath"],
            ["h1[\(payload)", "FILE"],
            ["-e", "\(payload)=h1", "FILE"], ["//comment()", "FILE", "--xpath"], ["h1", "FILE", "--explain"],
        ],
        "text": [["URL"], ["FILE", "--all", "--markdown"], ["FILE", "--all"], ["FILE", "--json"]],
        "save": [
            ["URL", "-o", "DIR-copy.html"], ["FILE", "-o", "DIR-copy.mhtml", "--json"],
            ["FILE", "-o", "DIR-copy.warc", "--format", payload],
            ["FILE", "-o", "\(payload).nothing"],
        ],
        "diff": [
            ["FILE", "URL/\(payload)"], ["FILE", "URL"], ["FILE", "URL", "--json"],
            ["FILE", "FILE", "--ignore", payload], ["FILE", "FILE", "--ignore-text", "(\(payload)"],
            ["FILE", "URL", "--side-by-side"], ["FILE", "URL", "--explain", "--findings", "--ignore", "p"],
            ["FILE", "URL", "--format", "html"], ["FILE", "--at", payload],
        ],
        "watch": [
            ["LIST"], ["LIST"], ["LIST", "--jsonl"], ["LIST", "--run", payload, "--state", "DIR-watch"],
            ["FILE"], ["RECIPE"], ["FILE-that-is-not-there"], [payload], ["LIST", "--every", payload],
            ["LIST", "--webhook", payload], ["LIST", "--state", "FILE"],
        ],
        "mirror": [
            ["URL", "-o", "DIR-mirror", "--max-pages", "2", "--no-robots"],
            ["URL/\(payload)", "-o", "DIR-mirror-\(payload)", "--max-pages", "1", "--json"],
            ["URL", "-o", "FILE"], ["URL", "-o", "DIR-mirror2", "--scope", payload],
        ],
        "tables": [
            ["URL"], ["FILE", "--format", "csv"], ["FILE", "--format", "tsv"], ["FILE", "--format", "md"],
        ],
        "extract": [
            ["-e", "t=h1", "URL"], ["-e", "t=h1", "FILE", "--json"], ["-e", "\(payload)=h1", "FILE"],
            ["-r", "FILE", "FILE"],
        ],
        "rules": [
            ["check", "RECIPE"], ["check", "FILE"], ["explain", "RECIPE", "FILE"], ["schema"],
        ],
        "report": [["FILE"], ["URL"]],
        "cache": [
            ["ls", "--cache-dir", "DIR"], ["show", "URL", "--cache-dir", "DIR"],
            ["verify", "--cache-dir", "DIR"],
            ["show", "URL", "--body", "--cache-dir", "DIR"], ["stats", "--cache-dir", "DIR"],
            ["gc", "--cache-dir", "DIR"],
            ["ls", "--cache-dir", "DIR", "--json"], ["ls", "--cache-dir", "FILE"],
            ["rm", payload, "--cache-dir", "DIR"],
        ],
        "history": [
            ["URL", "--cache-dir", "DIR"], ["URL", "--json", "--cache-dir", "DIR"],
            ["URL", "--brief", "--cache-dir", "FILE"], ["URL/\(payload)", "--cache-dir", "DIR"], [payload],
        ],
        "archive": [
            ["ls", "ARCHIVE"], ["ls", "ARCHIVE", "--jsonl"], ["verify", "ARCHIVE"],
            ["verify", "ARCHIVE", "--jsonl"],
            ["show", "ARCHIVE", "http://h.test/"], ["show", "ARCHIVE", "http://h.test/", "--json"],
            ["cat", "ARCHIVE", "http://h.test/"], ["cat", "ARCHIVE", payload], ["ls", "FILE"],
            ["index", "ARCHIVE"], ["extract", "ARCHIVE", "-o", "DIR"], ["create", payload, "-o", "DIR.har"],
        ],
        "robots": [
            ["ROBOTS"], ["ROBOTS", "--json"], ["ROBOTS", "--sitemaps"], ["ROBOTS", payload, "/a"],
            ["ROBOTS", "--agent", payload, "/a"], ["ROBOTS", "--agent", payload, "--jsonl", payload],
            ["URL", "URL/\(payload)"], ["URL"], ["FILE-that-is-not-there", payload],
        ],
        "sitemap": [
            ["SITEMAP"], ["SITEMAP", "--json"], ["SITEMAP", "--jsonl"],
            ["SITEMAP", "--no-follow", "--images"],
            ["FILE"], ["URL"], ["URL/\(payload)"], ["FILE-that-is-not-there"],
        ],
        "check": [
            ["FILE", "-v"], ["URL", "--no-external"], ["FILE", "--format", "jsonl"],
            ["FILE", "--format", "html"],
            ["FILE", "--format", "junit"], ["FILE", "--format", "sarif"], ["FILE", "--exclude", payload],
            [payload],
        ],
        "crawl": [
            ["URL", "-o", "DIR.warc.gz", "--max-pages", "3", "--no-robots"],
            ["--status", "-o", "DIR.warc.gz"],
            ["--status", "--json", "-o", "DIR.warc.gz"], ["URL", "-o", "DIR.warc.gz", "--depth", "1"],
            ["URL/\(payload)", "-o", "DIR-\(payload).warc.gz", "--max-pages", "1"],
            ["URL", "-o", "\(payload).har"],
            ["URL", "-o", "FILE"], ["FILE-that-is-not-there", "-o", "DIR2.warc"],
            ["URL", "-o", "x.warc", "--scope", payload],
        ],
        "batch": [
            ["FILE", "--run", "text", "-o", "DIR.jsonl"], ["FILE", "--run", payload, "-o", "DIR.1"],
            ["--status", "-o", "DIR.jsonl"], [payload, "--run", "text", "-o", "DIR.2"],
            ["FILE", "--run", "links \(payload)", "-o", "DIR.3"], ["FILE", "--run", "text", "-o", "FILE"],
            ["FILE", "--run", "text", "-o", "DIR.4\(payload)"],
            ["--salvage", "-o", "FILE-that-is-not-there"],
        ],
        // Without its input, which a terminal would have to be asked for.
        "pipe": [
            ["--run", payload], ["--run", "select \(payload)"], ["--run", "text", "--shard", payload],
            ["--run", "text", "--run", "links", "--from", "ARCHIVE", "--all"], ["--run", "\(payload)=links"],
        ],
        // The arguments after "<" are the lines that it reads.
        "serve": [["--port", payload], ["--cache-dir", "DIR-serve", "--\(payload)"]],
        "serve-reader": [["--cache-dir", "DIR-serve"], ["--\(payload)"]],
        "session": [
            [
                "--keep-going", "<", "open URL", "title", "url", "links", "history", "forms", "find h",
                "next", "select h1",
                "text", "cookies", "fill a\(payload) x", "fill \"\(payload)\" \(payload)",
                "submit \(payload)",
                "follow \(payload)", "go \(payload)", "\(payload)", "save \(payload)",
                "save DIR\(payload).html",
                "extract RECIPE", "extract \(payload)", "open \(payload)", "open FILE", "follow 1", "help",
            ],
            ["--state", "DIR-session\(payload)", "<", "open URL", "open URL/\(payload)", "reload"],
            ["--state", "FILE", "<", "title"],
        ],
        "schema": [[], [payload]],
        "doctor": [["--cache-dir", "DIR"], ["--cache-dir", "FILE"]],
        "help": [[], [payload]],
    ]

    /// A command that is new has to have its lines above.
    @Test(arguments: RootCommand.subcommandNames)
    func noControlCharactersAreWritten(command: String) async throws {
        let lines = try #require(Self.lines[command])
        let body = Self.page
        let head = """
            HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nX-Evil: a\u{9B}31mb\u{202E}c\r
            Set-Cookie: a=b\u{9B}31m\r\nCache-Control: max-age=600\r\nETag: "\u{9B}31m"\r\nConnection: close\r
            Content-Length: \(body.utf8.count)\r\n\r\n
            """
        try await withTemporaryFolder { folder in
            let name = "p" + Self.payload.replacingOccurrences(of: "\u{1B}]0;PWN\u{7}", with: "") + ".html"
            let file = folder.appendingPathComponent(name)
            try Data(body.utf8).write(to: file)
            let recipe = folder.appendingPathComponent("r\u{9B}.yaml")
            try Data("title: h1\nall: { all: p }\n".utf8).write(to: recipe)
            var evil = ArchiveFixture()
            evil.add("http://h.test/", fields: "X-Evil: \(Self.payload.dropLast())\r\n", body: body)
            evil.add("http://h.test/\(Self.payload.dropLast())", type: Self.payload, body: body)
            evil.add("http://h.test/", kind: "re\(Self.payload.dropLast())", "\u{9B}31m", "\u{9B}31m", "")
            let archive = try evil.write(to: folder)
            let robots = folder.appendingPathComponent("robots\u{9B}.txt")
            let rules =
                "User-agent: *\nDisallow: /a\(Self.payload)\nSitemap: http://h.test/\(Self.payload)\n\(Self.payload)\n"
            try Data(rules.utf8).write(to: robots)
            let sitemap = folder.appendingPathComponent("s\u{9B}.xml")
            let map = """
                <urlset><url><loc>http://h.test/\(Self.payload)</loc><lastmod>\(Self.payload)</lastmod></url>\
                <url><loc>\(Self.payload)</loc></url><\(Self.payload)/>&\(Self.payload);</x\u{9B}>
                """
            try Data(map.utf8).write(to: sitemap)
            try await withRawServer([.send(head), .send(body)]) { server in
                let cache = folder.appendingPathComponent("cache").path
                if command == "cache" {
                    _ = try await Command.run("webinspect", ["fetch", server.url, "--cache-dir", cache])
                }
                // JSON is YAML, and says any character.
                let entries: [[String: Any]] = [
                    ["name": Self.payload, "url": server.url, "fields": ["t": "h1"], "when": ["t != x"]],
                    ["url": "\(server.url)/#\(Self.payload)", "select": "h1"],
                    ["url": "\(server.url)/2", "when": [["text": Self.payload]], "run": [Self.payload]],
                    ["url": "\(server.url)/3", "fields": ["t": "h1"], "when": ["t < 2"]],
                ]
                let list = folder.appendingPathComponent("list\u{9B}.json")
                try JSONSerialization.data(withJSONObject: ["watch": entries]).write(to: list)
                for line in lines {
                    let arguments = line.map {
                        $0.replacingOccurrences(of: "ARCHIVE", with: archive)
                            .replacingOccurrences(of: "LIST", with: list.path)
                            .replacingOccurrences(of: "ROBOTS", with: robots.path)
                            .replacingOccurrences(of: "SITEMAP", with: sitemap.path)
                            .replacingOccurrences(of: "URL", with: server.url)
                            .replacingOccurrences(of: "FILE", with: file.path)
                            .replacingOccurrences(of: "RECIPE", with: recipe.path)
                            .replacingOccurrences(of: "DIR", with: cache)
                    }
                    let output = try await Self.onTerminal([command] + arguments, folder)
                    #expect(Self.controlCharacters(in: output).isEmpty, "\(line)")
                }
            }
        }
    }

    /// Returns a command's output on a terminal, from either stream.
    private static func onTerminal(_ arguments: [String], _ folder: URL) async throws -> Data {
        let binary = try Command.file("webinspect").path
        let parts = arguments.split(separator: "<", maxSplits: 1)
        var input = "/dev/null"
        if parts.count > 1 {
            let file = folder.appendingPathComponent("lines")
            try Data(parts[1].joined(separator: "\n").utf8).write(to: file)
            input = file.path
        }
        let line = ([binary] + parts[0]).map { "'\($0.replacingOccurrences(of: "'", with: "'\\''"))'" }
        let outcome = try await Command.run(
            "/usr/bin/script",
            ["-qec", "\(line.joined(separator: " ")) < \(input)", "/dev/null"],
            environment: [
                "TERM": "xterm", "NO_COLOR": "", "CLICOLOR_FORCE": "", "XDG_CACHE_HOME": folder.path,
                "XDG_CONFIG_HOME": folder.path, "SHELL": "/bin/sh",
            ]
        )
        return outcome.output
    }

    /// Returns all that is neither text, nor the end of a line, nor a style of ours around text of ours.
    private static func controlCharacters(in output: Data) -> [String] {
        var text = String(decoding: output, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
        var found = text.contains("\u{1B}[33mb") ? ["the page's colour"] : []
        for sequence in Terminal.sequences {
            text = text.replacingOccurrences(of: String(decoding: sequence, as: UTF8.self), with: "")
        }
        // A line of progress is taken away again.
        text = text.replacingOccurrences(of: "\r\u{1B}[K", with: "")
        for scalar in text.unicodeScalars where scalar != "\n" {
            let isMark = scalar == "\u{200E}" || scalar == "\u{200F}"
            if TerminalText.isControl(scalar), !isMark { found.append(String(scalar.value, radix: 16)) }
        }
        return found
    }

    @Test(arguments: [
        ("a\tb", "a       b"), ("名\tb", "名      b"), ("a\r\nb", "a\nb"), ("a\rb", "a\u{FFFD}b"),
        ("\u{9B}", "\u{FFFD}"),
        ("\u{1B}[1mx\u{1B}[0m\u{1B}[5m", "\u{1B}[1mx\u{1B}[0m\u{FFFD}[5m"),
        ("\u{200E}\u{202E}", "\u{200E}\u{FFFD}"),
    ])
    func dataIsShown(data: String, shown: String) {
        #expect(
            String(decoding: TerminalText.shown(Array(data.utf8), keepingStyles: true), as: UTF8.self)
                == shown
        )
    }

    @Test func whatIsNoUTF8IsReplaced() {
        let shown = TerminalText.shown([0x61, 0x9B, 0x33, 0xC3, 0xE2, 0x80, 0x0A], keepingStyles: false)
        #expect(String(decoding: shown, as: UTF8.self) == "a\u{FFFD}3\u{FFFD}\u{FFFD}\n")
    }
}
