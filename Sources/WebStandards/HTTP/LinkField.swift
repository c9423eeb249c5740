/// One link of an HTTP Link field.
///
/// [RFC 8288, section 3](https://www.rfc-editor.org/rfc/rfc8288#section-3)
package struct LinkField: Equatable, Sendable {
    /// A target attribute, such as `title`, or one of `rel` and `anchor`.
    struct Parameter: Equatable, Sendable {
        /// The name, in ASCII lowercase, without the asterisk of an extended one.
        let name: String

        /// The value without quotes and escapes; empty if the field has none.
        let value: String
    }

    /// The reference between the angle brackets, unchanged; to be resolved against the response's URL.
    package let target: String

    /// The parameters in order, repetitions included; of repeated ones, the first counts.
    let parameters: [Parameter]

    /// The relation types of the first `rel` in order, in ASCII lowercase; empty without one.
    package let relationTypes: [String]

    /// The reference of the first `anchor`, the link's context, or nil if that is the response itself.
    package var anchor: String? { self[parameter: "anchor"] }

    /// The value of the first parameter of this name, given in lowercase, or nil without one.
    ///
    /// - Complexity: O(*n*) in the number of parameters.
    package subscript(parameter name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    private init(target: String, parameters: [Parameter]) {
        self.target = target
        self.parameters = parameters
        let relations = parameters.first { $0.name == "rel" }?.value ?? ""
        relationTypes = relations.utf8
            .split(whereSeparator: \.isHTTPTabOrSpace)
            .map { String(asciiLowercasing: $0) }
    }

    // MARK: - Parsing

    /// The links of a message's Link field lines.
    ///
    /// RFC 8288's algorithm ignores the rest of a malformed field; this skips only to the next semicolon or
    /// comma, as browsers do. Links without a relation type are included.
    ///
    /// - Complexity: O(*n*) in the length of the lines.
    ///
    /// [RFC 8288, appendix B.2](https://www.rfc-editor.org/rfc/rfc8288#appendix-B.2)
    package static func parse(fieldLines: [String]) -> [LinkField] {
        var links: [LinkField] = []
        for line in fieldLines {
            var scanner = FieldScanner(line)
            while true {
                // 2.1. Whitespace, and the comma between two links.
                scanner.skip { $0.isHTTPTabOrSpace || $0 == UInt8(ascii: ",") }
                if scanner.isAtEnd { break }
                // 2.2.-2.3. An element that is not a link is skipped.
                guard scanner.skip(UInt8(ascii: "<")) else {
                    scanner.skipListElement()
                    continue
                }
                // 2.4.-2.6. The target; without a ">" there is no link.
                let target = scanner.collect { $0 != UInt8(ascii: ">") }
                guard scanner.skip(UInt8(ascii: ">")) else { break }
                // 2.7.-2.17. The parameters.
                let parameters = internationalized(parseParameters(&scanner))
                links.append(LinkField(target: scanner.text(target), parameters: parameters))
            }
        }
        return links
    }

    /// Parses parameters up to the comma after them or the end.
    ///
    /// [RFC 8288, appendix B.3](https://www.rfc-editor.org/rfc/rfc8288#appendix-B.3)
    private static func parseParameters(_ scanner: inout FieldScanner) -> [Parameter] {
        var parameters: [Parameter] = []
        while true {
            // 2.1.-2.4., 2.11.-2.12. Up to the next semicolon; other text before it is skipped.
            skipToDelimiter(&scanner)
            guard scanner.skip(UInt8(ascii: ";")) else { return parameters }
            scanner.skip(while: \.isHTTPTabOrSpace)
            // 2.5. The name.
            let name = scanner.collect { !isDelimiter($0) && !$0.isHTTPTabOrSpace && $0 != UInt8(ascii: "=") }
            scanner.skip(while: \.isHTTPTabOrSpace)
            // 2.6.-2.8. The value.
            var value: [UInt8] = []
            if scanner.skip(UInt8(ascii: "=")) {
                scanner.skip(while: \.isHTTPTabOrSpace)
                if scanner.current == UInt8(ascii: "\"") {
                    value = scanner.collectQuotedString().value
                } else {
                    let untrimmed = scanner.collect { !isDelimiter($0) }
                    value += scanner.bytes[scanner.trimmingEnd(of: untrimmed, while: \.isHTTPTabOrSpace)]
                }
            }
            // 2.9.-2.10. A parameter with an empty name is ignored.
            if name.isEmpty { continue }
            parameters.append(
                Parameter(name: scanner.lowercasedText(name), value: String(decoding: value, as: UTF8.self))
            )
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
    }

    /// Moves to the next semicolon or comma outside of quoted strings, or to the end.
    private static func skipToDelimiter(_ scanner: inout FieldScanner) {
        while true {
            scanner.skip { !isDelimiter($0) && $0 != UInt8(ascii: "\"") }
            guard scanner.current == UInt8(ascii: "\"") else { return }
            scanner.skipQuotedString()
        }
    }

    // MARK: - Internationalised parameters

    /// Decodes the parameters whose names end in an asterisk; they replace those of the plain name.
    ///
    /// One that cannot be decoded is left out, and so are `rel*` and `anchor*`, which do not exist.
    ///
    /// [RFC 8288, appendix B.2, steps 15 and 16](https://www.rfc-editor.org/rfc/rfc8288#appendix-B.2)
    private static func internationalized(_ parameters: [Parameter]) -> [Parameter] {
        guard parameters.contains(where: { $0.name.utf8.last == UInt8(ascii: "*") }) else {
            return parameters
        }
        var replaced: Set<String> = []
        let decoded: [(parameter: Parameter, isExtended: Bool)] = parameters.compactMap { parameter in
            guard parameter.name.utf8.last == UInt8(ascii: "*") else { return (parameter, false) }
            let name = String(parameter.name.dropLast())
            guard !["", "rel", "anchor"].contains(name) else { return nil }
            guard let value = decodeExtendedValue(parameter.value) else { return nil }
            replaced.insert(name)
            return (Parameter(name: name, value: value), true)
        }
        return decoded.filter { $0.isExtended || !replaced.contains($0.parameter.name) }.map(\.parameter)
    }

    /// Decodes a value such as `UTF-8'en'na%C3%AFve`, or returns nil.
    ///
    /// UTF-8 and, for older servers, ISO-8859-1 are supported.
    ///
    /// [RFC 8187, section 3.2](https://www.rfc-editor.org/rfc/rfc8187#section-3.2)
    private static func decodeExtendedValue(_ text: String) -> String? {
        let parts = text.utf8
            .split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let bytes = PercentDecoding.decode(Array(parts[2]).span)
        return switch String(asciiLowercasing: parts[0]) {
        case "utf-8": String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
        default: nil
        }
    }
}
