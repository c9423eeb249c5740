import WebLoader

/// Writes HTML of its own around text from pages, which never becomes markup.
struct HTMLBuilder {
    private(set) var bytes: [UInt8] = []

    /// Markup of ours, as it is.
    mutating func markup(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Markup of ours that is in memory of C's.
    mutating func markup(_ text: UnsafeRawBufferPointer) {
        unsafe bytes.append(contentsOf: text)
    }

    /// Text from anywhere.
    mutating func text(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            // A browser makes others of these; they would end nothing here, but say nothing either.
            case 0..<0x20 where byte != 0x09 && byte != 0x0A, 0x7F: bytes += "\u{FFFD}".utf8
            default: bytes.append(byte)
            }
        }
    }

    /// An element that holds text.
    mutating func element(_ name: StaticString, _ text: String) { element(name, [:], text) }

    /// An element with attributes that holds text.
    mutating func element(
        _ name: StaticString,
        _ attributes: KeyValuePairs<StaticString, String>,
        _ text: String
    ) {
        open(name, attributes)
        self.text(text)
        close(name)
    }

    /// A start tag.
    mutating func open(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:]) {
        markup("<")
        markup(name)
        for (name, value) in attributes {
            markup(" ")
            markup(name)
            markup("=\"")
            text(value)
            markup("\"")
        }
        markup(">")
    }

    /// An end tag.
    mutating func close(_ name: StaticString) {
        markup("</")
        markup(name)
        markup(">")
    }

    /// A URL, which can be followed if it leads to a web page, and to nothing that a browser would run.
    mutating func url(_ text: String) {
        guard let url = try? WebURL(text), url.scheme == "http" || url.scheme == "https" else {
            element("span", ["class": "url"], text)
            return
        }
        element("a", ["class": "url", "href": url.href, "rel": "noreferrer noopener nofollow"], text)
    }
}
