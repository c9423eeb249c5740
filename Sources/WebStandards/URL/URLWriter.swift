/// The buffer that a URL is serialised into while it is parsed.
///
/// Its capacity is fixed. Bytes that do not fit are dropped and ``overflowed`` is set: the caller then
/// discards the result and starts again with a larger buffer. So no state of the parser needs to work out how
/// much it may write, and no input can make it write past the end. Every access is checked.
///
/// The memory is the caller's, who must not let the writer outlive it.
@safe
struct URLWriter {
    private let start: UnsafeMutablePointer<UInt8>?
    private let capacity: Int
    private(set) var count = 0
    private(set) var overflowed = false

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        unsafe start = buffer.baseAddress
        capacity = buffer.count
    }

    /// The byte at an index, or 0 if none has been written.
    @inline(__always)
    subscript(index: Int) -> UInt8 {
        guard index >= 0, index < count, let start = unsafe start else { return 0 }
        return unsafe start[index]
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        guard count < capacity, let start = unsafe start else {
            overflowed = true
            return
        }
        unsafe start[count] = byte
        count &+= 1
    }

    @inline(__always)
    mutating func append(_ bytes: Span<UInt8>) {
        guard bytes.count <= capacity &- count, let start = unsafe start else {
            overflowed = true
            return
        }
        unsafe bytes.withUnsafeBufferPointer { source in
            if let sourceStart = source.baseAddress {
                unsafe (start + count).update(from: sourceStart, count: source.count)
            }
        }
        count &+= bytes.count
    }

    /// Appends a byte as "%" and two upper-case hexadecimal digits.
    mutating func appendPercentEncoded(_ byte: UInt8) {
        append(URLByte.percent)
        append(URLByte.upperHexDigit(byte >> 4))
        append(URLByte.upperHexDigit(byte & 0xF))
    }

    /// Appends a number in decimal.
    mutating func appendDecimal(_ number: UInt16) {
        var divisor: UInt16 = 10_000
        while divisor > 1, number < divisor { divisor /= 10 }
        while divisor > 0 {
            append(URLByte.zero &+ UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }

    /// Removes the bytes from an index to the end.
    mutating func truncate(to index: Int) {
        count = max(0, min(count, index))
    }

    /// Makes the ASCII letters from an index on lower-case.
    mutating func lowercase(from index: Int) {
        guard let start = unsafe start else { return }
        for position in max(0, index)..<max(0, index, count) {
            unsafe start[position] = URLByte.lowercased(start[position])
        }
    }

    /// Inserts two bytes before an index.
    mutating func insert(_ first: UInt8, _ second: UInt8, at index: Int) {
        guard index >= 0, index <= count, capacity &- count >= 2, let start = unsafe start else {
            overflowed = true
            return
        }
        unsafe (start + index + 2).update(from: start + index, count: count - index)
        unsafe start[index] = first
        unsafe start[index + 1] = second
        count += 2
    }

    /// The written bytes as a string, in one allocation of exactly that size.
    func makeString() -> String {
        unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
