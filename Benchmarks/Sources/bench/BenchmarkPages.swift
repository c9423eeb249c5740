import Glibc
import WebLoader

/// The pages of a folder, loaded.
enum BenchmarkPages {
    /// Every `*.html`, by name, each with a base URL of its own.
    static func load(from folder: String) async throws -> [Page] {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        return try await load(from: folder, with: PageLoader(configuration: configuration))
    }

    /// The same, by a loader of the caller's.
    static func load(from folder: String, with loader: PageLoader) async throws -> [Page] {
        var pages: [Page] = []
        for name in try names(in: folder) where name.hasSuffix(".html") {
            pages.append(
                try await loader.load(
                    WebRequest(url: WebURL(filePath: try absolute("\(folder)/\(name)"))),
                    overriding: ContentOverrides(
                        baseURL: try WebURL("http://www.example.org/\(name)/page.html")
                    )
                )
            )
        }
        return pages
    }

    private static func absolute(_ path: String) throws -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw BenchmarkError("\(path): not found") }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func names(in folder: String) throws -> [String] {
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
