import Glibc
import WebLoader

/// Parses and resolves the links of real pages, as the library does and as libcurl does.
enum URLBenchmark {
    /// `urls [FOLDER] [ROUNDS]`.
    static func run(_ arguments: [String]) async throws {
        let folder = arguments.first ?? "../shared/conformance/pages/pages"
        let rounds = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 51
        guard rounds > 0 else { throw BenchmarkError("\(arguments[1]): not a number of rounds") }
        let pages = try await pages(in: folder)
        let links = pages.reduce(0) { $0 + $1.references.count }
        guard links > 0 else { throw BenchmarkError("\(folder): no page with links") }
        print("\(links) links of \(pages.count) pages in \(folder), medians of \(rounds) rounds")
        report(
            "resolve",
            Measurement.compare(
                items: links,
                rounds: rounds,
                [
                    { resolve(pages) }, { resolveByCurl(pages) },
                ]
            )
        )
        let absolute = pages.flatMap { page in
            page.references.compactMap { try? WebURL($0, base: page.base).href }
        }
        report(
            "parse",
            Measurement.compare(
                items: absolute.count,
                rounds: rounds,
                [
                    { parse(absolute) }, { parseByCurl(absolute) },
                ]
            )
        )
        print("refused: \(refused(pages)), by curl_url: \(refusedByCurl(pages))")
    }

    private static func report(_ name: String, _ measurements: [Measurement]) {
        for (subject, measurement) in zip(["WebURL", "curl_url"], measurements) {
            print(
                "\(name) \(subject): \(Int(measurement.rate)) URLs/s, \(Int(measurement.nanoseconds.rounded())) ns and "
                    + "\((measurement.allocations * 100).rounded() / 100) allocations a URL"
            )
        }
        let ratio = measurements[1].nanoseconds / measurements[0].nanoseconds
        print("\(name): \((ratio * 100).rounded() / 100) times as fast as curl_url")
    }

    // MARK: - The links

    private struct PageLinks {
        let base: WebURL
        let curlBase: CurlURL
        let references: [String]
    }

    private static func pages(in folder: String) async throws -> [PageLinks] {
        var pages: [PageLinks] = []
        for page in try await BenchmarkPages.load(from: folder) {
            guard let curlBase = CurlURL(page.baseURL.href) else { continue }
            pages.append(
                PageLinks(base: page.baseURL, curlBase: curlBase, references: try page.links.map(\.reference))
            )
        }
        return pages
    }

    // MARK: - What is measured

    private static func resolve(_ pages: [PageLinks]) {
        var length = 0
        for page in pages {
            for reference in page.references {
                if let url = try? WebURL(reference, base: page.base) { length &+= url.href.utf8.count }
            }
        }
        keep(length)
    }

    private static func resolveByCurl(_ pages: [PageLinks]) {
        var length = 0
        for page in pages {
            for reference in page.references {
                length &+= unsafe reference.withCString { unsafe page.curlBase.resolvedLength($0) } ?? 0
            }
        }
        keep(length)
    }

    private static func parse(_ urls: [String]) {
        var length = 0
        for url in urls {
            if let url = try? WebURL(url) { length &+= url.href.utf8.count }
        }
        keep(length)
    }

    private static func parseByCurl(_ urls: [String]) {
        var length = 0
        for url in urls { length &+= unsafe url.withCString { unsafe CurlURL.parsedLength($0) } ?? 0 }
        keep(length)
    }

    private static func refused(_ pages: [PageLinks]) -> Int {
        pages.reduce(0) { count, page in
            count + page.references.count { (try? WebURL($0, base: page.base)) == nil }
        }
    }

    private static func refusedByCurl(_ pages: [PageLinks]) -> Int {
        pages.reduce(0) { count, page in
            count
                + page.references.count { reference in
                    unsafe reference.withCString { unsafe page.curlBase.resolvedLength($0) } == nil
                }
        }
    }

    /// Has the optimizer believe that a result is used.
    @inline(never)
    private static func keep(_ value: Int) {
        if value == .min { print(value) }
    }
}
