/// A value in a text of YAML or JSON, a recipe's or another list's, with its place.
package struct RecipeNode: Sendable {
    /// The value itself.
    package enum Content: Sendable {
        /// Null, a truth value, a number or a string.
        case scalar(JSONValue)
        case list([RecipeNode])
        case mapping([Entry])
    }

    /// A key and its value.
    package struct Entry: Sendable {
        package let key: String
        package let place: RecipePlace
        package let value: RecipeNode
    }

    package let content: Content
    package let place: RecipePlace

    /// The number of values inside, including this one.
    let size: Int

    init(_ content: Content, at place: RecipePlace) {
        self.content = content
        self.place = place
        // The length of the text is bounded, but nested anchors may repeat more values than an integer can
        // count.
        var size = 1
        switch content {
        case .scalar: break
        case .list(let items): for item in items { size +|= item.size }
        case .mapping(let entries): for entry in entries { size +|= entry.value.size }
        }
        self.size = size
    }

    /// The value as JSON, without places.
    package var json: JSONValue {
        switch content {
        case .scalar(let value): value
        case .list(let items): .array(items.map(\.json))
        case .mapping(let entries): .object(entries.map { JSONValue.Member($0.key, $0.value.json) })
        }
    }

    /// The value in words, for error messages.
    package var description: String {
        switch content {
        case .scalar(.null): "nothing"
        case .scalar(.bool(let value)): "\(value)"
        case .scalar(.integer(let value)): "\(value)"
        case .scalar(.number(let value)): "\(value)"
        case .scalar(.string(let text)): "\"\(text.prefix(40))\""
        case .scalar: "a value"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The limits of a recipe's text.
    enum Limit {
        /// The maximum length, in bytes.
        static let length = 1 << 20
        /// How deeply values may be nested.
        static let depth = 256
        /// The maximum number of values; those that anchors repeat are counted each time.
        static let count = 200_000
    }
}
