import CTreeWalk
import Glibc
import WebLoader

/// Selects from real pages, as the library does and as a walk in C does.
enum SelectorBenchmark {
    /// `selectors [FOLDER] [ROUNDS]`.
    static func run(_ arguments: [String]) async throws {
        let folder = arguments.first ?? "../shared/conformance/pages/pages"
        let rounds = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 51
        guard rounds > 0 else { throw BenchmarkError("\(arguments[1]): not a number of rounds") }
        var documents: [Document] = []
        var trees: [OpaquePages.Tree] = []
        for page in try await BenchmarkPages.load(from: folder) {
            guard let document = try page.document, let tree = OpaquePages.Tree(page.response.body) else {
                continue
            }
            documents.append(document)
            trees.append(tree)
        }
        guard !documents.isEmpty else { throw BenchmarkError("\(folder): no pages") }
        print(
            "\(documents.count) pages in \(folder), medians of \(rounds) rounds, ms of processor time for all pages"
        )
        let links = try Selector("a[href]")
        report(
            "a[href], the attribute read",
            rounds,
            { documents.reduce(0) { $0 + length(of: links, in: $1) } },
            { trees.reduce(0) { $0 + $1.linkLength } }
        )
        let content = try Selector(".content")
        report(
            ".content",
            rounds,
            { documents.reduce(0) { $0 + count(content, in: $1) } },
            { trees.reduce(0) { $0 + $1.count(class: "content") } }
        )
        for text in [
            "#main", "div > p", "ul li a", "p:nth-child(2n+1)", "div:has(> p)", "[class*=\"nav\"]",
        ] {
            let selector = try Selector(text)
            report(text, rounds, { documents.reduce(0) { $0 + count(selector, in: $1) } }, nil)
        }
        try await scaling(rounds: 5)
    }

    /// The time for pages that grow tenfold.
    private static func scaling(rounds: Int) async throws {
        for text in ["div:has(.missing)", "p:nth-child(2n+1)", ":nth-last-of-type(2)", ".missing ~ p"] {
            let selector = try Selector(text)
            var times: [Double] = []
            for size in [10_000, 100_000] {
                let markup = "<!DOCTYPE html><div>" + String(repeating: "<p class=x></p>", count: size)
                let page = try await PageLoader().loadHTMLString(markup, baseURL: nil)
                guard let document = try page.document else { continue }
                let measured = Measurement.compare(
                    items: 1,
                    rounds: rounds,
                    [{ keep(count(selector, in: document)) }]
                )
                times.append(measured[0].nanoseconds / 1e6)
            }
            print("\(text) on 10,000 and 100,000 siblings: \(times.map(rounded)) ms")
        }
    }

    private static func report(
        _ name: String,
        _ rounds: Int,
        _ ours: @escaping () -> Int,
        _ walk: (() -> Int)?
    ) {
        var candidates: [() -> Void] = [{ keep(ours()) }]
        if let walk { candidates.append { keep(walk()) } }
        let times = Measurement.compare(items: 1, rounds: rounds, candidates).map { $0.nanoseconds / 1e6 }
        print(
            "\(name): \(rounded(times[0])) ms"
                + (times.count > 1 ? ", a walk in C \(rounded(times[1])) ms" : "")
        )
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    private static func length(of selector: Selector, in document: Document) -> Int {
        var length = 0
        var cursor = document.elements(matching: selector)
        // A selector of this benchmark meets no limit.
        while let element = try? cursor.next() { length += element.attribute("href")?.utf8.count ?? 0 }
        return length
    }

    private static func count(_ selector: Selector, in document: Document) -> Int {
        (try? document.querySelectorAll(selector).count) ?? 0
    }

    /// Has the optimizer believe that a result is used.
    @inline(never)
    private static func keep(_ value: Int) {
        if value == .min { print(value) }
    }
}

/// Pages as libxml2's own parser makes them.
enum OpaquePages {
    @safe struct Tree {
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
}
