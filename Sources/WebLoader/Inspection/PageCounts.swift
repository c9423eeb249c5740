/// How many of what a page has.
public struct PageCounts: Hashable, Sendable, Codable {
    /// Elements.
    public var elements = 0
    /// `img` elements.
    public var images = 0
    /// `form` elements.
    public var forms = 0
    /// `table` elements.
    public var tables = 0
    /// `script` elements.
    public var scripts = 0
    /// `style` elements.
    public var styles = 0
    /// `iframe` and `frame` elements.
    public var frames = 0

    /// Creates counts of nothing.
    public init() {}
}

extension Document {
    /// Counts what the page has.
    ///
    /// Complexity: O(n) in the number of nodes.
    public var counts: PageCounts {
        var counts = PageCounts()
        var walk = TreeWalk(inside: node)
        while let element = walk.nextElement() {
            counts.elements += 1
            guard element.isHTMLElement else { continue }
            for (name, path) in Self.counted where element.hasName(name) { counts[keyPath: path] += 1 }
        }
        return counts
    }

    private static var counted: [(StaticString, WritableKeyPath<PageCounts, Int>)] {
        [
            ("img", \.images), ("form", \.forms), ("table", \.tables), ("script", \.scripts),
            ("style", \.styles),
            ("iframe", \.frames), ("frame", \.frames),
        ]
    }
}
