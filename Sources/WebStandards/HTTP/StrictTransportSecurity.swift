package import HTTPTypes

/// The policy of a Strict-Transport-Security field (HSTS).
///
/// [RFC 6797, section 6.1](https://www.rfc-editor.org/rfc/rfc6797#section-6.1)
package struct StrictTransportSecurity: Equatable, Sendable {
    /// Seconds for which the host is to be reached over TLS only; 0 ends that.
    package var maximumAge: Int64

    /// Whether the policy applies to its subdomains, too.
    package var includesSubdomains = false

    /// Reads the first field of the name; nil if there is none, or it does not match the grammar.
    package init?(_ fields: HTTPFields) {
        guard let value = fields[values: .strictTransportSecurity].first else { return nil }
        self.init(value)
    }

    /// Reads a field's value; nil if it does not match the grammar.
    init?(_ value: String) {
        var scanner = FieldScanner(value)
        var maximumAge: Int64?
        var names: [String] = []
        var includesSubdomains = false
        while !scanner.isAtEnd {
            scanner.skip(while: \.isHTTPTabOrSpace)
            let name = scanner.collect(while: \.isHTTPToken)
            scanner.skip(while: \.isHTTPTabOrSpace)
            var argument: String?
            if scanner.skip(UInt8(ascii: "=")) {
                guard !name.isEmpty, let value = Self.argument(&scanner) else { return nil }
                argument = value
            }
            guard scanner.isAtEnd || scanner.skip(UInt8(ascii: ";")) else { return nil }
            guard !name.isEmpty else { continue }
            let lowered = scanner.lowercasedText(name)
            guard !names.contains(lowered), names.count < 32 else { return nil }
            names.append(lowered)
            switch lowered {
            case "max-age":
                guard let argument, !argument.isEmpty, argument.utf8.allSatisfy(\.isASCIIDigit) else {
                    return nil
                }
                // Larger values become 2^53, practically forever.
                maximumAge = Int(bounded: argument).map { Int64($0) }
            case "includesubdomains":
                guard argument == nil else { return nil }
                includesSubdomains = true
            default: break
            }
        }
        guard let maximumAge else { return nil }
        self.maximumAge = maximumAge
        self.includesSubdomains = includesSubdomains
    }

    private static func argument(_ scanner: inout FieldScanner) -> String? {
        scanner.skip(while: \.isHTTPTabOrSpace)
        defer { scanner.skip(while: \.isHTTPTabOrSpace) }
        guard scanner.current == UInt8(ascii: "\"") else {
            let token = scanner.collect(while: \.isHTTPToken)
            return token.isEmpty ? nil : scanner.text(token)
        }
        let (value, isTerminated) = scanner.collectQuotedString()
        return isTerminated ? String(decoding: value, as: UTF8.self) : nil
    }
}
