public import WebStandards

/// The rule by which two URLs are the same page.
///
/// The fragment and a default port never count, and neither does the percent-encoding of a character (RFC 3986, section
/// 6.2.2): "%7e" is "~", "%c3" is "%C3". The order of parameters counts, as it may matter to servers. Session IDs and
/// the parameters that track campaigns count too, unless they are stripped.
public struct CanonicalURL: Hashable, Sendable {
    /// Whether parameters that are known for sessions and campaigns are removed; false by default.
    ///
    /// Examples are `PHPSESSID`, `;jsessionid=`, `utm_source` and `gclid`. Different pages may be taken for one.
    public var stripsSessions: Bool

    /// Whether an empty query, as in "/?", is the same as a missing one.
    ///
    /// RFC 3986, section 6.2.3, distinguishes them; servers do not.
    package var ignoresEmptyQuery = false

    /// Creates a rule.
    public init(stripsSessions: Bool = false) {
        self.stripsSessions = stripsSessions
    }

    /// Returns the key of a URL; URLs with the same key are the same page.
    public func key(of url: WebURL) -> String {
        let url = url.withoutFragment
        var text = Array(url.href.utf8)
        if stripsSessions { text = Self.stripped(url, text) }
        // A query may itself end with "?".
        if ignoresEmptyQuery, url.query == "", text.last == UInt8(ascii: "?") { text.removeLast() }
        return String(decoding: PercentNormalization.normalized(text), as: UTF8.self)
    }

    /// Returns the URL to request.
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

    /// Removes ";jsessionid=…" up to the end of the segment, and a segment "(S(…))" as ASP.NET has it.
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
