import WebStandards

/// The rules of a parser of HTML for the names of elements and attributes.
enum MarkupRules {
    /// The kind of contents that an element may have.
    enum Contents {
        /// Nothing, and it has no end tag.
        case none
        /// Text that is not escaped.
        case rawText
        /// Text alone, which is escaped.
        case text
        case nodes
    }

    /// Returns the kind of contents that an HTML element may have.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#serialises-as-void>
    static func contents(of name: String) -> Contents {
        switch name {
        case "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
            "keygen", "link", "meta", "param", "source", "track", "wbr":
            .none
        case "style", "script", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext": .rawText
        case "title", "textarea": .text
        default: .nodes
        }
    }

    /// Whether a parser ignores a line feed at the start of the text of an HTML element.
    static func dropsLineFeed(_ name: String) -> Bool {
        name == "pre" || name == "textarea" || name == "listing"
    }

    /// Whether a tag can have this name.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#tag-open-state>
    static func isTagName(_ name: [UInt8]) -> Bool {
        guard let first = name.first, first.isASCIIAlpha else { return false }
        return !name.contains { $0.isASCIIWhitespace || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") }
    }

    /// Whether an attribute in a tag can have this name.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#before-attribute-name-state>
    static func isAttributeName(_ name: [UInt8]) -> Bool {
        guard !name.isEmpty, !name.dropFirst().contains(UInt8(ascii: "=")) else { return false }
        return !name.contains { $0.isASCIIWhitespace || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") }
    }

    /// Whether a text equals a word, ignoring the case of its letters; the word is in lower case.
    static func equals(_ text: [UInt8], _ word: StaticString) -> Bool {
        guard text.count == word.utf8CodeUnitCount else { return false }
        for index in text.indices {
            guard unsafe text[index].asciiLowercased == word.utf8Start[index] else { return false }
        }
        return true
    }
}
