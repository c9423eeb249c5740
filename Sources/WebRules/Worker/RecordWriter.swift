/// Serializes values to bytes, for records to and from the worker, and for Lua.
///
/// JSON is not suitable: it has no nodes, changes numbers and texts that are not UTF-8, and is slower.
/// `CLua.h` has the tags of ``/WebStandards/JSONValue``; numbers are little-endian, a text is its length in four bytes and
/// its UTF-8.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ byte: UInt8) { bytes.append(byte) }

    mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func write(_ number: UInt32) {
        for shift in stride(from: 0, to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func write(_ number: UInt64) {
        write(UInt32(truncatingIfNeeded: number))
        write(UInt32(truncatingIfNeeded: number >> 32))
    }

    mutating func write(_ number: Int) { write(UInt64(bitPattern: Int64(number))) }

    mutating func write(_ number: Double) { write(number.bitPattern) }

    /// Data that is too long for a length of four bytes is truncated; no data here is that long.
    mutating func write(_ data: some Collection<UInt8>) {
        let count = UInt32(clamping: data.count)
        write(count)
        bytes.append(contentsOf: data.prefix(Int(count)))
    }

    mutating func write(_ text: String) { write(text.utf8) }

    mutating func write(_ text: String?) {
        write(text != nil)
        if let text { write(text) }
    }

    mutating func write(_ number: Int?) {
        write(number != nil)
        if let number { write(number) }
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: write(RecordTag.null)
        case .bool(let isTrue): write(isTrue ? RecordTag.true : RecordTag.false)
        case .integer(let integer):
            write(RecordTag.integer)
            write(UInt64(bitPattern: integer))
        case .number(let number):
            write(RecordTag.number)
            write(number)
        case .string(let text):
            write(RecordTag.string)
            write(text)
        case .array(let values):
            write(RecordTag.array)
            write(UInt32(clamping: values.count))
            for value in values { write(value) }
        case .object(let members):
            write(RecordTag.object)
            write(UInt32(clamping: members.count))
            for member in members {
                write(member.name)
                write(member.value)
            }
        }
    }

    /// A node, by its address, for scripts.
    mutating func write(node: UInt) {
        write(RecordTag.node)
        write(UInt64(node))
    }

    /// An attribute of the node at an address, for scripts.
    mutating func write(attribute name: String, _ value: String, of node: UInt) {
        write(RecordTag.attribute)
        write(UInt64(node))
        write(name)
        write(value)
    }

    /// Begins a list, for scripts.
    mutating func writeList(count: Int) {
        write(RecordTag.array)
        write(UInt32(clamping: count))
    }
}

/// The first byte of a value.
enum RecordTag {
    static let null: UInt8 = 0
    static let `false`: UInt8 = 1
    static let `true`: UInt8 = 2
    static let integer: UInt8 = 3
    static let number: UInt8 = 4
    static let string: UInt8 = 5
    static let array: UInt8 = 6
    static let object: UInt8 = 7
    static let node: UInt8 = 8
    static let attribute: UInt8 = 9
}
