/// The bytes of an image, for reading numbers at any offset; nil beyond the end.
struct ImageBytes {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The byte at an offset.
    func byte(_ offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return Int(bytes[bytes.startIndex + offset])
    }

    /// A number of so many bytes, at most 7, the most significant one first.
    func bigEndian(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A number of so many bytes, at most 7, the least significant one first.
    func littleEndian(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether these bytes stand at an offset.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, length <= bytes.count, offset <= bytes.count - length else { return false }
        let start = bytes.startIndex + offset
        for index in 0..<length where unsafe bytes[start + index] != text.utf8Start[index] { return false }
        return true
    }

    /// The bytes from an offset on, as far as they are there.
    func part(_ offset: Int, _ length: Int) -> ImageBytes {
        let start = min(max(0, offset), bytes.count)
        let end = length < 0 ? start : min(start + min(length, bytes.count), bytes.count)
        return ImageBytes(bytes[bytes.startIndex + start..<bytes.startIndex + end])
    }
}
