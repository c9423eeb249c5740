/// A value of a recipe's text, and where it stands.
struct RecipeNode: Sendable {
    /// What it is.
    enum Content: Sendable {
        /// Null, a truth value, a number or a string.
        case scalar(JSONValue)
        case list([RecipeNode])
        case mapping([Entry])
    }

    /// A key and its value.
    struct Entry: Sendable {
        let key: String
        let place: RecipePlace
        let value: RecipeNode
    }

    let content: Content
    let place: RecipePlace

    /// How many values are inside, itself among them.
    let size: Int

    init(_ content: Content, at place: RecipePlace) {
        self.content = content
        self.place = place
        // What is written out is bounded; what anchors repeat may not be countable.
        var size = 1
        switch content {
        case .scalar: break
        case .list(let items): for item in items { size +|= item.size }
        case .mapping(let entries): for entry in entries { size +|= entry.value.size }
        }
        self.size = size
    }

    /// The same as JSON.
    var json: JSONValue {
        switch content {
        case .scalar(let value): value
        case .list(let items): .array(items.map(\.json))
        case .mapping(let entries): .object(entries.map { JSONValue.Member($0.key, $0.value.json) })
        }
    }

    /// What it is, in words.
    var description: String {
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
        /// In bytes.
        static let length = 1 << 20
        /// Values inside each other.
        static let depth = 256
        /// Values in all, those that anchors repeat counted each time.
        static let count = 200_000
    }
}
