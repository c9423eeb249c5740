import WebLoader

/// A JSON object that is written member by member, so that what is long need not be there as values first, which take
/// several times as much memory.
///
/// Members are to come in the order of their names, as ``JSONValue/serialized(sortingNames:)`` has them.
struct JSONObjectWriter {
    private var bytes = [UInt8(ascii: "{")]
    private var isEmpty = true
    private var isFirstItem = true

    mutating func add(_ name: String, _ value: JSONValue) {
        begin(name)
        bytes += value.serialized()
    }

    /// Adds a value that is JSON already.
    mutating func add(_ name: String, json: [UInt8]) {
        begin(name)
        bytes += json
    }

    /// Adds an array, of which each item is a value for itself.
    mutating func add<Items: Sequence>(
        _ name: String,
        each items: Items,
        _ json: (Items.Element) -> JSONValue
    ) {
        add(name, each: items, bytes: { json($0).serialized() })
    }

    /// Adds an array, of which each item is written by itself; nil ends it.
    mutating func add<Items: Sequence>(
        _ name: String,
        each items: Items,
        bytes write: (Items.Element) -> [UInt8]?
    ) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for item in items {
            guard let json = write(item) else { break }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes += json
        }
        bytes.append(UInt8(ascii: "]"))
    }

    // MARK: - Piece by piece

    /// Begins an array whose items come one after the other.
    mutating func beginArray(_ name: String) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        isFirstItem = true
    }

    /// Adds an item to the array that was begun.
    mutating func addItem(_ value: JSONValue) {
        if !isFirstItem { bytes.append(UInt8(ascii: ",")) }
        isFirstItem = false
        bytes += value.serialized()
    }

    /// Ends the array that was begun.
    mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// Takes away what was written so far, so that it need not be held.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func begin(_ name: String) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        bytes += JSONValue.string(name).serialized()
        bytes.append(UInt8(ascii: ":"))
    }

    /// The object, and with `isLine` a line feed behind it.
    consuming func written(isLine: Bool = false) -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        if isLine { bytes.append(0x0A) }
        return bytes
    }
}

extension JSONValue {
    /// A place in the source as members, none where it is unknown.
    static func members(_ position: SourcePosition?) -> [Member] {
        guard let position else { return [] }
        var members: [Member] = [Member("line", .integer(Int64(position.line)))]
        if let column = position.column { members.append(Member("column", .integer(Int64(column)))) }
        return members
    }
}
