/// A content security policy, which restricts what a page may load and do.
///
/// [Content Security Policy Level 3](https://www.w3.org/TR/CSP3/)
public struct ContentSecurityPolicy: Hashable, Sendable, Codable {
    /// Where the policy comes from.
    public enum Source: String, Sendable, Codable, CaseIterable {
        /// A header field.
        case field
        /// A `meta` element, whose `frame-ancestors`, `report-uri` and `sandbox` are ignored.
        case meta
    }

    /// A directive.
    public struct Directive: Hashable, Sendable, Codable {
        /// Its name, in lower case.
        public let name: String
        /// The words of its value, as written.
        public let values: [String]
    }

    /// Where the policy comes from.
    public let source: Source

    /// Whether violations are only reported, not blocked.
    public let isReportOnly: Bool

    /// The directives in their order; only the first of several with the same name.
    public let directives: [Directive]

    /// Reads one policy; nil if it has no directive.
    ///
    /// Complexity: O(n) in its length.
    ///
    /// [Parse a serialized CSP](https://www.w3.org/TR/CSP3/#parse-serialized-policy)
    package init?(_ text: some Collection<UInt8>, source: Source, isReportOnly: Bool) {
        var directives: [Directive] = []
        var names: Set<String> = []
        for part in text.split(separator: UInt8(ascii: ";")) {
            let words = part.split(whereSeparator: \.isASCIIWhitespace)
            guard let first = words.first else { continue }
            let name = String(asciiLowercasing: first)
            guard names.insert(name).inserted else { continue }
            let values = words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
            directives.append(Directive(name: name, values: values))
        }
        guard !directives.isEmpty else { return nil }
        self.source = source
        self.isReportOnly = isReportOnly
        self.directives = directives
    }

    /// Reads the policies of header fields.
    ///
    /// [Parse a response's CSPs](https://www.w3.org/TR/CSP3/#parse-response-csp)
    package static func policies(ofFields values: [String], isReportOnly: Bool) -> [ContentSecurityPolicy] {
        values.flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).compactMap {
                ContentSecurityPolicy($0, source: .field, isReportOnly: isReportOnly)
            }
        }
    }

    /// The words of a directive; `nil` if the directive is missing.
    ///
    /// - Parameter name: Its name, in lower case.
    /// - Returns: The words.
    /// - Complexity: O(n) in the number of directives.
    public func values(of name: String) -> [String]? {
        directives.first { $0.name == name }?.values
    }
}
