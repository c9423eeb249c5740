import ArgumentParser
import WebLoader

/// Parses and resolves the links of real pages, with the library and with libcurl.
struct URLBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "urls",
        abstract: "URLs: WebURL and libcurl's curl_url."
    )

    @OptionGroup var pages: PageFolder

    @Option(help: "How many rounds.")
    var rounds = 51

    func run() async throws {
        let pages = try await links()
        let count = pages.reduce(0) { $0 + $1.references.count }
        guard count > 0 else { throw BenchmarkError("no page has links") }
        try await Comparison(benchmark: "urls", name: "resolve", unit: "URL", items: count, rounds: rounds)
            .run([
                .init("WebURL") { resolve(pages) }, .init("curl_url") { resolveByCurl(pages) },
            ])
        let absolute = pages.flatMap { page in
            page.references.compactMap { try? WebURL($0, base: page.base).href }
        }
        try await Comparison(
            benchmark: "urls",
            name: "parse",
            unit: "URL",
            items: absolute.count,
            rounds: rounds
        ).run([.init("WebURL") { parse(absolute) }, .init("curl_url") { parseByCurl(absolute) }])
    }

    // MARK: - The links

    private struct PageLinks {
        let base: WebURL
        let curlBase: CurlURL
        let references: [String]
    }

    private func links() async throws -> [PageLinks] {
        var links: [PageLinks] = []
        for page in try await pages.load() {
            guard let curlBase = CurlURL(page.baseURL.href) else { continue }
            links.append(
                PageLinks(base: page.baseURL, curlBase: curlBase, references: page.links.map(\.reference))
            )
        }
        return links
    }

    // MARK: - Measurements

    private func resolve(_ pages: [PageLinks]) {
        var length = 0
        for page in pages {
            for reference in page.references {
                if let url = try? WebURL(reference, base: page.base) { length &+= url.href.utf8.count }
            }
        }
        Comparison.keep(length)
    }

    private func resolveByCurl(_ pages: [PageLinks]) {
        var length = 0
        for page in pages {
            for reference in page.references {
                length &+= unsafe reference.withCString { unsafe page.curlBase.resolvedLength($0) } ?? 0
            }
        }
        Comparison.keep(length)
    }

    private func parse(_ urls: [String]) {
        var length = 0
        for url in urls {
            if let url = try? WebURL(url) { length &+= url.href.utf8.count }
        }
        Comparison.keep(length)
    }

    private func parseByCurl(_ urls: [String]) {
        var length = 0
        for url in urls { length &+= unsafe url.withCString { unsafe CurlURL.parsedLength($0) } ?? 0 }
        Comparison.keep(length)
    }
}
