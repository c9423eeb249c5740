import WebStandards

/// A pattern for whole URLs: `*` matches any number of characters, including slashes; `?` is a literal question mark.
package struct URLGlob: Equatable, Sendable {
    private let parts: [[UInt8]]

    package init(_ pattern: String) {
        var parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map {
            Array($0)
        }
        // Several stars in a row are equivalent to one.
        if parts.count > 2 {
            parts = [parts[0]] + parts[1..<parts.count - 1].filter { !$0.isEmpty } + [parts[parts.count - 1]]
        }
        self.parts = parts
    }

    /// Whether the pattern matches the whole URL.
    ///
    /// - Complexity: O(n · m): each part is matched where it first occurs, without backtracking.
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
