/// An item of microdata: an element with `itemscope`.
///
/// <https://html.spec.whatwg.org/multipage/microdata.html#items>
public struct MicrodataItem: Hashable, Sendable, Codable {
    /// The value of a property.
    public enum Value: Hashable, Sendable, Codable {
        /// A text.
        case text(String)
        /// A URL, absolute.
        case url(WebURL)
        /// A reference that is not a valid URL, as it is written; the standard makes it the empty text.
        case invalidURL(String)
        /// Another item, by its index in ``StructuredData/microdata``; it may be this one, or one that has
        /// this one among its properties.
        case item(Int)
    }

    /// A name and a value.
    public struct Property: Hashable, Sendable, Codable {
        /// One of the words of `itemprop`.
        public let name: String

        /// The value.
        public let value: Value

        /// The `content` of an element other than `meta`, which search engines read in place of the
        /// standard's value; nil where there is none.
        public let content: String?
    }

    /// The words of `itemtype`, absolute URLs; empty without one.
    public let types: [String]

    /// `itemid` as an absolute URL, or as it is written where it is not a valid URL; nil without one.
    public let id: String?

    /// The properties, in tree order: that of the elements, not of `itemref`.
    public internal(set) var properties: [Property] = []

    /// Whether the item is a property of another one, or of itself.
    public internal(set) var isProperty = false

    /// Whether it has `itemprop`, but there is no item that it is a property of.
    public internal(set) var isStray = false

    /// Where the element stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    /// The values of the properties of a name, in tree order.
    ///
    /// Complexity: O(n) in the number of properties.
    public subscript(name: String) -> [Value] {
        properties.filter { $0.name == name }.map(\.value)
    }

    init(_ element: TreeNode, _ resolver: ReferenceResolver) {
        types = element.attribute("itemtype")?.asciiWords ?? []
        id = element.attribute("itemid").map { id in
            // An ID that is not a valid URL is kept as it is written.
            (try? resolver.resolve(id))?.href ?? id
        }
        position = element.sourcePosition
    }
}
