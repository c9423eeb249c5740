/// A microformat: an element with a root class name, as `h-entry`, or as the classic `hentry`.
///
/// [microformats2 parsing](https://microformats.org/wiki/microformats2-parsing)
public struct MicroformatItem: Hashable, Sendable, Codable {
    /// The value of a property.
    public indirect enum Value: Hashable, Sendable, Codable {
        /// A text, or a date.
        case text(String)
        /// A URL, absolute where it is valid; for an image, with its alternative text.
        case url(String, alternative: String?)
        /// The contents of the element, as HTML with absolute URLs, and as text.
        case markup(String, text: String)
        /// Another item, by its index in ``StructuredData/microformats``, and what the property says without it.
        case item(Int, value: Value)
    }

    /// A name and a value.
    public struct Property: Hashable, Sendable, Codable {
        /// The name without its prefix, as in "published".
        public let name: String

        /// The value.
        public internal(set) var value: Value
    }

    /// The root class names, sorted; classic ones are converted to microformats2: "h-entry".
    public let types: [String]

    /// The element's ID; nil without one, or for an empty one.
    public let id: String?

    /// The properties, in document order, implied ones at the end.
    public internal(set) var properties: [Property] = []

    /// The items inside this one that are not properties of it, by their indices in
    /// ``StructuredData/microformats``.
    public internal(set) var children: [Int] = []

    /// Whether the item is inside another one.
    public let isNested: Bool

    /// Whether its root class name is a classic one.
    public let isClassic: Bool

    /// Where the element stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    /// The values of the properties of a name.
    ///
    /// Complexity: O(n) in the number of properties.
    public subscript(name: String) -> [Value] {
        properties.filter { $0.name == name }.map(\.value)
    }
}
