import WebStandards

/// A pattern for whole URLs: `*` is any number of characters, slashes too, `?` is a question mark as URLs have it.
package struct URLGlob: Equatable, Sendable {
    private let parts: [[UInt8]]

    package init(_ pattern: String) {
        var parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map {
            Array($0)
        }
        // Several stars in a row are one.
        if parts.count > 2 {
            parts = [parts[0]] + parts[1..<parts.count - 1].filter { !$0.isEmpty } + [parts[parts.count - 1]]
        }
        self.parts = parts
    }

    /// Whether it matches the whole of a URL.
    ///
    /// Complexity: O(n · m): each part is taken where it comes first, and never again.
    package func matches(_ url: String) -> Bool {
        var rest = Array(url.utf8)[...]
        guard let first = parts.first, let last = parts.last, rest.starts(with: first) else { return false }
        guard parts.count > 1 else { return rest.count == first.count }
        rest = rest.dropFirst(first.count)
        for part in parts[1..<parts.count - 1] {
            guard let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) else {
                return false
            }
            rest = rest[(start + part.count)...]
        }
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }
}
