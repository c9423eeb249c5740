extension Cookie {
    /// The maximum size of name and value together, in bytes.
    private static let maximumSize = 4096

    /// Whether a jar may store it: a server can set such a cookie, and written to a Cookie field or a line of
    /// a file, it stays the same single cookie.
    ///
    /// [RFC 6265bis, section 5.7](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.7)
    package var isWellFormed: Bool {
        let size = name.utf8.count.addingReportingOverflow(value.utf8.count)
        guard 1...Self.maximumSize ~= size.partialValue, !size.overflow, path.utf8.first == UInt8(ascii: "/"),
            !name.utf8.contains(where: { $0.endsCookiePart || $0 == UInt8(ascii: "=") }),
            !value.utf8.contains(where: \.endsCookiePart), !path.utf8.contains(where: \.isControl)
        else { return false }
        return hasDomain && meetsPrefixRequirements
    }

    /// Whether the domain is a name or an address: no label is empty, except after a trailing dot.
    private var hasDomain: Bool {
        guard !domain.utf8.contains(where: { $0.isControl || $0 == 0x20 }) else { return false }
        let labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let named = labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
        return !named.isEmpty && !named.contains(where: \.isEmpty)
    }

    /// Whether it meets the requirements of its name's prefix; a nameless cookie must not imitate a prefix.
    private var meetsPrefixRequirements: Bool {
        guard isBoundToHost || prefix.hasPrefix("__secure-") else { return true }
        guard !name.isEmpty, isSecure else { return false }
        return !isBoundToHost || isHostOnly && path == "/"
    }

    /// Whether its name has the prefix `__Host-`.
    var isBoundToHost: Bool { prefix.hasPrefix("__host-") }

    private var prefix: String { String(asciiLowercasing: (name.isEmpty ? value : name).utf8.prefix(9)) }
}

extension UInt8 {
    /// Whether it is one of the control characters, a tab among them.
    var isControl: Bool { self < 0x20 || self == 0x7F }

    /// Whether it cannot be in the name or value of a cookie.
    fileprivate var endsCookiePart: Bool { isControl || self == UInt8(ascii: ";") }
}
