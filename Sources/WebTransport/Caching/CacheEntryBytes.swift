/// Writes numbers and strings in the binary format of a cache entry's file.
struct ByteWriter {
    var output: [UInt8] = []

    mutating func raw(_ bytes: [UInt8]) {
        output += bytes
    }

    mutating func integer(_ value: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe output.append(contentsOf: $0) }
    }

    mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
        integer(UInt32(truncatingIfNeeded: bytes.count))
        unsafe output.append(contentsOf: bytes)
    }

    mutating func string(_ string: String) {
        integer(UInt32(truncatingIfNeeded: string.utf8.count))
        output += string.utf8
    }

    /// Writes a byte that says whether there is a string, and the string.
    mutating func optionalString(_ string: String?) {
        output.append(string == nil ? 0 : 1)
        if let string { self.string(string) }
    }
}

extension ByteWriter {
    /// Writes the flags of a response whose body is elsewhere, and where.
    mutating func body(_ flags: UInt8, _ name: String, _ count: Int) {
        integer(flags)
        string(name)
        integer(Int64(count))
    }
}

/// Reads the binary format of a cache entry's file; malformed data is reported as damage.
struct ByteReader {
    private let input: [UInt8]
    private var position: Int
    private let end: Int

    /// Creates a reader of a range, which must be within the input.
    init(_ input: [UInt8], _ range: Range<Int>) {
        self.input = input
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    mutating func skip(_ count: Int) {
        position = min(end, position + count)
    }

    private mutating func raw(_ count: Int) throws(CacheEntryFile.Damage) -> ArraySlice<UInt8> {
        guard count <= end - position else { throw CacheEntryFile.Damage("its fields are truncated") }
        defer { position += count }
        return input[position..<position + count]
    }

    mutating func integer<Value: FixedWidthInteger>() throws(CacheEntryFile.Damage) -> Value {
        let count = Value.bitWidth / 8
        guard count <= end - position else { throw CacheEntryFile.Damage("its fields are truncated") }
        var value: Value = 0
        for index in 0..<count {
            value |=
                Value(truncatingIfNeeded: input[position + index]) &<< Value(truncatingIfNeeded: 8 * index)
        }
        position += count
        return value
    }

    mutating func bytes() throws(CacheEntryFile.Damage) -> ArraySlice<UInt8> {
        let count: UInt32 = try integer()
        return try raw(Int(count))
    }

    mutating func string() throws(CacheEntryFile.Damage) -> String {
        String(decoding: try bytes(), as: UTF8.self)
    }

    mutating func optionalString() throws(CacheEntryFile.Damage) -> String? {
        let flag: UInt8 = try integer()
        guard flag <= 1 else { throw CacheEntryFile.Damage("its fields are inconsistent") }
        return flag == 0 ? nil : try string()
    }

    /// Reads the number of items that follow; each takes at least one byte.
    mutating func count() throws(CacheEntryFile.Damage) -> Int {
        let count: Int64 = try integer()
        guard 0...Int64(end - position) ~= count else {
            throw CacheEntryFile.Damage("its fields are inconsistent")
        }
        return Int(bounded: count)
    }
}
