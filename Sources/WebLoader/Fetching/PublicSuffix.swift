import CCurl

/// Domains under which anybody may have a name, so that no cookie is for all of one.
enum PublicSuffix {
    /// Whether a domain is one; without the list, whether it has no dot.
    static func contains(_ domain: String) -> Bool {
        let answer = unsafe webl_is_public_suffix(domain)
        return answer < 0 ? !domain.utf8.contains(UInt8(ascii: ".")) : answer > 0
    }
}
