import Foundation
import TestSupport
import Testing

/// Commands that read pages of archives, and several sources.
struct ArchiveSourceTests {
    /// Runs a line on the site's archive, in which "SITE" stands for its path, where no socket can be opened.
    private func run(_ line: String) async throws -> Command.Outcome {
        try await withTemporaryFolder { folder in
            let path = try ArchiveFixture.site.write(to: folder)
            let words = line.split(separator: " ").map { $0 == "SITE" ? path : String($0) }
            return try await Command.run("network-guard", [try Command.file("webinspect").path] + words)
        }
    }

    static let lines: [(line: String, output: String)] = [
        ("select title http://site.test/ --from SITE", "New\n"),
        ("select title http://site.test/#top --from SITE", "New\n"),
        ("select title http://site.test/ --from SITE --at 2023-06-01", "Old\n"),
        ("select title http://site.test/ --from SITE --at 2020", "Old\n"),
        ("select title http://site.test/ --from SITE --at 20240304100000", "New\n"),
        ("select title http://site.test/moved --from SITE", "Two\n"),
        (
            "select title --from SITE --all",
            "http://site.test/\tOld\nhttp://site.test/two\tTwo\nhttp://site.test/\tNew\n"
        ),
        ("links http://site.test/ --from SITE", "http://site.test/two\n"),
        ("fetch http://site.test/s.css --from SITE", "p{}"),
        ("text --whole http://site.test/ --from SITE", "New\n\ntwo\n"),
        ("archive cat SITE http://site.test/s.css", "p{}"),
    ]

    @Test(arguments: lines)
    func `a command reads an archive and opens no socket`(_ line: String, _ output: String) async throws {
        let outcome = try await run(line)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == output)
    }

    static let failures: [(line: String, status: Int32, code: String)] = [
        ("select title http://site.test/never --from SITE", 5, "archive.miss"),
        ("archive cat SITE http://site.test/never", 5, "archive.miss"),
        ("select title http://site.test/ --at 2023", 5, "cache.miss"),
        ("select title http://site.test/ --from SITE --at yesterday", 2, "usage"),
        ("select title --all", 2, "usage"),
        ("select title --from SITE --all --at 2023", 2, "usage"),
        ("select title page.html --from SITE --all", 2, "usage"),
        ("select title page.html --from SITE", 2, "url.invalid"),
        ("select title http://site.test/ --from /nowhere", 8, "file.not-found"),
        ("archive ls /dev/null", 7, "archive.format"),
        ("extract -e t=title --from SITE --all", 2, "usage"),
        ("select title http://site.test/ --from SITE --refresh", 2, "usage"),
    ]

    @Test(arguments: failures)
    func `what cannot be had has a code`(_ line: String, _ status: Int32, _ code: String) async throws {
        let outcome = try await run(line)
        #expect(outcome.errors.contains("(\(code))"), "\(outcome.errors)")
        #expect(outcome.status == status)
    }

    @Test(arguments: ["url", "text", "links", "tables", "select title", "extract --no-worker -e t=title"])
    func `with --all and --jsonl a line for each page begins with its URL and date`(
        _ command: String
    ) async throws {
        let outcome = try await run("\(command) --from SITE --all --jsonl")
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == 3, "\(outcome.errors)")
        let starts = [
            #"{"url":"http://site.test/","date":"2023-01-01T00:00:00Z","#,
            #"{"url":"http://site.test/two","date":"2024-03-04T10:00:00Z","#,
        ]
        for (line, start) in zip(lines, starts) {
            #expect(line.hasPrefix(start))
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object != nil)
        }
    }

    @Test func `--explain says which record it was`() async throws {
        let outcome = try await run("select title http://site.test/ --from SITE --explain")
        #expect(outcome.errors.contains("from the archive "))
        #expect(outcome.errors.contains("captured 2024-03-04T10:00:00Z"))
    }

    @Test func `the report says the record`() async throws {
        let report = try await run("http://site.test/ --from SITE --json").json()
        let response = try #require(report["response"] as? [String: Any])
        let record = try #require(response["record"] as? [String: Any])
        #expect(response["source"] as? String == "archive")
        #expect(record["date"] as? String == "2024-03-04T10:00:00Z")
        #expect((record["offset"] as? Int ?? 0) > 0)
    }

    @Test func `resources of a page come from the archive too`() async throws {
        let report = try await run("http://site.test/two --from SITE --with-resources --json").json()
        let resources = try #require(report["resources"] as? [String: Any])
        #expect(resources["count"] as? Int == 1)
        #expect((resources["failures"] as? [Any])?.count == 1)
    }

    // MARK: - Several sources

    @Test(
        "What is wrong with one archive hides no other",
        arguments: [
            ("select title --from BAD --from SITE --all", "\tNew\n", 7),
            ("select title --from SITE --from /nowhere --all", "\tNew\n", 8),
            ("select title http://site.test/ --from EMPTY --from SITE", "New\n", 0),
            ("archive ls EMPTY /nowhere SITE", "http://site.test/\n", 7),
        ]
    )
    func severalArchives(line: String, end: String, status: Int32) async throws {
        try await withTemporaryFolder { folder in
            var places = ["SITE": try ArchiveFixture.site.write(to: folder)]
            for (name, text) in ["BAD": "<p>a page", "EMPTY": ""] {
                let file = folder.appending(path: name)
                try Data(text.utf8).write(to: file)
                places[name] = file.path
            }
            let outcome = try await Command.run(
                "webinspect",
                line.split(separator: " ").map { places[String($0)] ?? String($0) }
            )
            #expect(outcome.text.hasSuffix(end), "\(outcome.errors)")
            #expect(outcome.errors.contains("("))
            #expect(outcome.status == status)
        }
    }

    @Test(
        "An index does not take the place of what it is of",
        arguments: ["SITE", "SITE --url http://site.test/"]
    )
    func indexesReplaceNoInput(inputs: String) async throws {
        try await withTemporaryFolder { folder in
            let path = try ArchiveFixture.site.write(to: folder)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let words = "archive index \(inputs) -o SITE".split(separator: " ")
            let outcome = try await Command.run("webinspect", words.map { $0 == "SITE" ? path : String($0) })
            #expect(outcome.errors.contains("(file.write)"))
            #expect(outcome.status == 8)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test(arguments: [
        "select title http://site.test/ --from BAD", "select title --from BAD --all", "archive ls BAD",
    ])
    func whatIsNoArchiveIsSaid(line: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "page.html")
            try Data("<p>a page".utf8).write(to: file)
            let words = line.split(separator: " ").map { $0 == "BAD" ? file.path : String($0) }
            let outcome = try await Command.run("webinspect", words)
            #expect(outcome.errors.contains("(archive.format)"))
            #expect(outcome.status == 7)
        }
    }

    @Test(arguments: [
        ("select title A B", "A\tFirst\nB\tSecond\n"),
        ("links A B", "A\thttp://h.test/a\nB\thttp://h.test/b\n"),
        ("tables A B --format tsv", "A\t1\n\nB\t2\n"),
        ("text A B --whole", "==> A <==\nFirst text a\n\n1\n\n==> B <==\nSecond text b\n\n2\n"),
    ])
    func `several sources are told apart`(_ line: String, _ output: String) async throws {
        try await withTemporaryFolder { folder in
            for (name, text) in [("a", "First"), ("b", "Second")] {
                let page =
                    "<title>\(text)</title><p>\(text) text <a href=http://h.test/\(name)>\(name)</a>"
                    + "<table><tr><td>\(name == "a" ? 1 : 2)</table>"
                try Data(page.utf8).write(to: folder.appending(path: name.uppercased()))
            }
            let words = line.split(separator: " ").map(String.init) + ["--mime", "text/html"]
            let outcome = try await Command.run("webinspect", words, folder: folder)
            #expect(outcome.text == output)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    @Test func `a failure of one is the status of all, and findings are one`() async throws {
        try await withTemporaryFolder { folder in
            let good = folder.appending(path: "good.html").path
            let page = "<!doctype html><html lang=en><meta charset=utf-8><title>T</title><p>x"
            try Data(page.utf8).write(to: URL(filePath: good))
            let bad = folder.appending(path: "bad.html").path
            try Data("<img src=x><img src=y>".utf8).write(to: URL(filePath: bad))
            let line = ["url", bad, good, "--fail-on", "note"]
            #expect(try await Command.run("webinspect", line).status == 1)
            // Where nothing can be written there is nothing to go on for.
            let full = try await Command.run(
                "/bin/bash",
                ["-c", "$B links \(bad) \(bad) \(bad) > /dev/full"],
                environment: ["B": try Command.file("webinspect").path]
            )
            #expect(full.status == 8)
            #expect(full.errors.split(separator: "\n").count == 1, "\(full.errors)")
        }
    }

    @Test func `one that fails ends none of the others`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "a.html").path
            try Data("<title>A</title>".utf8).write(to: URL(filePath: path))
            let outcome = try await Command.run("webinspect", ["select", "title", "\(path)x", path])
            #expect(outcome.text == "\(path)\tA\n")
            #expect(outcome.status == 8)
            #expect(outcome.errors.contains("(file.not-found)"))
            let json = try await Command.run("webinspect", ["select", "title", "\(path)x", path, "--json"])
            #expect(json.text.split(separator: "\n").count == 2)
            let file = folder.appending(path: "out").path
            let written = try await Command.run(
                "webinspect",
                ["links", path, path, "-o", file, "--format", "csv"]
            )
            #expect(written.status == 1)
            #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\r\n").count == 1)
        }
    }
}
