extension Cookie {
    /// Bytes that name and value may have together.
    private static let maximumSize = 4096

    /// Whether a jar may keep it: a server can have set it, and it can be written to a Cookie field and to a line of a
    /// file without becoming another cookie, or several.
    ///
    /// [RFC 6265bis, section 5.7](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.7)
    var isWellFormed: Bool {
        let size = name.utf8.count.addingReportingOverflow(value.utf8.count)
        guard 1...Self.maximumSize ~= size.partialValue, !size.overflow, path.utf8.first == UInt8(ascii: "/"),
            !name.utf8.contains(where: { $0.endsCookiePart || $0 == UInt8(ascii: "=") }),
            !value.utf8.contains(where: \.endsCookiePart), !path.utf8.contains(where: \.isControl)
        else { return false }
        return hasDomain && hasWhatItsNameSays
    }

    /// Whether the domain is a name or an address: no label of it is empty but the root's at the end.
    private var hasDomain: Bool {
        guard !domain.utf8.contains(where: { $0.isControl || $0 == 0x20 }) else { return false }
        let labels = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let named = labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
        return !named.isEmpty && !named.contains(where: \.isEmpty)
    }

    /// What the prefixes of names promise; a cookie without a name must not look as if it had one of them.
    private var hasWhatItsNameSays: Bool {
        guard isBoundToHost || prefix.hasPrefix("__secure-") else { return true }
        guard !name.isEmpty, isSecure else { return false }
        return !isBoundToHost || isHostOnly && path == "/"
    }

    /// Whether its name says that it is of this host alone.
    var isBoundToHost: Bool { prefix.hasPrefix("__host-") }

    private var prefix: String { String(asciiLowercasing: (name.isEmpty ? value : name).utf8.prefix(9)) }
}

extension UInt8 {
    /// Whether it is one of the control characters, a tab among them.
    var isControl: Bool { self < 0x20 || self == 0x7F }

    /// Whether no name and no value of a cookie has it.
    fileprivate var endsCookiePart: Bool { isControl || self == UInt8(ascii: ";") }
}
