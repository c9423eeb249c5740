/// Reads a recipe's text, JSON or YAML, into values with their places.
package enum RecipeText {
    /// Reads a document.
    ///
    /// Text that begins with a brace is tried as JSON first, since libyaml does not support all of JSON's
    /// escapes. If it is not valid JSON, it may still be YAML in flow style.
    package static func read(_ bytes: [UInt8], file: String?) throws(RuleError) -> RecipeNode {
        guard bytes.count <= RecipeNode.Limit.length else {
            throw RuleError(
                .invalid,
                "the text has \(bytes.count) bytes, \(RecipeNode.Limit.length) allowed",
                at: RecipePlace(file: file, line: 1, column: 1)
            )
        }
        if bytes.first(where: { !$0.isASCIIWhitespace }) == UInt8(ascii: "{") {
            var parser = JSONParser(input: bytes, builder: RecipeNodeBuilder(bytes, file))
            // Not JSON, or too deep: the YAML reader decides, and reports the place of the error.
            if let node = try? parser.document() {
                try check(node, depth: 1)
                return node
            }
        }
        return try YAMLReader.read(bytes, file: file)
    }

    /// Checks the limits and duplicate keys, which the YAML reader checks while it reads.
    private static func check(_ node: RecipeNode, depth: Int) throws(RuleError) {
        guard depth <= RecipeNode.Limit.depth else {
            throw RuleError(
                .invalid,
                "values nested more than \(RecipeNode.Limit.depth) deep",
                at: node.place
            )
        }
        guard node.size <= RecipeNode.Limit.count else {
            throw RuleError(.invalid, "more than \(RecipeNode.Limit.count) values", at: node.place)
        }
        switch node.content {
        case .scalar: break
        case .list(let items): for item in items { try check(item, depth: depth + 1) }
        case .mapping(let entries):
            var keys: Set<String> = []
            for entry in entries {
                guard keys.insert(entry.key).inserted else {
                    throw RuleError(.invalid, "duplicate key \"\(entry.key)\"", at: entry.place)
                }
                try check(entry.value, depth: depth + 1)
            }
        }
    }
}

/// Builds values with their places from JSON.
private struct RecipeNodeBuilder: JSONBuilder {
    private let file: String?
    /// The offsets at which lines begin.
    private let lines: [Int]
    /// The offsets of UTF-8 continuation bytes.
    private let continuations: [Int]

    init(_ bytes: [UInt8], _ file: String?) {
        self.file = file
        var lines = [0]
        var continuations: [Int] = []
        for (offset, byte) in bytes.enumerated() {
            if byte == 0x0A { lines.append(offset + 1) }
            if byte & 0xC0 == 0x80 { continuations.append(offset) }
        }
        self.lines = lines
        self.continuations = continuations
    }

    func scalar(_ value: JSONValue, at offset: Int) -> RecipeNode {
        RecipeNode(.scalar(value), at: place(offset))
    }

    func array(_ items: [RecipeNode], at offset: Int) -> RecipeNode {
        RecipeNode(.list(items), at: place(offset))
    }

    func object(_ members: [(name: String, offset: Int, value: RecipeNode)], at offset: Int) -> RecipeNode {
        RecipeNode(
            .mapping(
                members.map { RecipeNode.Entry(key: $0.name, place: place($0.offset), value: $0.value) }
            ),
            at: place(offset)
        )
    }

    private func place(_ offset: Int) -> RecipePlace {
        let line = Self.count(in: lines, upTo: offset)
        let start = lines[line - 1]
        let skipped = Self.count(in: continuations, upTo: offset) - Self.count(in: continuations, upTo: start)
        return RecipePlace(file: file, line: line, column: offset - start - skipped + 1)
    }

    /// How many of the offsets, which are in ascending order, are at most a given one.
    private static func count(in offsets: [Int], upTo offset: Int) -> Int {
        var (low, high) = (0, offsets.count)
        while low < high {
            let middle = (low + high) / 2
            if offsets[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
