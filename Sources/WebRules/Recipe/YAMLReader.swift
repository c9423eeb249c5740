import CYAML

/// Reads YAML, one document, into values with their places: the core schema of YAML 1.2, anchors, merge keys.
///
/// [YAML 1.2.2](https://yaml.org/spec/1.2.2/)
@safe package struct YAMLReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let file: String?
    private var anchors: [String: RecipeNode] = [:]
    private var depth = 0
    /// The number of values so far; repeated ones are counted each time.
    private var count = 0

    /// libyaml's version.
    package static var version: LibraryVersion {
        unsafe LibraryVersion(name: "libyaml", version: String(cString: yaml_get_version_string()))
    }

    /// Reads a document.
    static func read(_ bytes: [UInt8], file: String?) throws(RuleError) -> RecipeNode {
        guard var reader = YAMLReader(bytes, file) else { throw RuleError(.invalid, "out of memory") }
        return try reader.document()
    }

    private init?(_ bytes: [UInt8], _ file: String?) {
        self.file = file
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        // The parser reads from this buffer until it is deleted.
        unsafe input = .allocate(capacity: bytes.count)
        _ = unsafe input.initialize(from: bytes)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            unsafe input.deallocate()
            return nil
        }
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    // MARK: - Events

    /// An event of the parser, copied out of libyaml's structure.
    private struct Event {
        enum Kind {
            case start, end, listStart, listEnd, mappingStart, mappingEnd, alias
            case scalar(String, isPlain: Bool)
        }
        let kind: Kind
        let place: RecipePlace
        /// The anchor of the value, or the one that an alias names.
        let anchor: String?
        let tag: String?
    }

    private func next() throws(RuleError) -> Event {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw syntaxError() }
        defer { unsafe yaml_event_delete(&event) }
        let place = unsafe place(event.start_mark)
        func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
            unsafe bytes.map { unsafe String(cString: $0) }
        }
        switch unsafe event.type {
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            return Event(
                kind: .listStart,
                place: place,
                anchor: unsafe text(start.anchor),
                tag: unsafe text(start.tag)
            )
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            return Event(
                kind: .mappingStart,
                place: place,
                anchor: unsafe text(start.anchor),
                tag: unsafe text(start.tag)
            )
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return Event(
                kind: .scalar(
                    unsafe String(decoding: bytes, as: UTF8.self),
                    isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
                ),
                place: place,
                anchor: unsafe text(scalar.anchor),
                tag: unsafe text(scalar.tag)
            )
        case YAML_ALIAS_EVENT:
            return Event(kind: .alias, place: place, anchor: unsafe text(event.data.alias.anchor), tag: nil)
        case YAML_SEQUENCE_END_EVENT: return Event(kind: .listEnd, place: place, anchor: nil, tag: nil)
        case YAML_MAPPING_END_EVENT: return Event(kind: .mappingEnd, place: place, anchor: nil, tag: nil)
        case YAML_STREAM_END_EVENT: return Event(kind: .end, place: place, anchor: nil, tag: nil)
        default: return Event(kind: .start, place: place, anchor: nil, tag: nil)
        }
    }

    private func place(_ mark: yaml_mark_t) -> RecipePlace {
        RecipePlace(file: file, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private func syntaxError() -> RuleError {
        let problem =
            unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "the text cannot be read"
        let context = unsafe parser.pointee.context.map { unsafe " \(String(cString: $0))" } ?? ""
        return RuleError(
            .invalid,
            "invalid YAML: \(problem)\(context)",
            at: unsafe place(parser.pointee.problem_mark)
        )
    }

    // MARK: - Values

    private mutating func document() throws(RuleError) -> RecipeNode {
        var event = try next()
        while case .start = event.kind { event = try next() }
        if case .end = event.kind { return RecipeNode(.scalar(.null), at: event.place) }
        let node = try value(event)
        event = try next()
        // The events for the end of the document and of the stream.
        while case .start = event.kind {
            let after = try next()
            guard case .end = after.kind else {
                throw RuleError(.invalid, "expected one document, found another", at: after.place)
            }
            event = after
        }
        return node
    }

    private mutating func value(_ event: Event) throws(RuleError) -> RecipeNode {
        count += 1
        guard count <= RecipeNode.Limit.count else {
            throw RuleError(.invalid, "more than \(RecipeNode.Limit.count) values", at: event.place)
        }
        guard depth < RecipeNode.Limit.depth else {
            throw RuleError(
                .invalid,
                "values nested more than \(RecipeNode.Limit.depth) deep",
                at: event.place
            )
        }
        depth += 1
        defer { depth -= 1 }
        let node: RecipeNode
        switch event.kind {
        case .alias: return try repetition(event)
        case .scalar(let text, let isPlain):
            node = RecipeNode(.scalar(try Self.scalar(text, isPlain, event)), at: event.place)
        case .listStart:
            try Self.check(event.tag, "seq", at: event.place)
            node = RecipeNode(.list(try items()), at: event.place)
        case .mappingStart:
            try Self.check(event.tag, "map", at: event.place)
            node = RecipeNode(.mapping(try entries()), at: event.place)
        case .start, .end, .listEnd, .mappingEnd:
            throw RuleError(.invalid, "expected a value, found the end", at: event.place)
        }
        if let anchor = event.anchor { anchors[anchor] = node }
        return node
    }

    /// The value of an alias; an alias inside its own anchor is an error, since that anchor has no value yet.
    private mutating func repetition(_ event: Event) throws(RuleError) -> RecipeNode {
        let name = event.anchor ?? ""
        guard let node = anchors[name] else {
            throw RuleError(.invalid, "expected an anchor \"&\(name)\" before this alias", at: event.place)
        }
        count +|= node.size
        guard count <= RecipeNode.Limit.count else {
            throw RuleError(
                .invalid,
                "more than \(RecipeNode.Limit.count) values, with those that aliases repeat",
                at: event.place
            )
        }
        return node
    }

    private mutating func items() throws(RuleError) -> [RecipeNode] {
        var items: [RecipeNode] = []
        while true {
            let event = try next()
            if case .listEnd = event.kind { return items }
            items.append(try value(event))
        }
    }

    private mutating func entries() throws(RuleError) -> [RecipeNode.Entry] {
        var entries: [RecipeNode.Entry] = []
        var merged: [RecipeNode.Entry] = []
        var keys = KeySet()
        while true {
            let event = try next()
            if case .mappingEnd = event.kind { break }
            guard case .scalar(let key, let isPlain) = event.kind else {
                throw RuleError(
                    .invalid,
                    "expected a key, found a list, a mapping or an alias",
                    at: event.place
                )
            }
            let value = try value(try next())
            if key == "<<", isPlain {
                merged += try Self.merged(value)
                continue
            }
            guard keys.insert(key) else {
                throw RuleError(.invalid, "duplicate key \"\(key)\"", at: event.place)
            }
            entries.append(RecipeNode.Entry(key: key, place: event.place, value: value))
        }
        for entry in merged where keys.insert(entry.key) { entries.append(entry) }
        return entries
    }

    /// The entries that a merge key adds: those of a mapping, or of a list of mappings, in which earlier ones
    /// come first.
    ///
    /// <https://yaml.org/type/merge.html>
    private static func merged(_ node: RecipeNode) throws(RuleError) -> [RecipeNode.Entry] {
        switch node.content {
        case .mapping(let entries): return entries
        case .list(let items):
            var entries: [RecipeNode.Entry] = []
            for item in items {
                guard case .mapping(let more) = item.content else {
                    throw RuleError(
                        .invalid,
                        "expected a mapping to merge, found \(item.description)",
                        at: item.place
                    )
                }
                entries += more
            }
            return entries
        case .scalar:
            throw RuleError(
                .invalid,
                "expected a mapping to merge, found \(node.description)",
                at: node.place
            )
        }
    }

    // MARK: - Scalars

    private static func check(_ tag: String?, _ name: String, at place: RecipePlace) throws(RuleError) {
        guard let tag, tag != "!", tag != "tag:yaml.org,2002:\(name)" else { return }
        throw RuleError(.invalid, "expected no tag, found \"\(tag)\"", at: place)
    }

    private static func scalar(_ text: String, _ isPlain: Bool, _ event: Event) throws(RuleError) -> JSONValue
    {
        if event.tag == "!" || event.tag == "tag:yaml.org,2002:str" { return .string(text) }
        if event.tag != nil { try check(event.tag, "str", at: event.place) }
        return isPlain ? plain(text) : .string(text)
    }

    /// The value of a text without quotes, by the core schema.
    private static func plain(_ text: String) -> JSONValue {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: break
        }
        guard let first = text.utf8.first, first.isASCIIDigit || "+-.".utf8.contains(first) else {
            return .string(text)
        }
        if let integer = Int64(text) { return .integer(integer) }
        for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
            let digits = text.dropFirst(2)
            if digits.utf8.first?.isASCIIAlphanumeric == true, let integer = Int64(digits, radix: radix) {
                return .integer(integer)
            }
        }
        // Swift would also accept "nan", "inf" and hexadecimal fractions, so only characters of decimal
        // numbers are let through.
        let isDecimal = text.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
        if isDecimal, text.utf8.contains(where: \.isASCIIDigit), let number = Double(text), number.isFinite {
            return .number(number)
        }
        return .string(text)
    }
}

/// The keys of a mapping; while they are few, a linear search is faster than hashing.
private struct KeySet {
    private var few: [String] = []
    private var many: Set<String> = []

    /// Inserts a key; false if it is already there.
    mutating func insert(_ key: String) -> Bool {
        if many.isEmpty {
            if few.contains(key) { return false }
            few.append(key)
            if few.count > 8 { many = Set(few) }
            return true
        }
        return many.insert(key).inserted
    }
}
