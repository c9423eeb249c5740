import WebLoader

/// The matches of one selector or expression.
struct SelectionResult {
    enum Item {
        case node(Node)
        /// A value that was taken from an element.
        case value(String, of: Node)
        indirect case attribute(Node.Attribute, of: Node)
        /// A value without a place on the page, such as a number.
        indirect case scalar(JSONValue, String)
    }

    let query: SelectOptions.Query

    /// The stored matches, no more than the budget has room for.
    private(set) var items: [Item] = []

    /// How many match, kept or not.
    private(set) var count = 0

    /// The memory of a match until it is written, in bytes.
    private static let itemSize = 128

    init(_ query: SelectOptions.Query) {
        self.query = query
    }

    /// Whether the answer is no: nothing matched, or an expression is false.
    var isEmpty: Bool {
        if case .scalar(.bool(false), _)? = items.first { return true }
        return count == 0
    }

    mutating func add(_ item: Item) {
        count += 1
        items.append(item)
    }

    /// Counts a match, and stores it if there is room, with as much left for writing; without a budget it is
    /// only counted.
    mutating func add(_ item: Item, _ budget: InspectionBudget?) {
        count += 1
        if budget?.spendOptional(size: Self.itemSize) ?? false { items.append(item) }
    }

    /// Leaves out all but the first match.
    mutating func takeFirst() {
        items = Array(items.prefix(1))
        count = min(count, 1)
    }
}

extension SelectionResult.Item {
    init(_ node: XPathNode) {
        switch node {
        case .node(let node): self = .node(node)
        case .attribute(let attribute, let owner): self = .attribute(attribute, of: owner)
        case .namespace(prefix: _, let name): self = .scalar(.string(name), name)
        }
    }

    /// Returns the line that is written for the match; `nil` if it has none.
    func line(_ form: SelectOptions.Form, _ options: SelectOptions, _ paths: inout NodePath) -> String? {
        switch (self, form) {
        case (.scalar(_, let text), _): Self.collapsed(text)
        case (.node(let node), .attribute(let name)): node.attribute(name).map(Self.collapsed)
        case (.node(let node), .html): node.outerHTML
        case (.node(let node), .path), (.value(_, let node), .path):
            options.isXPath ? paths.xpath(node) : paths.css(node)
        case (.attribute(let attribute, let owner), .path):
            paths.xpath(owner).map { "\($0)/@\(attribute.name)" }
        case (.node(let node), .text): Self.collapsed(node.text)
        case (.value(let text, of: _), _): Self.collapsed(text)
        case (.attribute(let attribute, of: _), _): Self.collapsed(attribute.value)
        }
    }

    /// A match has a line, and no more.
    private static func collapsed(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for word in text.utf8.split(whereSeparator: { $0 == 0x20 || $0 >= 0x09 && $0 <= 0x0D }) {
            if !output.isEmpty { output.append(0x20) }
            output += word
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The match as an object; `paths` writes the paths of all of them.
    func json(_ paths: inout NodePath) -> JSONValue {
        switch self {
        case .scalar(let value, _): ["value": value]
        case .node(let node): .object(Self.members(node, &paths))
        case .value(let text, let node): .object([.init("value", .string(text))] + Self.members(node, &paths))
        case .attribute(let attribute, let owner):
            .object(
                [.init("value", .string(attribute.value)), .init("attribute", .string(attribute.name))]
                    + Self.members(owner, &paths)
            )
        }
    }

    private static func members(_ node: Node, _ paths: inout NodePath) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("text", .string(node.textContent))]
        if let path = paths.xpath(node) { members.append(.init("xpath", .string(path))) }
        guard node.isElement else { return members }
        members.append(.init("element", .string(node.name)))
        if let path = paths.css(node) { members.append(.init("path", .string(path))) }
        var names: [String] = []
        var attributes: [JSONValue.Member] = []
        // Those in namespaces are left out where one in none has the name.
        for attribute in node.attributes.sorted(by: { $0.namespaceName == nil && $1.namespaceName != nil })
        where !names.contains(attribute.name) {
            names.append(attribute.name)
            attributes.append(.init(attribute.name, .string(attribute.value)))
        }
        members.append(.init("attributes", .object(attributes)))
        return members + JSONValue.members(node.position)
    }
}
