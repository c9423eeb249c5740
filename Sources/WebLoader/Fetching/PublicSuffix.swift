import CCurl

/// Domains under which anybody may have a name, so that no cookie is for all of one.
enum PublicSuffix {
    /// Whether a domain is one, with the root's dot at its end or without; without the list, whether it has one label.
    static func contains(_ domain: String) -> Bool {
        var name = domain.utf8[...]
        while name.last == UInt8(ascii: ".") { name.removeLast() }
        // The root itself.
        guard !name.isEmpty else { return true }
        let answer = unsafe webl_is_public_suffix(String(Substring(name)))
        return answer < 0 ? !name.contains(UInt8(ascii: ".")) : answer > 0
    }
}
