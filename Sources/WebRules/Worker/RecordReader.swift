/// Reads bytes that ``RecordWriter`` has written; those from a worker are trusted no more than the page that
/// it parsed.
struct RecordReader {
    /// The bytes are not a valid record.
    struct Malformed: Error {
        /// Whether the only fault is that a value is larger than allowed.
        var isTooLarge = false
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    /// How many bytes values may still take as JSON, approximately: a value of one byte here takes dozens in
    /// memory.
    private var valueLength: Int

    /// How deeply values may be nested: more than any recipe and any JSON that is read can make.
    private static var maximumDepth: Int { 1024 }

    package init(_ bytes: some Collection<UInt8>, valueLength: Int = .largestBounded) {
        self.valueLength = valueLength
        self.bytes = ArraySlice(bytes)
        position = self.bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func byte() throws(Malformed) -> UInt8 {
        guard position < bytes.endIndex else { throw Malformed() }
        defer { position += 1 }
        return bytes[position]
    }

    package mutating func flag() throws(Malformed) -> Bool { try byte() != 0 }

    mutating func word() throws(Malformed) -> UInt32 {
        var number: UInt32 = 0
        for byte in try take(4).reversed() { number = number << 8 | UInt32(byte) }
        return number
    }

    mutating func long() throws(Malformed) -> UInt64 {
        let low = try word()
        return UInt64(try word()) << 32 | UInt64(low)
    }

    package mutating func integer() throws(Malformed) -> Int { Int(bounded: Int64(bitPattern: try long())) }

    package mutating func number() throws(Malformed) -> Double { Double(bitPattern: try long()) }

    mutating func data() throws(Malformed) -> ArraySlice<UInt8> {
        let count = try word()
        return try take(Int(count))
    }

    package mutating func text() throws(Malformed) -> String { String(decoding: try data(), as: UTF8.self) }

    mutating func optionalText() throws(Malformed) -> String? { try flag() ? try text() : nil }

    mutating func optionalInteger() throws(Malformed) -> Int? { try flag() ? try integer() : nil }

    mutating func value(depth: Int = RecordReader.maximumDepth) throws(Malformed) -> JSONValue {
        guard depth > 0 else { throw Malformed() }
        try spend(1)
        switch try byte() {
        case RecordTag.null:
            try spend(3)
            return .null
        case RecordTag.false: return .bool(false)
        case RecordTag.true: return .bool(true)
        case RecordTag.integer: return .integer(Int64(bitPattern: try long()))
        case RecordTag.number: return .number(try number())
        case RecordTag.string: return .string(try valueText())
        case RecordTag.array:
            var values: [JSONValue] = []
            for _ in 0..<(try count()) { values.append(try value(depth: depth - 1)) }
            return .array(values)
        case RecordTag.object:
            var members: [JSONValue.Member] = []
            for _ in 0..<(try count()) {
                let name = try valueText()
                members.append(JSONValue.Member(name, try value(depth: depth - 1)))
            }
            return .object(members)
        default: throw Malformed()
        }
    }

    private mutating func valueText() throws(Malformed) -> String {
        let data = try data()
        try spend(data.count)
        return String(decoding: data, as: UTF8.self)
    }

    /// Subtracts bytes from what values may still take; throws if too few are left.
    private mutating func spend(_ count: Int) throws(Malformed) {
        guard count <= valueLength else { throw Malformed(isTooLarge: true) }
        valueLength -= count
    }

    /// Reads the number of elements that follow; since each takes at least one byte, there cannot be more
    /// than bytes left.
    private mutating func count() throws(Malformed) -> Int {
        let count = Int(try word())
        guard count <= bytes.endIndex - position else { throw Malformed() }
        return count
    }

    private mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - position else { throw Malformed() }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
