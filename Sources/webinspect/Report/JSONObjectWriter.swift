import WebLoader

/// A JSON object that is written member by member, so that what is long need not be there as values first, which take
/// several times as much memory.
///
/// Members are to come in the order of their names, as ``JSONValue/serialized(sortingNames:)`` has them.
struct JSONObjectWriter {
    private var bytes = [UInt8(ascii: "{")]

    mutating func add(_ name: String, _ value: JSONValue) {
        begin(name)
        bytes += value.serialized()
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

    private mutating func begin(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
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
