import CCountingMarks
import Glibc
import Synchronization
import WebLoader

/// A fixed job, for counting the processor's instructions: see `Scripts/instructions`.
///
/// Instructions between `counting_begins` and `counting_ends` are counted; the preparation before is not. The work of a
/// job never changes; new work gets a new name.
enum InstructionJob: String {
    case urls, decode, parse, serialize, select, report, cache, rules

    /// Runs the job on this thread: callgrind does not follow the threads of the pool.
    func runHere() {
        let isDone = Mutex(false)
        Task.immediate {
            do {
                try await run()
            } catch {
                print("bench: \(error)")
                exit(2)
            }
            isDone.withLock { $0 = true }
        }
        guard isDone.withLock({ $0 }) else {
            print("bench: \(rawValue) has left its thread")
            exit(2)
        }
    }

    private func run() async throws {
        switch self {
        case .urls: try urls()
        case .decode: try await decode()
        case .parse: try await parse()
        case .serialize: try await onPage { page in page.document?.markup().utf8.count ?? 0 }
        case .select: try await select()
        case .report: try await onPage { page in PageReport(page).serialized().count }
        case .cache: try await cache()
        case .rules: try await rules()
        }
    }

    // MARK: - The jobs

    private func urls() throws {
        let base = try WebURL("https://user@www.example.com:8080/a/b/c.html?query#fragment")
        let references = (0..<500).flatMap { index in
            [
                "../item/\(index)?ref=x", "https://WWW.Example.com/%7Euser/\(index)/./a/../b",
                "//cdn.example.net/\(index).js",
                "#part-\(index)", "?page=\(index)&q=a b", "https://b\u{FC}cher.example/\(index)",
            ]
        }
        let resolve = { references.reduce(0) { $0 + ((try? WebURL($1, base: base))?.href.utf8.count ?? 0) } }
        Comparison.keep(resolve())
        counting_begins()
        Comparison.keep(resolve())
        counting_ends()
    }

    private func decode() async throws {
        // Cyrillic letters of windows-1251 and markup between them.
        let word = (0xC0...0xFF).map { UInt8($0) }
        var bytes = Array("<meta charset=windows-1251><title>x</title>".utf8)
        while bytes.count < 300_000 { bytes += Array("<p class=x>".utf8) + word + word }
        let loader = Self.loader()
        func load() async throws {
            let page = try await loader.loadData(
                bytes,
                mimeType: "text/html",
                textEncodingName: nil,
                baseURL: .aboutBlank
            ).parsed()
            Comparison.keep(page.wholeText?.text.utf8.count ?? 0)
        }
        try await measure(load)
    }

    private func parse() async throws {
        let markup = SyntheticPage.articles(bytes: 300_000)
        let loader = Self.loader()
        try await measure {
            let page = try await loader.loadHTMLString(markup, baseURL: nil).parsed()
            Comparison.keep(page.document == nil ? 1 : 0)
        }
    }

    private func select() async throws {
        let selectors = try ["a[href]", ".lead", "article > p b", "li:nth-child(2n)", "article:has(> ul)"]
            .map { try Selector($0) }
        try await onPage { page in
            try selectors.reduce(0) { $0 + (try page.document?.querySelectorAll($1).count ?? 0) }
        }
    }

    private func cache() async throws {
        let cache = try await BenchmarkCache(entries: 100)
        try await measure { try await cache.hit(500, among: 100) }
        try cache.remove()
    }

    private func rules() async throws {
        let recipe = try Recipe(RulesBenchmark.recipe)
        var options = ExtractionOptions()
        options.isolation = .none
        let page = try await Self.page()
        try await measure {
            let extraction = try await page.extract(recipe, options: options)
            guard extraction.errors.isEmpty else { throw BenchmarkError("\(extraction.errors)") }
        }
    }

    // MARK: - Counted work

    private static func loader() -> PageLoader {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.blockingWork = .inline
        return PageLoader(configuration: configuration)
    }

    private static func page() async throws -> Page {
        try await loader().loadHTMLString(
            SyntheticPage.articles(bytes: 300_000),
            baseURL: WebURL("https://www.example.com/a/b.html")
        )
    }

    private func onPage(_ work: (ParsedPage) throws -> Int) async throws {
        let page = try await Self.page().parsed()
        try await measure { Comparison.keep(try work(ParsedPage(treeOf: page))) }
    }

    /// Runs the work twice and counts the second run: the first one fills caches that are filled once.
    private func measure(_ work: () async throws -> Void) async throws {
        try await work()
        counting_begins()
        try await work()
        counting_ends()
    }
}
