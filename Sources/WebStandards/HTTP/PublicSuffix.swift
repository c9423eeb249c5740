import CPublicSuffix

/// Public suffixes: domains under which anyone can register a name, so that no cookie may cover one.
package enum PublicSuffix {
    /// Whether a domain is a public suffix, with or without a trailing dot; if the list is not available,
    /// whether it has only one label.
    package static func contains(_ domain: String) -> Bool {
        var name = domain.utf8[...]
        while name.last == UInt8(ascii: ".") { name.removeLast() }
        // The root itself.
        guard !name.isEmpty else { return true }
        let answer = unsafe webl_is_public_suffix(String(Substring(name)))
        return answer < 0 ? !name.contains(UInt8(ascii: ".")) : answer > 0
    }
}
