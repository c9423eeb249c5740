/// A microformat: an element with a root class name, as `h-entry`, or as the classic `hentry`.
///
/// [microformats2 parsing](https://microformats.org/wiki/microformats2-parsing)
public struct MicroformatItem: Hashable, Sendable, Codable {
    /// What a property says.
    public enum Value: Hashable, Sendable, Codable {
        /// Words, or a date.
        case text(String)
        /// A URL, absolute where it is one; of an image, what stands for it.
        case url(String, alternative: String?)
        /// What is inside the element, as HTML and as words.
        case markup(String, text: String)
        /// Another item, by its place in ``StructuredData/microformats``, and what it is as words or a URL.
        case item(Int, text: String)
    }

    /// A name and a value.
    public struct Property: Hashable, Sendable, Codable {
        /// The name without its prefix, as in "published".
        public let name: String

        /// The value.
        public internal(set) var value: Value
    }

    /// The root class names, sorted; classic ones as what they are today: "h-entry".
    public let types: [String]

    /// The element's ID; nil without one.
    public let id: String?

    /// The properties, in document order, those that follow from others at the end.
    public internal(set) var properties: [Property] = []

    /// The items inside this one that are no property of it, by their places in ``StructuredData/microformats``.
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
