public import WebStandards
import WebTransport

/// Which pages belong to a crawl.
///
///     var scope = CrawlScope(.host, around: [try WebURL("https://example.com/docs/")])
///     scope.exclude("*/print/*")
///     scope.contains(try WebURL("https://example.com/blog/"))     // true: the same host
///
/// What a page needs to be shown (images, style sheets, scripts) does not have to be in it, only not excluded.
public struct CrawlScope: Sendable {
    /// How far around its seeds a crawl goes.
    public enum Extent: String, Sendable, CaseIterable {
        /// The hosts of the seeds, each with its port; http and https alike.
        case host
        /// The registrable domains of the seeds, as "example.co.uk" of "www.example.co.uk", by the Public Suffix List; of an
        /// address, that address.
        case domain
        /// The folders of the seeds: all that begins with a seed up to its path's last "/".
        case prefix
        /// Everything that is linked.
        case any
    }

    /// Why a URL is not in the scope.
    public enum Exclusion: String, Sendable {
        /// It is not around any seed.
        case outside = "scope.outside"
        /// It matches a pattern that excludes.
        case excluded = "scope.excluded"
        /// It matches no pattern that includes.
        case notIncluded = "scope.not-included"
        /// Its scheme cannot be loaded.
        case scheme = "scope.scheme"
    }

    /// How far around its seeds it goes.
    public let extent: Extent

    /// What the seeds allow: hosts, domains, or prefixes.
    private var places: Set<String> = []
    private var included: [URLPattern] = []
    private var excluded: [URLPattern] = []

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - extent: How far it goes.
    ///   - seeds: Around what.
    public init(_ extent: Extent, around seeds: [WebURL] = []) {
        self.extent = extent
        for seed in seeds { add(seed) }
    }

    /// Adds a seed.
    public mutating func add(_ seed: WebURL) {
        places.insert(Self.place(of: seed, extent))
    }

    /// Only pages that match this pattern, or another one that includes, are in it; "*" matches any characters, also "/".
    public mutating func include(_ pattern: String) { included.append(URLPattern(pattern)) }

    /// No URL that matches this pattern is in it, nor loaded for a page; "*" matches any characters, also "/".
    public mutating func exclude(_ pattern: String) { excluded.append(URLPattern(pattern)) }

    /// Whether a page is in it.
    public func contains(_ url: WebURL) -> Bool { exclusion(of: url) == nil }

    /// Why a page is not in it; nil if it is.
    public func exclusion(of url: WebURL) -> Exclusion? {
        if let exclusion = exclusion(ofResource: url) { return exclusion }
        guard isAround(url) else { return .outside }
        guard included.isEmpty || included.contains(where: { $0.matches(Self.text(url)) }) else {
            return .notIncluded
        }
        return nil
    }

    /// Why a resource of a page is not loaded; nil if it is.
    ///
    /// Those of the web may be anywhere. Of files only those around the seeds are loaded: a page that was downloaded must not bring
    /// others of this machine into what is passed on.
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
            // Each folder above it is looked up, not each seed.
            let text = Array(Self.withoutQuery(url))
            for index in text.indices where text[index] == UInt8(ascii: "/") {
                if places.contains(String(decoding: text[...index], as: UTF8.self)) { return true }
            }
            return false
        }
    }

    // MARK: - Places

    /// What a seed allows.
    private static func place(of url: WebURL, _ extent: Extent) -> String {
        // Files have no host: the folder stands for it.
        guard url.scheme != "file" else { return folder(of: url) }
        switch extent {
        case .any: return ""
        case .host: return url.hostAndPort
        case .domain: return PublicSuffix.registrableDomain(of: url.hostname) ?? url.hostname
        case .prefix: return folder(of: url)
        }
    }

    /// A URL up to the last "/" of its path.
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
