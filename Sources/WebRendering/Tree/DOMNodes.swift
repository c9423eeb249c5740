import WebStandards

/// The nodes of messages, by number, in the order in which they end.
///
/// Chromium sends the children of an element before its attributes, and promises no order at all, so that text cannot be
/// written as a message is read.
struct DOMNodes {
    /// The strings of all messages, which are concatenated to one text.
    private(set) var strings = JSONStrings(bytes: [])
    private var nodes: [DOMNode] = []
    private(set) var root = 0

    /// The nodes whose children were not sent, by their backend identifiers.
    private var incomplete: [Int: Int] = [:]
    /// All nodes that were ever incomplete, in the order in which they came.
    private var queue: [(identifier: Int, index: Int)] = []
    private var queueStart = 0
    /// The nodes about which the message that is being read has more.
    private var superseded: [Int] = []

    /// Reads a message with a document.
    init(of message: [UInt8]) throws(DOMTreeError) {
        strings = JSONStrings(bytes: message)
        guard let root = try read("root", from: 0).index else { throw .noNode }
        self.root = root
        for node in queue { incomplete[node.identifier] = node.index }
    }

    /// Adds a message with a node whose children were not sent.
    mutating func add(_ message: [UInt8]) throws(DOMTreeError) {
        let start = (bytes: strings.bytes.count, node: nodes.count, queue: queue.count)
        strings.bytes += message
        superseded = []
        do {
            let (index, identifier) = try read("node", from: start.bytes)
            guard let index, let identifier, let place = incomplete[identifier] else { return }
            for identifier in superseded { incomplete[identifier] = nil }
            for node in queue[start.queue...] { incomplete[node.identifier] = node.index }
            // Each node is requested only once.
            incomplete[identifier] = nil
            nodes[place].take(nodes[index])
        } catch {
            strings.bytes.removeLast(strings.bytes.count - start.bytes)
            nodes.removeLast(nodes.count - start.node)
            queue.removeLast(queue.count - start.queue)
            throw error
        }
    }

    /// Whether all children of all nodes were sent.
    var isComplete: Bool { incomplete.isEmpty }

    /// Returns the identifier of a node whose children were not sent; `nil` if there is none.
    mutating func nextIncomplete() -> Int? {
        while queueStart < queue.count {
            queueStart += 1
            let identifier = queue[queueStart - 1].identifier
            if incomplete[identifier] != nil { return identifier }
        }
        return nil
    }

    subscript(index: Int) -> DOMNode { nodes[index] }

    private func matches(_ name: Range<Int>, _ word: String) -> Bool {
        strings.bytes[name].elementsEqual(word.utf8)
    }

    // MARK: - Reading

    /// Reads the node that is a member of a message's result; returns its number and its identifier.
    private mutating func read(
        _ member: String,
        from start: Int
    ) throws(DOMTreeError) -> (index: Int?, identifier: Int?) {
        var reader = try JSONEventReader(strings.bytes, from: start)
        var found: (index: Int?, identifier: Int?)?
        guard try reader.next() == .beginObject else { throw .noNode }
        while case .name(let name) = try reader.next() {
            let event = try reader.next()
            guard event == .beginObject, matches(name, "result") else {
                try reader.skip(toDepth: 1)
                continue
            }
            while case .name(let name) = try reader.next() {
                let event = try reader.next()
                if event == .beginObject, matches(name, member) {
                    found = try readNode(&reader)
                } else {
                    try reader.skip(toDepth: 2)
                }
            }
        }
        guard try reader.next() == .end else { throw .malformed(offset: reader.position) }
        guard let found else { throw .noNode }
        return found
    }

    /// Reads a node whose brace was read, and all that is in it.
    private mutating func readNode(
        _ reader: inout JSONEventReader
    ) throws(DOMTreeError) -> (index: Int?, identifier: Int?) {
        var open = [NodeRecord(role: .child, queueEnd: queue.count)]
        while let last = open.indices.last {
            switch try reader.next() {
            case .name(let name):
                try readMember(NodeRecord.Member(name, in: strings.bytes), &reader, &open)
            case .beginObject:
                open.append(NodeRecord(role: open[last].list ?? .child, queueEnd: queue.count))
            case .beginArray:
                // The protocol has no such array.
                try reader.skip(toDepth: reader.depth - 1)
            case .endArray:
                open[last].list = nil
            case .endObject:
                let record = open.removeLast()
                let index = add(record)
                guard last > 0 else { return (index, record.identifier) }
                if let index { link(index, as: record.role, to: &open[last - 1]) }
            case .string, .number, .boolean, .null: break
            case .end: throw .malformed(offset: reader.position)
            }
        }
        throw .malformed(offset: reader.position)
    }

    private mutating func readMember(
        _ member: NodeRecord.Member?,
        _ reader: inout JSONEventReader,
        _ open: inout [NodeRecord]
    ) throws(DOMTreeError) {
        let depth = reader.depth
        let last = open.count - 1
        switch (member, try reader.next()) {
        case (.children, .beginArray):
            open[last].list = .child
            open[last].hasChildren = true
        case (.shadowRoots, .beginArray): open[last].list = .shadowRoot
        case (.templateContent, .beginObject): open.append(NodeRecord(role: .contents, queueEnd: queue.count))
        case (.contentDocument, .beginObject): open.append(NodeRecord(role: .document, queueEnd: queue.count))
        case (.attributes, .beginArray):
            let start = reader.position
            open[last].attributes = try skipStrings(&reader) ? start : nil
        case (.nodeType, .number(let range)):
            open[last].kind = Int(bounded: strings.bytes[range]).flatMap { UInt8(exactly: $0) }
                .flatMap(DOMNode.Kind.init)
        case (.backendNodeId, .number(let range)):
            open[last].identifier = Int(bounded: strings.bytes[range])
        case (.childNodeCount, .number(let range)):
            open[last].mayHaveChildren = Int(bounded: strings.bytes[range]).map { $0 > 0 } ?? false
        case (let member?, .string(let range)): open[last].take(member, range, strings.bytes)
        case (.isSVG, .boolean(let isSVG)): open[last].isSVG = isSVG
        case (_, _): try reader.skip(toDepth: depth)
        }
    }

    /// Skips to the end of an array; returns whether it has strings alone.
    private func skipStrings(_ reader: inout JSONEventReader) throws(DOMTreeError) -> Bool {
        let depth = reader.depth
        while true {
            switch try reader.next() {
            case .string: break
            case .endArray: return true
            default:
                try reader.skip(toDepth: depth - 1)
                return false
            }
        }
    }

    // MARK: - Keeping

    /// Adds a node; returns `nil` if nothing of it would be written.
    private mutating func add(_ record: NodeRecord) -> Int? {
        if let identifier = record.identifier, incomplete[identifier] != nil { superseded.append(identifier) }
        guard let node = record.node(strings.bytes), record.role != .shadowRoot || node.shadowMode != nil
        else {
            queue.removeLast(queue.count - record.queueEnd)
            return nil
        }
        nodes.append(node)
        if record.isIncomplete, let identifier = record.identifier {
            queue.append((identifier, nodes.count - 1))
        }
        return nodes.count - 1
    }

    private mutating func link(_ index: Int, as role: NodeRecord.Role, to outer: inout NodeRecord) {
        switch role {
        case .child:
            if let last = outer.lastChild { nodes[last].next = index } else { outer.firstChild = index }
            outer.lastChild = index
        case .shadowRoot:
            outer.shadowRoot = index
        case .contents: outer.contents = index
        case .document: outer.document = index
        }
    }

    // MARK: - Attributes

    /// Calls a function with each attribute; a name without a value is ignored.
    func forEachAttribute(of node: DOMNode, _ body: ([UInt8], [UInt8]) -> Void) {
        guard var index = node.attributes else { return }
        let bytes = strings.bytes
        var name: [UInt8] = []
        var value: [UInt8] = []
        var isName = true
        // The reader has checked that there are strings alone, with commas and white space between.
        while index < bytes.count, bytes[index] != UInt8(ascii: "]") {
            guard bytes[index] == UInt8(ascii: "\"") else {
                index += 1
                continue
            }
            if isName {
                index = strings.read(at: index + 1, into: &name)
            } else {
                index = strings.read(at: index + 1, into: &value)
                body(name, value)
            }
            isName.toggle()
        }
    }
}
