/// Which URLs are meant: one, or with "*" for any run of characters many.
package struct URLPattern: Equatable, Sendable {
    private let bytes: [UInt8]

    /// - Parameter text: A URL, or a pattern with at least one "*".
    package init(_ text: String) {
        guard !text.utf8.contains(UInt8(ascii: "*")) else {
            bytes = Array(text.utf8)
            return
        }
        // What parses is meant as it is serialised; anything else matches nothing but itself.
        let url = try? WebURL(text)
        bytes = Array((url.map { StoredResponse.key(for: $0) } ?? text).utf8)
    }

    /// Whether a URL matches as a whole.
    ///
    /// - Complexity: O(*n* · *m*) in the lengths at worst, without recursion.
    package func matches(_ url: String) -> Bool {
        let text = Array(url.utf8)
        var position = 0
        var index = 0
        // Where to go on if what follows the last "*" turns out not to fit.
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
