/// A pattern for URLs: a single URL, or a text in which "*" matches any characters.
package struct URLPattern: Equatable, Sendable {
    private let bytes: [UInt8]

    /// - Parameter text: A URL, or a pattern with at least one "*".
    package init(_ text: String) {
        guard !text.utf8.contains(UInt8(ascii: "*")) else {
            bytes = Array(text.utf8)
            return
        }
        // A valid URL is compared in its serialised form; any other text matches only itself.
        let url = try? WebURL(text)
        bytes = Array((url.map { StoredResponse.key(for: $0) } ?? text).utf8)
    }

    /// The one URL that it matches, as it is written; nil for a pattern.
    var url: String? {
        bytes.contains(UInt8(ascii: "*")) ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a URL matches as a whole.
    ///
    /// - Complexity: O(*n* · *m*) in the lengths at worst, without recursion.
    package func matches(_ url: String) -> Bool {
        let text = Array(url.utf8)
        var position = 0
        var index = 0
        // Where to continue if the text after the last "*" does not match.
        var retry: (position: Int, index: Int)?
        while position < text.count {
            if index < bytes.count, bytes[index] == UInt8(ascii: "*") {
                retry = (position, index + 1)
                index += 1
            } else if index < bytes.count, bytes[index] == text[position] {
                index += 1
                position += 1
            } else if let last = retry {
                retry = (last.position + 1, last.index)
                position = last.position + 1
                index = last.index
            } else {
                return false
            }
        }
        return bytes[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
