package import WebLoader
package import WebStandards

/// A robots.txt that was asked for, and what came of it.
package struct RobotsFile: Sendable {
    /// What was asked for.
    package let url: WebURL

    /// What answered, after redirects.
    package private(set) var finalURL: WebURL

    /// The status of the answer; nil if there is none, as for a file.
    package private(set) var status: Int?

    /// Why there is no answer.
    package internal(set) var error: LoadError?

    /// What holds for the site.
    package internal(set) var rules = RobotsRules.allDisallowed

    init(url: WebURL) {
        self.url = url
        finalURL = url
    }

    mutating func note(_ head: WebResponse) {
        finalURL = head.url
        status = head.status?.code
    }

    /// The site's sitemaps, each once: those that the file names, else `/sitemap.xml`.
    package var sitemaps: [WebURL] {
        var known: Set<WebURL> = []
        let named = rules.sitemaps.compactMap { $0.url(relativeTo: finalURL) }
            .filter { ["http", "https"].contains($0.scheme) && known.insert($0.withoutFragment).inserted }
        guard named.isEmpty else { return named }
        // What is relative to a URL with a host is a URL.
        return (try? WebURL("/sitemap.xml", base: url)).map { [$0] } ?? []
    }

    /// Where a site has its robots.txt; nil if it is neither of http nor of https.
    package static func location(ofSite url: WebURL) -> WebURL? {
        guard url.scheme == "http" || url.scheme == "https" else { return nil }
        // What is relative to a URL with a host is a URL.
        return try? WebURL("/robots.txt", base: url)
    }

    /// As much of a body as matters.
    static func body(_ response: StreamedResponse) async throws(LoadError) -> [UInt8] {
        var body: [UInt8] = []
        for try await piece in response.body {
            body += piece
            if body.count > RobotsRules.maximumSize { break }
        }
        return body
    }
}
