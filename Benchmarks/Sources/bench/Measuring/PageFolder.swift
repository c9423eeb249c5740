import ArgumentParser
import Glibc
import WebLoader

/// The pages of a folder, loaded.
struct PageFolder: ParsableArguments {
    @Option(name: .customLong("pages"), help: "A folder of pages (*.html).")
    var folder = "Fixtures/html"

    /// Loads every `*.html` in order of the names, each with its own base URL, without a cache.
    func load() async throws -> [ParsedPage] {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        let loader = PageLoader(configuration: configuration)
        var pages: [ParsedPage] = []
        for name in try names() where name.hasSuffix(".html") {
            pages.append(
                try await loader.load(
                    WebRequest(url: WebURL(filePath: try absolute(name))),
                    overriding: ContentOverrides(
                        baseURL: try WebURL("http://www.example.org/\(name)/page.html")
                    )
                ).parsed()
            )
        }
        guard !pages.isEmpty else { throw BenchmarkError("\(folder): no pages") }
        return pages
    }

    private func absolute(_ name: String) throws -> String {
        let path = "\(folder)/\(name)"
        guard let resolved = unsafe realpath(path, nil) else { throw BenchmarkError("\(path): not found") }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private func names() throws -> [String] {
        guard let directory = unsafe opendir(folder) else { throw BenchmarkError("\(folder): no folder") }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            names.append(
                unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
            )
        }
        return names.sorted()
    }
}
