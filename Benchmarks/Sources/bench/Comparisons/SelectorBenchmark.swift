import ArgumentParser
import CTreeWalk
import WebLoader

/// Selects from real pages, with the library and with a walk in C over libxml2's own trees.
struct SelectorBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selectors",
        abstract: "Selectors: the library and walks in C."
    )

    /// The selectors whose matches are counted; `Benchmarks/suite/peers/selecting.py` selects the same.
    private static let selectors = [
        "#main", "div > p", "ul li a", "p:nth-child(2n+1)", "div:has(> p)", "[class*=\"nav\"]",
    ]

    @OptionGroup var pages: PageFolder

    @Option(help: "How many rounds.")
    var rounds = 21

    func run() async throws {
        var documents: [Document] = []
        var trees: [PlainTree] = []
        for page in try await pages.load() {
            guard let document = page.document, let tree = PlainTree(page.response.body) else { continue }
            documents.append(document)
            trees.append(tree)
        }
        let links = try Selector("a[href]")
        try await compare(
            "a[href], the attribute read",
            [
                .init("WebLoader") {
                    Comparison.keep(documents.reduce(0) { $0 + length(of: links, in: $1) })
                },
                .init("walk in C") { Comparison.keep(trees.reduce(0) { $0 + $1.linkLength }) },
            ]
        )
        let content = try Selector(".content")
        try await compare(
            ".content",
            [
                .init("WebLoader") { count(content, in: documents) },
                .init("walk in C") { Comparison.keep(trees.reduce(0) { $0 + $1.count(class: "content") }) },
            ]
        )
        for text in Self.selectors {
            let selector = try Selector(text)
            try await compare(text, [.init("WebLoader") { count(selector, in: documents) }])
        }
    }

    private func compare(_ name: String, _ subjects: [Comparison.Subject]) async throws {
        try await Comparison(benchmark: "selectors", name: name, unit: "all pages", rounds: rounds).run(
            subjects
        )
    }

    private func length(of selector: Selector, in document: Document) -> Int {
        var length = 0
        var cursor = document.elements(matching: selector)
        // The selectors of this benchmark exceed no limit.
        while let element = try? cursor.next() { length += element.attribute("href")?.utf8.count ?? 0 }
        return length
    }

    private func count(_ selector: Selector, in documents: [Document]) {
        Comparison.keep(documents.reduce(0) { $0 + ((try? $1.querySelectorAll(selector).count) ?? 0) })
    }
}

/// A page as parsed by libxml2's own parser.
@safe private struct PlainTree {
    private let document: UnsafeMutableRawPointer

    init?(_ bytes: [UInt8]) {
        let parsed = unsafe bytes.withUnsafeBytes { bytes in
            unsafe tree_walk_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard let parsed = unsafe parsed else { return nil }
        unsafe document = parsed
    }

    var linkLength: Int { unsafe tree_walk_links(document) }

    func count(class word: String) -> Int { unsafe tree_walk_class(document, word) }
}
