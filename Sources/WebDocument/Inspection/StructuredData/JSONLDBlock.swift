/// A `script` element that holds JSON-LD, only parsed: no context is fetched, no name expanded.
///
/// [JSON-LD 1.1, section 7](https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents)
public struct JSONLDBlock: Hashable, Sendable, Codable {
    /// The document; nil where it cannot be parsed, as ``failure`` explains.
    public let value: JSONValue?

    /// Why it cannot be parsed, with the page's line (as if the element's start tag stood on one line); nil
    /// where it can.
    public let failure: JSONValue.ParsingError?

    /// The mistakes that were repaired in order to parse it; empty for valid JSON.
    public let repairs: [JSONRepair]

    /// Where the element stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    /// Reads an element's text; nil where it is not a JSON-LD script, or the budget does not suffice for its
    /// contents.
    init?(_ element: TreeNode, _ budget: InspectionBudget) {
        guard Self.isBlock(element) else { return nil }
        var text: [UInt8] = []
        var child = element.firstChild
        while let current = child {
            current.appendText(to: &text)
            child = current.next
        }
        // A value of two bytes takes a dozen times as much.
        guard budget.spend(size: 256, text: 4 * text.count) else { return nil }
        position = element.sourcePosition
        do throws(JSONValue.ParsingError) {
            let (value, repairs) = try JSONValue.repairing(text)
            self.value = value
            self.repairs = repairs
            failure = nil
        } catch {
            value = nil
            repairs = []
            failure = JSONValue.ParsingError(
                message: error.message,
                line: error.line + (position?.line ?? 1) - 1,
                column: error.column
            )
        }
    }

    /// The node objects that are not inside others: the document itself, the items of an array, those of `@graph`.
    ///
    /// Complexity: O(n) in their number, and that of the members of an object with `@graph`.
    ///
    /// [JSON-LD 1.1, node objects](https://www.w3.org/TR/json-ld11/#node-objects)
    public var nodes: [JSONValue] {
        guard let value else { return [] }
        var nodes: [JSONValue] = []
        for outer in value.items {
            guard case .object(let members) = outer else { continue }
            if let graph = outer["@graph"] {
                // Members beside the graph and its context describe the graph.
                if members.contains(where: { !["@graph", "@context"].contains($0.name) }) {
                    nodes.append(outer)
                }
                for inner in graph.items { if case .object = inner { nodes.append(inner) } }
            } else {
                nodes.append(outer)
            }
        }
        return nodes
    }

    /// Whether an element is a script of JSON-LD, with whatever parameters its type has.
    static func isBlock(_ element: TreeNode) -> Bool {
        guard element.hasName("script"), element.isHTMLElement, let type = element.attribute("type") else {
            return false
        }
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }
        return String(Substring(essence)).trimmingASCIIWhitespace
            .isEqualIgnoringASCIICase(to: "application/ld+json")
    }
}

extension JSONValue {
    /// An array's items; any other value alone.
    var items: [JSONValue] {
        guard case .array(let items) = self else { return [self] }
        return items
    }

    /// The types of a node object of JSON-LD, as they are written; empty for any other value.
    public var jsonLDTypes: [String] {
        self["@type"]?.items.compactMap(\.string) ?? []
    }
}

extension Document {
    /// The page's JSON-LD, in document order.
    ///
    /// Complexity: O(n) in the size of the page.
    public var jsonLD: [JSONLDBlock] {
        let budget = InspectionBudget.unlimited
        var blocks: [JSONLDBlock] = []
        var walk = TreeWalk(inside: node)
        while let element = walk.nextElement() {
            if let block = JSONLDBlock(element, budget) { blocks.append(block) }
        }
        return blocks
    }
}
