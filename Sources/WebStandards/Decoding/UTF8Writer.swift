/// Writes UTF-8 into memory of a known size, without checking at each byte whether there is room.
///
/// The memory must have room for three bytes for each byte of input, and ``slack`` bytes more: a decoder of
/// the standard writes no more, since it keeps at most four bytes between two calls. The writer stores up to
/// eight bytes at a time, so that bytes behind ``count`` may be overwritten, but none beyond that room.
@safe
struct UTF8Writer {
    /// The room needed beyond three bytes for each byte of input: for pending bytes, and for wide stores.
    static let slack = 32

    /// How many bytes have been written.
    private(set) var count = 0

    /// How many U+FFFD have been written for errors.
    private(set) var replacementCount = 0

    private let base: UnsafeMutableRawPointer
    private let capacity: Int

    /// A writer to `memory`, which must have the room described above.
    init(_ memory: UnsafeMutableRawBufferPointer, base: UnsafeMutableRawPointer) {
        unsafe self.base = base
        capacity = memory.count
    }

    /// Writes a byte below 0x80.
    @inline(__always)
    mutating func write(ascii byte: UInt8) {
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        advance(1)
    }

    /// Writes a scalar value of the Basic Multilingual Plane from U+0080 on, no surrogate.
    @inline(__always)
    mutating func write(basic scalar: UInt16) {
        let value = UInt32(scalar)
        if value < 0x800 {
            let bytes = 0x80C0 | value >> 6 | (value & 0x3F) << 8
            unsafe base.storeBytes(
                of: UInt16(truncatingIfNeeded: bytes).littleEndian,
                toByteOffset: count,
                as: UInt16.self
            )
            advance(2)
        } else {
            let bytes = 0x8080E0 | value >> 12 | (value & 0xFC0) << 2 | (value & 0x3F) << 16
            unsafe base.storeBytes(of: bytes.littleEndian, toByteOffset: count, as: UInt32.self)
            advance(3)
        }
    }

    /// Writes any scalar value.
    @inline(__always)
    mutating func write(_ value: UInt32) {
        if value < 0x80 {
            write(ascii: UInt8(truncatingIfNeeded: value))
        } else if value < 0x10000 {
            write(basic: UInt16(truncatingIfNeeded: value))
        } else {
            let upper = value >> 18 | (value & 0x3F000) >> 4
            let bytes = 0x8080_80F0 | upper | (value & 0xFC0) << 10 | (value & 0x3F) << 24
            unsafe base.storeBytes(of: bytes.littleEndian, toByteOffset: count, as: UInt32.self)
            advance(4)
        }
    }

    /// Writes U+FFFD for an error.
    @inline(__always)
    mutating func writeReplacement() {
        write(basic: 0xFFFD)
        replacementCount &+= 1
    }

    /// Copies `length` bytes of `input` from `start` on.
    @inline(__always)
    mutating func copy(_ input: UnsafeRawBufferPointer, from start: Int, count length: Int) {
        guard length > 0, let source = input.baseAddress else { return }
        unsafe (base + count).copyMemory(from: source + start, byteCount: length)
        advance(length)
    }

    /// Copies the ASCII bytes of `input` from `start` on, and returns the position of the first other byte.
    @inline(__always)
    mutating func copyASCII(_ input: UnsafeRawBufferPointer, from start: Int) -> Int {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var position = start
        let end = input.count
        while position &+ 16 <= end {
            let first = unsafe input.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let second = unsafe input.loadUnaligned(fromByteOffset: position &+ 8, as: UInt64.self)
            if (first | second) & highBits != 0 { break }
            unsafe base.storeBytes(of: first, toByteOffset: count, as: UInt64.self)
            unsafe base.storeBytes(of: second, toByteOffset: count &+ 8, as: UInt64.self)
            advance(16)
            position &+= 16
        }
        while position &+ 8 <= end {
            let word = unsafe input.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
            unsafe base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
            let high = word & highBits
            let run = high == 0 ? 8 : high.trailingZeroBitCount >> 3
            advance(run)
            position &+= run
            if high != 0 { return position }
        }
        while position < end, case let byte = unsafe input[position], byte < 0x80 {
            write(ascii: byte)
            position &+= 1
        }
        return position
    }

    @inline(__always)
    private mutating func advance(_ length: Int) {
        count &+= length
        assert(count <= capacity, "a decoder wrote more than three bytes to a byte of input")
    }
}
