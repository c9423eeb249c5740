/// A subject of a page's RDFa graph, with all statements about it.
///
/// [RDFa Core 1.1](https://www.w3.org/TR/rdfa-core/)
public struct RDFaNode: Hashable, Sendable, Codable {
    /// The object of a statement.
    public enum Value: Hashable, Sendable, Codable {
        /// An IRI, or a blank node of the page, which begins with "_:".
        case resource(String)
        /// A text; the datatype is an IRI, nil for a plain text.
        case literal(String, language: String?, datatype: String?)
    }

    /// A predicate and an object.
    public struct Property: Hashable, Sendable, Codable {
        /// The predicate's IRI, as in "http://ogp.me/ns#title".
        public let name: String

        /// The object.
        public let value: Value
    }

    /// The subject's IRI, or a blank node's name, which begins with "_:".
    public let id: String

    /// The statements about it, in document order, including its types.
    public internal(set) var properties: [Property] = []

    /// The IRIs of the subject's types.
    ///
    /// Complexity: O(n) in the number of properties.
    public var types: [String] {
        self[RDFaTerms.type].compactMap { value in
            guard case .resource(let type) = value else { return nil }
            return type
        }
    }

    /// The values of a property, by its IRI.
    ///
    /// Complexity: O(n) in the number of properties.
    public subscript(name: String) -> [Value] {
        properties.filter { $0.name == name }.map(\.value)
    }
}
