/// A validator that a server assigns to a representation: `"xyzzy"`, or weak, `W/"xyzzy"`.
///
/// [RFC 9110, section 8.8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3)
package struct EntityTag: Equatable, Sendable {
    /// Whether it is weak: it identifies equivalent content rather than identical bytes.
    package let isWeak: Bool

    /// The text between the quotation marks.
    let opaque: String

    /// Parses an ETag field; nil if it is malformed; white space around it is allowed.
    package init?(_ field: String) {
        var scanner = FieldScanner(field)
        scanner.trim(while: \.isHTTPTabOrSpace)
        guard let tag = EntityTag(&scanner), scanner.isAtEnd else { return nil }
        self = tag
    }

    private init?(_ scanner: inout FieldScanner) {
        isWeak = scanner.skip(UInt8(ascii: "W"))
        if isWeak, !scanner.skip(UInt8(ascii: "/")) { return nil }
        guard scanner.skip(UInt8(ascii: "\"")) else { return nil }
        // No escapes: a backslash stands for itself.
        let opaque = scanner.collect { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
        guard scanner.skip(UInt8(ascii: "\"")) else { return nil }
        self.opaque = scanner.text(opaque)
    }

    /// The tags of a comma-separated list, malformed ones left out.
    package static func list(_ field: String) -> [EntityTag] {
        var scanner = FieldScanner(field)
        var tags: [EntityTag] = []
        while true {
            scanner.skip { $0.isHTTPTabOrSpace || $0 == UInt8(ascii: ",") }
            if scanner.isAtEnd { return tags }
            var attempt = scanner
            let tag = EntityTag(&attempt)
            attempt.skip(while: \.isHTTPTabOrSpace)
            if let tag, attempt.isAtEnd || attempt.current == UInt8(ascii: ",") {
                tags.append(tag)
                scanner = attempt
            } else {
                scanner.skipListElement()
            }
        }
    }

    /// Strong comparison: whether both identify the same bytes.
    ///
    /// [RFC 9110, section 8.8.3.2](https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2)
    package func strongly(matches other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Weak comparison: whether both identify equivalent content.
    package func weakly(matches other: EntityTag) -> Bool {
        opaque == other.opaque
    }
}
