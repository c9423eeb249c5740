package import WebLoader
package import WebStandards

/// The result of a request for a robots.txt.
package struct RobotsFile: Sendable {
    /// The URL that was requested.
    package let url: WebURL

    /// The URL of the response, after redirects.
    package private(set) var finalURL: WebURL

    /// The status of the response; `nil` without a response or a status, as for a file.
    package private(set) var status: Int?

    /// The error, if there is no response.
    package internal(set) var error: LoadError?

    /// The rules that hold for the site.
    package internal(set) var rules = RobotsRules.allDisallowed

    init(url: WebURL) {
        self.url = url
        finalURL = url
    }

    mutating func note(_ head: WebResponse) {
        finalURL = head.url
        status = head.status?.code
    }

    /// The site's sitemaps, each once: those that the file names, otherwise `/sitemap.xml`.
    package var sitemaps: [WebURL] {
        var known: Set<WebURL> = []
        let named = rules.sitemaps.compactMap { $0.url(relativeTo: finalURL) }
            .filter { ["http", "https"].contains($0.scheme) && known.insert($0.withoutFragment).inserted }
        guard named.isEmpty else { return named }
        // This never fails: the base has a host.
        return (try? WebURL("/sitemap.xml", base: url)).map { [$0] } ?? []
    }

    /// Returns the URL of a site's robots.txt; `nil` if its scheme is neither http nor https.
    package static func location(ofSite url: WebURL) -> WebURL? {
        guard url.scheme == "http" || url.scheme == "https" else { return nil }
        // This never fails: the base has a host.
        return try? WebURL("/robots.txt", base: url)
    }

    /// Reads the part of a body that is parsed.
    static func body(_ response: StreamedResponse) async throws(LoadError) -> [UInt8] {
        var body: [UInt8] = []
        for try await piece in response.body {
            body += piece
            if body.count > RobotsRules.maximumSize { break }
        }
        return body
    }
}
