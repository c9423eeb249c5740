import Testing
import WebStandards

@testable import webinspect_server

/// The command lines of jobs, and what a request may say of them.
struct JobFormTests {
    private func line(
        _ kind: String,
        _ options: JSONValue,
        urls: [String] = ["http://a.example/"]
    ) throws -> [String] {
        try JobForm(kind: kind, options: options).line(program: "/p", cache: "/c", folder: "/c/1", urls: urls)
    }

    @Test("Each kind has its line") func lines() throws {
        let check: JSONValue = [
            "recursive": true, "external": false, "fragments": false, "depth": 2, "max_pages": 50, "rate": 2,
            "include": ["*/docs/*"], "exclude": ["*.pdf", " "],
        ]
        #expect(
            try line("check", check) == [
                "/p", "check", "--progress=json", "--state=/c/1/state", "--rate=2.0/s", "--depth=2",
                "--max-pages=50", "--include=*/docs/*", "--exclude=*.pdf", "--format=jsonl",
                "--list=/c/1/urls.txt", "--recursive", "--no-external", "--no-fragments",
            ]
        )
        #expect(
            try line("crawl", ["output": "cache"]) == [
                "/p", "crawl", "--progress=json", "--state=/c/1/state", "--jsonl", "--output=/c/", "--",
                "http://a.example/",
            ]
        )
        #expect(try line("crawl", [:]).contains("--output=/c/1/pages.warc.gz"))
        let batch: JSONValue = ["run": ["links", "text"], "recipe": "version: 1", "cache": "only"]
        #expect(
            try line("batch", batch) == [
                "/p", "batch", "--progress=json", "--state=/c/1/state", "--output=/c/1/out.jsonl",
                "--cache-dir=/c", "--cache-only", "--run=links", "--run=text --markdown",
                "--run=recipe=extract --recipe='/c/1/recipe.yaml'", "--", "/c/1/urls.txt",
            ]
        )
        #expect(
            try line("watch", ["interval": 600]) == [
                "/p", "watch", "--progress=json", "--state=/c/1/state", "--jsonl", "--cache-dir=/c",
                "--keep-history", "--every=600s", "--", "/c/1/list.yaml",
            ]
        )
    }

    @Test("Numbers are moved into their ranges") func numbers() throws {
        let least: JSONValue = ["depth": -1, "max_pages": 0, "rate": 0]
        let form = try JobForm(kind: "crawl", options: least)
        #expect((form.depth, form.maximumPages, form.rate) == (0, 1, 0.01))
        let most: JSONValue = ["depth": .number(1e300), "max_pages": .integer(.max), "rate": .number(1e300)]
        let other = try JobForm(kind: "crawl", options: most)
        #expect((other.depth, other.maximumPages, other.rate) == (100, 1_000_000, 100))
        #expect(try JobForm(kind: "watch", options: ["interval": 1]).interval == 10)
    }

    @Test("Nothing that is typed becomes a flag") func flags() throws {
        let options: JSONValue = [
            "include": ["--output=/etc/passwd"], "state": "/etc/passwd", "run": ["--shard"], "-o": "x",
        ]
        let words = try line("crawl", options)
        #expect(words.contains("--include=--output=/etc/passwd"))
        #expect(!words.contains { $0.hasPrefix("--output=/etc") || $0.hasPrefix("-o") })
        // A path with quotes is a word all the same.
        let form = try JobForm(kind: "batch", options: ["recipe": "x"])
        let line = form.line(program: "/p", cache: "/c", folder: "/c'd \"/1", urls: [])
        #expect(line.contains(#"--run=recipe=extract --recipe='/c'\''d "/1/recipe.yaml'"#))
    }

    @Test(
        arguments: [
            ("mirror", [:]), ("check", .null), ("check", ["depth": "2"]), ("check", ["recursive": 1]),
            ("check", ["include": "*"]), ("check", ["include": ["a\nb"]]), ("crawl", ["output": "/tmp/x"]),
            ("batch", [:]), ("batch", ["run": ["extract -r x"]]), ("batch", ["run": ["links", "links"]]),
            ("watch", ["interval": true]),
        ] as [(String, JSONValue)]
    )
    func `what no form sends is refused`(_ kind: String, _ options: JSONValue) throws {
        let error = try #require(throws: ServeError.self) { try JobForm(kind: kind, options: options) }
        #expect(error.status == 400)
    }

    @Test("Options are read again as they were") func again() throws {
        let requests: [(String, JSONValue)] = [
            (
                "check",
                [
                    "recursive": true, "external": false, "depth": 3, "exclude": ["*.pdf"],
                    "rate": .number(0.5),
                ]
            ),
            ("crawl", ["output": "cache", "max_pages": 9]),
            ("batch", ["run": ["meta"], "recipe": "version: 1", "recipe_name": "mine"]),
            ("watch", ["interval": 60]),
        ]
        for (kind, options) in requests {
            let form = try JobForm(kind: kind, options: options)
            #expect(try JobForm(kind: kind, options: form.json) == form)
        }
    }

    // MARK: - URLs

    @Test("URLs are of http or https, each once, and have no password") func urls() throws {
        let form = try JobForm(kind: "check", options: [:])
        let urls: JSONValue = [
            "urls": [" http://a.example ", "", "http://u:p@a.example/", "HTTPS://b.example/x#y"]
        ]
        #expect(try form.urls(urls) == ["http://a.example/", "https://b.example/x#y"])
        for text in ["file:///etc/passwd", "-", "--all", "javascript:1", "data:,x", "/etc/passwd"] {
            let error = try #require(throws: ServeError.self) {
                try form.urls(["urls": ["http://a.example/", .string(text)]])
            }
            #expect(error.code == "url.invalid")
        }
        #expect(throws: ServeError.self) { try form.urls(["urls": []]) }
        #expect(throws: ServeError.self) { try form.urls([:]) }
        let many: JSONValue = ["urls": .array((0...100).map { .string("http://a.example/\($0)") })]
        #expect(try form.urls(many).count == 101)
        #expect(throws: ServeError.self) { try JobForm(kind: "crawl", options: [:]).urls(many) }
    }

    @Test("A list that is watched is YAML, a recipe a file") func files() throws {
        let watch = try JobForm(kind: "watch", options: [:])
        let list = try watch.files(["http://a.example/"], [:])
        #expect(list.map(\.name) == ["urls.txt", "list.yaml"])
        #expect(
            String(decoding: list[1].bytes, as: UTF8.self) == #"{"version":1,"watch":["http://a.example/"]}"#
        )
        let options: JSONValue = ["recipe": "version: 1"]
        let batch = try JobForm(kind: "batch", options: options)
        let files = try batch.files(["http://a.example/", "http://b.example/"], options)
        #expect(
            files.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "http://a.example/\nhttp://b.example/\n", "version: 1",
            ]
        )
        #expect(
            batch.title(["http://a.example/", "http://b.example/"]) == "Batch http://a.example/ and 1 more"
        )
        let long = [String](repeating: "http://a.example/" + String(repeating: "x", count: 8000), count: 200)
        #expect(throws: ServeError.self) { try watch.files(long, [:]) }
    }
}
