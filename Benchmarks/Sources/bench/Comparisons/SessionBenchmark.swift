import ArgumentParser
import WebBrowsing

/// The work of a session between two pages: going back from memory and from the folder of pages, finding text,
/// restoring.
struct SessionBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Going back, finding text, restoring a session, beside a parse and plain reads."
    )

    @Option(help: "How many rounds.")
    var rounds = 11

    func run() async throws {
        let folder = try TemporaryFolder.make()
        defer { try? TemporaryFolder.remove(folder) }
        try await goingBack(folder)
        try await finding()
        try await restoring(folder)
    }

    private func session(_ folder: String?, trees: Int) throws -> PageSession {
        var configuration = PageSession.Configuration()
        configuration.loader.cacheDirectory = nil
        configuration.pagesDirectory = folder
        configuration.maximumTrees = trees
        return try PageSession(configuration: configuration)
    }

    private static func response(_ number: Int, bytes: Int) throws -> WebResponse {
        var response = WebResponse(
            url: try WebURL("http://127.0.0.1/\(number)"),
            status: .ok,
            body: Array(SyntheticPage.articles(bytes: bytes).utf8),
            source: .memory
        )
        response.headerFields[.contentType] = "text/html; charset=utf-8"
        return response
    }

    /// Measures going back and forward between two pages of 100 KB.
    private func goingBack(_ folder: String) async throws {
        let (memory, disk) = (try session(nil, trees: 4), try session("\(folder)/pages", trees: 0))
        for session in [memory, disk] {
            for number in 1...2 {
                try await session.loadSimulated(try Self.response(number, bytes: 100_000))
            }
        }
        let page = try await memory.page?.parsed()
        var comparison = Comparison(
            benchmark: "session",
            name: "back, a page of 100 KB",
            unit: "page",
            rounds: rounds
        )
        comparison.items = 40
        func turns(_ session: PageSession) async throws {
            for _ in 0..<20 {
                Comparison.keep(try await session.goBack()?.entry.id ?? 0)
                Comparison.keep(try await session.goForward()?.entry.id ?? 0)
            }
        }
        try await comparison.run([
            Comparison.Subject("from memory") { try await turns(memory) },
            Comparison.Subject("from the folder of pages") { try await turns(disk) },
            Comparison.Subject("parsing it, alone") {
                guard let page else { return }
                for _ in 0..<40 { Comparison.keep(try ParsedPage(again: page.facts).document == nil ? 0 : 1) }
            },
        ])
    }

    /// Measures finding text in a page of 1 MB.
    private func finding() async throws {
        let session = try session(nil, trees: 4)
        try await session.loadSimulated(try Self.response(1, bytes: 1_000_000))
        guard let page = try await session.page?.parsed() else { return }
        var words = ""
        try await Comparison(
            benchmark: "session",
            name: "find in a page of 1 MB",
            unit: "search",
            rounds: rounds
        ).run([
            Comparison.Subject("the first search, with gathering the text") {
                guard let text = FindableText(page) else { return }
                let found = text.occurrences(of: "budget tree", options: FindOptions())
                Comparison.keep(text.match(found.count - 1, of: found)?.start.offset ?? 0)
            },
            Comparison.Subject("a search after that, to the last of 1,000 places") {
                var backwards = PageSession.FindConfiguration()
                backwards.isBackwards = true
                words = words == "budget TREE" ? "rule budget" : "budget TREE"
                Comparison.keep(try await session.find(words, configuration: backwards)?.start.offset ?? 0)
            },
            Comparison.Subject("all of 1,000 places with line and column") {
                Comparison.keep(try await session.matches(of: "budget tree").count)
            },
            Comparison.Subject("reading its bytes once") {
                Comparison.keep(page.response.body.count { $0 == 0x3C })
            },
        ])
    }

    /// Measures restoring a session of 50 pages and one of 1,000 from their states.
    private func restoring(_ folder: String) async throws {
        for count in [50, 1_000] {
            let pages = "\(folder)/restored-\(count)"
            var state: [UInt8] = []
            do {
                let session = try session(pages, trees: 0)
                for number in 0..<count {
                    try await session.loadSimulated(try Self.response(number, bytes: 1_000))
                }
                state = await session.interactionState
            }
            let bytes = state
            try await Comparison(
                benchmark: "session",
                name: "restoring \(count) entries (\(bytes.count / 1000) KB)",
                unit: "session",
                rounds: rounds
            ).run([
                Comparison.Subject("PageSession") {
                    var configuration = PageSession.Configuration()
                    configuration.loader.cacheDirectory = nil
                    configuration.pagesDirectory = pages
                    let session = try PageSession(configuration: configuration, interactionState: bytes)
                    Comparison.keep(await session.history.entries.count)
                },
                Comparison.Subject("its JSON, alone") {
                    Comparison.keep(try JSONValue(parsing: bytes)["entries"] == nil ? 0 : 1)
                },
            ])
        }
    }
}
