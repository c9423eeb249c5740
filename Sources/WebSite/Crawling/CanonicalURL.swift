public import WebStandards

/// What makes two URLs the same page.
///
/// The fragment and a default port never count, and neither does how a character is percent-encoded (RFC 3986, section 6.2.2): "%7e"
/// is "~", "%c3" is "%C3". The order of parameters counts, as servers may mind it. Session IDs and the parameters by which
/// campaigns are followed count too, unless they are stripped.
public struct CanonicalURL: Hashable, Sendable {
    /// Whether parameters that are known for sessions and campaigns are left out; false by default.
    ///
    /// Such are `PHPSESSID`, `;jsessionid=`, `utm_source`, `gclid` and the like. It makes one page of what may be two.
    public var stripsSessions: Bool

    /// Whether a query that is empty, as of "/?", is none.
    ///
    /// RFC 3986, section 6.2.3, calls them different, servers do not.
    package var ignoresEmptyQuery = false

    /// Creates a form.
    public init(stripsSessions: Bool = false) {
        self.stripsSessions = stripsSessions
    }

    /// The key by which a URL is the same as another.
    public func key(of url: WebURL) -> String {
        let url = url.withoutFragment
        var text = Array(url.href.utf8)
        if stripsSessions { text = Self.stripped(url, text) }
        // A query may end with a mark of its own.
        if ignoresEmptyQuery, url.query == "", text.last == UInt8(ascii: "?") { text.removeLast() }
        return String(decoding: PercentNormalization.normalized(text), as: UTF8.self)
    }

    /// The URL that is asked for.
    func asked(_ url: WebURL) -> WebURL {
        var url = url.withoutFragment
        if ignoresEmptyQuery, url.query == "" { try? url.setSearch("") }
        return url
    }

    // MARK: - Sessions

    private static let names: Set<String> = [
        "phpsessid", "jsessionid", "sid", "sessionid", "session_id", "session", "sessid", "cfid", "cftoken",
        "zenid", "osCsid",
        "gclid", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid", "ttclid", "mc_cid",
        "mc_eid", "_ga", "_gl",
        "igshid",
    ].map { String(asciiLowercasing: $0.utf8) }.reduce(into: []) { $0.insert($1) }

    private static let prefixes = ["utm_", "aspsessionid"]

    private static func stripped(_ url: WebURL, _ text: [UInt8]) -> [UInt8] {
        let mark = text.firstIndex(of: UInt8(ascii: "?")) ?? text.count
        var result = withoutPathSession(text[..<mark])
        guard mark < text.count else { return result }
        let kept = text[(mark + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .filter { !isSession($0.prefix { $0 != UInt8(ascii: "=") }) }
        guard !kept.isEmpty else { return result }
        result.append(UInt8(ascii: "?"))
        result += kept.joined(separator: [UInt8(ascii: "&")])
        return result
    }

    private static func isSession(_ name: ArraySlice<UInt8>) -> Bool {
        let name = String(asciiLowercasing: name)
        return names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }

    /// Leaves out ";jsessionid=…" up to the segment's end, and a segment "(S(…))" as ASP.NET has it.
    private static func withoutPathSession(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var segments = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        segments.removeAll { segment in
            segment.starts(with: "(S(".utf8) && segment.suffix(2).elementsEqual("))".utf8)
        }
        for index in segments.indices {
            guard let mark = segments[index].firstIndex(of: UInt8(ascii: ";")) else { continue }
            let name = segments[index][(mark + 1)...].prefix { $0 != UInt8(ascii: "=") }
            if isSession(name) { segments[index] = segments[index][..<mark] }
        }
        return Array(segments.joined(separator: [UInt8(ascii: "/")]))
    }
}
