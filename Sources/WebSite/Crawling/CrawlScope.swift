public import WebStandards
import WebTransport

/// The pages that belong to a crawl.
///
///     var scope = CrawlScope(.host, around: [try WebURL("https://example.com/docs/")])
///     scope.exclude("*/print/*")
///     scope.contains(try WebURL("https://example.com/blog/"))     // true: the same host
///
/// The resources that a page needs to be shown (images, style sheets, scripts) need not be in the scope, but must not
/// be excluded.
public struct CrawlScope: Sendable {
    /// How far a crawl goes beyond its seeds.
    public enum Extent: String, Sendable, CaseIterable {
        /// The hosts of the seeds, each with its port; http and https alike.
        case host
        /// The registrable domains of the seeds by the Public Suffix List, such as "example.co.uk" for
        /// "www.example.co.uk"; for an IP address, that address.
        case domain
        /// The folders of the seeds: every URL that begins with a seed up to the last "/" of its path.
        case prefix
        /// Everything that pages link to.
        case any
    }

    /// Why a URL is not in the scope.
    public enum Exclusion: String, Sendable {
        /// The URL is outside of the extent of all seeds.
        case outside = "scope.outside"
        /// The URL matches an excluding pattern.
        case excluded = "scope.excluded"
        /// The URL matches no including pattern.
        case notIncluded = "scope.not-included"
        /// The URL has a scheme that cannot be loaded.
        case scheme = "scope.scheme"
    }

    /// How far the crawl goes beyond its seeds.
    public let extent: Extent

    /// The hosts, domains or prefixes of the seeds.
    private var places: Set<String> = []
    private var included: [URLPattern] = []
    private var excluded: [URLPattern] = []

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - extent: How far the crawl goes beyond the seeds.
    ///   - seeds: The seeds.
    public init(_ extent: Extent, around seeds: [WebURL] = []) {
        self.extent = extent
        for seed in seeds { add(seed) }
    }

    /// Adds a seed.
    public mutating func add(_ seed: WebURL) {
        places.insert(Self.place(of: seed, extent))
    }

    /// Limits the scope to pages that match this or another including pattern; "*" matches any characters, including
    /// "/".
    public mutating func include(_ pattern: String) { included.append(URLPattern(pattern)) }

    /// Excludes URLs that match the pattern, as pages and as resources; "*" matches any characters, including "/".
    public mutating func exclude(_ pattern: String) { excluded.append(URLPattern(pattern)) }

    /// Whether a page is in the scope.
    public func contains(_ url: WebURL) -> Bool { exclusion(of: url) == nil }

    /// Returns why a page is not in the scope; `nil` if it is.
    public func exclusion(of url: WebURL) -> Exclusion? {
        if let exclusion = exclusion(ofResource: url) { return exclusion }
        guard isAround(url) else { return .outside }
        guard included.isEmpty || included.contains(where: { $0.matches(Self.text(url)) }) else {
            return .notIncluded
        }
        return nil
    }

    /// Returns why a resource of a page is not loaded; `nil` if it is.
    ///
    /// Resources of the web may be anywhere. Files have to be in the extent of the seeds: a downloaded page must not
    /// include other files of this machine in what is published.
    public func exclusion(ofResource url: WebURL) -> Exclusion? {
        guard ["http", "https", "file"].contains(url.scheme) else { return .scheme }
        if url.scheme == "file", !isAround(url) { return .outside }
        guard !excluded.isEmpty else { return nil }
        let text = Self.text(url)
        return excluded.contains { $0.matches(text) } ? .excluded : nil
    }

    private func isAround(_ url: WebURL) -> Bool {
        switch extent {
        case .any: return true
        case .host where url.scheme != "file": return places.contains(Self.place(of: url, .host))
        case .domain where url.scheme != "file": return places.contains(Self.place(of: url, .domain))
        case .host, .domain, .prefix:
            // Looks up each folder above the URL, instead of comparing each seed.
            let text = Array(Self.withoutQuery(url))
            for index in text.indices where text[index] == UInt8(ascii: "/") {
                if places.contains(String(decoding: text[...index], as: UTF8.self)) { return true }
            }
            return false
        }
    }

    // MARK: - Places

    /// Returns the host, domain or prefix of a seed.
    private static func place(of url: WebURL, _ extent: Extent) -> String {
        // Files have no host; their folder is used instead.
        guard url.scheme != "file" else { return folder(of: url) }
        switch extent {
        case .any: return ""
        case .host: return url.hostAndPort
        case .domain: return PublicSuffix.registrableDomain(of: url.hostname) ?? url.hostname
        case .prefix: return folder(of: url)
        }
    }

    /// Returns a URL up to the last "/" of its path.
    private static func folder(of url: WebURL) -> String {
        let text = withoutQuery(url)
        guard let slash = text.lastIndex(of: UInt8(ascii: "/")) else { return String(Substring(text[...])) }
        return String(Substring(text[...slash]))
    }

    private static func withoutQuery(_ url: WebURL) -> Substring.UTF8View {
        let text = text(url)
        return text.utf8.prefix { $0 != UInt8(ascii: "?") }
    }

    private static func text(_ url: WebURL) -> String { url.withoutCredentials.withoutFragment.href }
}
