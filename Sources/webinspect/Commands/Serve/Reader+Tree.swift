import WebLoader

/// The tree of a page, piece by piece.
///
/// A node is identified by its number (``NodeIndex``).
extension Reader {
    /// The maximum number of Unicode scalar values of a text, a name or a value, and of attributes.
    private static let maximumLength = 500
    private static let maximumAttributes = 50

    /// Children of a node.
    func tree(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let (nodes, number) = try await node(request)
        let children = nodes.children(of: number)
        let from = request.integer("from", default: 0, in: 0...children.count)
        let count = request.integer("count", default: 200, in: 0...1000)
        return .json([
            "total": JSONValue(children.count),
            "children": .array(
                children.dropFirst(from).prefix(count).map { Self.described(Int($0), nodes) }
            ),
        ])
    }

    /// A node and those around it, the outermost first, each with its place among its siblings.
    func ancestors(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        var (nodes, number) = try await node(request)
        var branch: [JSONValue] = []
        while let parent = nodes.parent(of: number) {
            let siblings = nodes.children(of: parent)
            let place = siblings.firstIndex { Int($0) == number } ?? siblings.startIndex
            branch.append([
                "node": JSONValue(number), "index": JSONValue(place - siblings.startIndex),
            ])
            number = parent
        }
        return .json(["ancestors": .array(branch.reversed())])
    }

    /// The node of a request, by its number, and all others of its page.
    private func node(_ request: ReaderRequest) async throws(Failure) -> (nodes: NodeIndex, number: Int) {
        let page = try await page(request).parsed
        // The error of a page without a tree.
        _ = try SelectionReport.document(of: page, try request.url())
        let number = request.integer("node", default: 0, in: 0...Int.largestBounded)
        guard let nodes = page.nodes, number < nodes.count else {
            throw Failure(input: "the page has no node \(number)", code: "input.form")
        }
        return (nodes, number)
    }

    private static func described(_ number: Int, _ nodes: NodeIndex) -> JSONValue {
        let node = nodes[number]
        let attributes = node.attributes.prefix(maximumAttributes).map { attribute in
            JSONValue.array([
                .string(attribute.name.prefix(scalars: maximumLength)),
                .string(attribute.value.prefix(scalars: maximumLength)),
            ])
        }
        let kind = nodes.kind(of: number)
        let text: JSONValue =
            switch kind {
            case .text, .cdata, .comment, .instruction: .string(node.text(scalars: maximumLength))
            case .document, .element, .doctype, .entity, .contents, .shadowRoot: .null
            }
        return [
            "node": JSONValue(number), "kind": .string(kind.rawValue),
            "name": .string(node.name.prefix(scalars: maximumLength)), "text": text,
            "attributes": .array(attributes),
            "children": JSONValue(nodes.children(of: number).count),
            "line": JSONValue(node.position?.line),
        ]
    }
}
