import Foundation
import TestSupport
import Testing
import WebLoader

/// The report's schema: that it is published, that reports keep to it, and that nothing is in it without being in one.
@Suite(.timeLimit(.minutes(20)))
struct ReportSchemaTests {
    /// The properties that no page here can cause in a report, and why.
    private static let untested: Set<String> = []

    private static let published = ProjectFolder.root.appendingPathComponent("docs/report.schema.json")

    private static func validator() throws -> SchemaValidator {
        try SchemaValidator(JSONValue(parsing: try Data(contentsOf: published)))
    }

    /// Runs the command and validates its report against the schema.
    private static func check(
        _ name: String,
        _ arguments: [String],
        _ validator: SchemaValidator,
        input: String = ""
    ) async throws {
        let outcome = try await Command.run(
            "webinspect",
            ["url", "--json"] + arguments,
            input: Data(input.utf8)
        )
        let report = try #require(try? JSONValue(parsing: outcome.output), "\(name): \(outcome.errors)")
        let errors = validator.errors(of: report)
        #expect(errors.isEmpty, "\(name): \(errors)")
    }

    /// Returns the texts between backquotes in documents: whole, and their words.
    private static func quoted(_ documents: [String]) throws -> Set<String> {
        var quoted: Set<String> = []
        for name in documents {
            let file = ProjectFolder.root.appendingPathComponent("docs/\(name)")
            let parts = try String(contentsOf: file, encoding: .utf8)
                .split(separator: "`", omittingEmptySubsequences: false)
            for index in stride(from: 1, to: parts.count, by: 2) {
                quoted.insert(String(parts[index]))
                let words = parts[index].split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                quoted.formUnion(words.map(String.init))
            }
        }
        return quoted
    }

    @Test func theCommandPrintsWhatIsPublished() async throws {
        let outcome = try await Command.run("webinspect", ["schema"])
        #expect(outcome.status == 0)
        // Mended by: webinspect schema > docs/report.schema.json
        #expect(outcome.output == (try Data(contentsOf: Self.published)))
    }

    @Test func theLibraryWritesWhatTheCommandWrites() async throws {
        for page in try ProjectFolder.pages(in: ProjectFolder.fixtures) where page.pathExtension == "html" {
            let outcome = try await Command.run(
                "webinspect",
                ["url", "--json", "--findings", "--parse-errors", "--content", page.path]
            )
            var configuration = PageLoader.Configuration()
            configuration.reportsParseErrors = true
            let loaded = try await PageLoader(configuration: configuration).load(
                WebRequest(url: try WebURL(filePath: page.path))
            )
            let report = PageReport(
                try await loaded.parsed(),
                source: page.path,
                including: [.findings, .parseErrors, .content]
            )
            #expect(Self.timeless(outcome.output) == Self.timeless(Data(report.serialized() + [0x0A])))
        }
    }

    /// A report without how long its page took.
    private static func timeless(_ report: Data) -> String {
        String(decoding: report, as: UTF8.self).replacing(#/"timing":\{[^}]*\}/#, with: "")
    }

    @Test func everyNameIsDescribedAndDocumented() throws {
        let validator = try Self.validator()
        #expect(validator.undescribed.isEmpty)
        // Names and words stand between backquotes; those of examples do not count. Codes have documents of their own.
        let names = try Self.quoted(["json-report.md"])
        #expect(validator.names.subtracting(names).sorted().isEmpty)
        let words = try Self.quoted(["json-report.md", "exit-codes.md", "findings.md"])
        #expect(validator.words.subtracting(words).sorted().isEmpty)
    }

    @Test func reportsKeepToTheSchemaAndHaveAllOfIt() async throws {
        let validator = try Self.validator()
        let flags = ["--parse-errors", "--findings", "--content"]
        let fixtures = try ProjectFolder.pages(in: ProjectFolder.fixtures)
        #expect(fixtures.count >= 139)
        for page in fixtures {
            try await Self.check(page.lastPathComponent, flags + [page.path], validator)
        }
        for page in SchemaPages.all {
            let source = ["-", "--with-resources", "--base-url", "https://127.0.0.1:1/"]
            try await Self.check(page.name, flags + source, validator, input: page.markup)
        }
        let types = [
            "application/xml", "application/rss+xml", "application/xhtml+xml", "text/plain", "image/png",
        ]
        for type in types {
            let source = ["-", "--mime", type, "--base-url", "https://h.test/"]
            try await Self.check(type, flags + source, validator, input: "<rss><channel><title>T</title></x>")
        }
        try await responses(validator)
        try await caches(validator)
        try await archives(validator)
        if NginxServer.isInstalled {
            try await withNginx { server in
                let url = server.url(.good, "/hsts")
                try await Self.check("TLS", [url, "--no-store", "--cacert", server.authority], validator)
            }
        }
        if Browser.isInstalled {
            let flags = ["-", "--render", "--max-filesize", "4K", "--base-url", "http://127.0.0.1:1/"]
            try await Self.check("rendered", flags, validator, input: SchemaPages.scripted)
        }
        let absent = Set(validator.unmet).subtracting(Self.untested)
            .subtracting(NginxServer.isInstalled ? [] : Self.needingTLS(validator))
            .subtracting(Browser.isInstalled ? [] : Self.needingBrowser(validator))
        #expect(absent.sorted().isEmpty)
    }

    @Test(
        .enabled(
            if: ProjectFolder.suite("conformance/pages/pages") != nil,
            "conformance/pages is absent; Scripts/suites gets it"
        )
    )
    func reportsOfRealPagesKeepToTheSchema() async throws {
        let validator = try Self.validator()
        let folder = try #require(ProjectFolder.suite("conformance/pages/pages"))
        let pages = try ProjectFolder.pages(in: folder)
        #expect(pages.count >= 65)
        for page in pages {
            let source = [page.path, "--base-url", "https://h.test/\(page.lastPathComponent)"]
            try await Self.check(
                page.lastPathComponent,
                ["--parse-errors", "--findings", "--content"] + source,
                validator
            )
        }
    }

    private static func needingTLS(_ validator: SchemaValidator) -> [String] {
        validator.pointers.filter { pointer in
            pointer.contains("/tls") || pointer.contains("/hsts")
        }
    }

    private static func needingBrowser(_ validator: SchemaValidator) -> [String] {
        validator.pointers.filter { $0.contains("/rendering") }
    }

    /// A revisit, and a page in a file inside of an archive.
    private func archives(_ validator: SchemaValidator) async throws {
        var archive = ArchiveFixture()
        archive.add("http://h.test/", date: "2022-01-01T00:00:00Z", body: "<title>T</title>")
        archive.add(
            "http://h.test/",
            kind: "revisit",
            "2024-01-01T00:00:00Z",
            "application/http; msgtype=response",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
            fields:
                "WARC-Refers-To-Target-URI: http://h.test/\r\nWARC-Refers-To-Date: 2022-01-01T00:00:00Z\r\n"
        )
        try await withTemporaryFolder { folder in
            let path = try archive.write(to: folder)
            let packed = folder.appending(path: "site.wacz").path
            let made = try await Command.run("webinspect", ["archive", "create", path, "-o", packed])
            #expect(made.status == 0, "\(made.errors)")
            for source in [path, packed] {
                try await Self.check("archive", ["http://h.test/", "--from", source], validator)
            }
        }
    }

    // MARK: - Over HTTP

    /// A redirect, a failure that is tried again, early hints, and a response that says all that one can.
    private func responses(_ validator: SchemaValidator) async throws {
        let body = try #require(
            Data(
                base64Encoded:
                    "H4sIAAAAAAACA7NRTMlPLqksSFXIKMnNsbMpySzJSbULsdGHMGwK7EpSK0oURgmiCACH7JXBTgEAAA=="
            )
        )
        let fields = [
            "Content-Type: text/html", "Content-Encoding: gzip", "Content-Length: \(body.count)",
            "Cache-Control: private, max-age=60, s-maxage=7, must-revalidate, immutable",
            "Cache-Control: stale-while-revalidate=5, stale-if-error=6", "ETag: \"v1\"", "Vary: Accept",
            "Link: </n>; rel=next, </c>; rel=canonical", "X-Robots-Tag: bot: noindex", "Content-Language: en",
            "Last-Modified: Wed, 09 Jun 2027 10:18:14 GMT", "Content-Security-Policy: default-src *",
            "Content-Security-Policy-Report-Only: script-src 'unsafe-eval'",
            "X-Content-Type-Options: nosniff",
            "X-Frame-Options: deny", "Referrer-Policy: origin", "Permissions-Policy: camera=()",
            "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Embedder-Policy: require-corp",
            "Cross-Origin-Resource-Policy: same-site", "Strict-Transport-Security: max-age=9; preload",
            "Set-Cookie: a=b; Path=/x; Expires=Wed, 09 Jun 2038 10:18:14 GMT; Max-Age=60; Partitioned",
            "Set-Cookie: c=d; Domain=127.0.0.1; SameSite=Lax",
        ].joined(separator: "\r\n")
        let server = try RawServer { number in
            switch number {
            case 0:
                [
                    .send(
                        "HTTP/1.1 302 Found\r\nLocation: /there\r\nSet-Cookie: x=y\r\nContent-Length: 0\r\n\r\n"
                    )
                ]
            case 1: [.send("HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n")]
            default:
                [
                    .send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"),
                    .send("HTTP/1.1 200 OK\r\n\(fields)\r\nConnection: close\r\n\r\n"),
                    .sendBytes(Array(body)),
                ]
            }
        }
        defer { server.stop() }
        try await Self.check("response", [server.url, "--no-store", "--retry", "1"], validator)
        let silent = try RawServer([
            .send("HTTP/1.1 200 OK\r\nCache-Control: no-store, no-cache\r\nContent-Length: 3\r\n\r\n<p>")
        ])
        defer { silent.stop() }
        try await Self.check("not kept", [silent.url, "--no-store"], validator)
    }

    /// Checks reports on stored responses, on cached and damaged ones, and on a cache that cannot be written.
    private func caches(_ validator: SchemaValidator) async throws {
        try await withTemporaryFolder { folder in
            let page = "<!doctype html><title>T</title>"
            let server = try RawServer([
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: max-age=60, no-cache\r\n"
                        + "Content-Length: \(page.utf8.count)\r\n\r\n\(page)"
                )
            ])
            defer { server.stop() }
            let cache = folder.appendingPathComponent("cache").path
            for name in ["miss", "hit"] {
                try await Self.check(name, [server.url, "--cache-dir", cache, "--prefer-cache"], validator)
            }
            let listed = try await Command.run("webinspect", ["cache", "ls", "--json", "--cache-dir", cache])
            let entry = try #require((try listed.json()["entries"] as? [[String: Any]])?.first)
            let file = URL(fileURLWithPath: try #require(entry["path"] as? String))
            var bytes = try Data(contentsOf: file)
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: file)
            try await Self.check("damage", [server.url, "--cache-dir", cache], validator)
            // No folder can be made inside a file.
            let nowhere = file.appendingPathComponent("cache").path
            try await Self.check("failure", [server.url, "--cache-dir", nowhere], validator)
        }
    }
}
