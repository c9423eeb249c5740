/// A growable buffer of bytes.
///
/// An array checks at each appended byte whether it is its buffer's only owner; that took half of the time to
/// write a report. The creator must deallocate it.
@unsafe struct ByteBuffer {
    private var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 4096) {
        unsafe self.capacity = max(1, capacity)
        unsafe start = .allocate(capacity: self.capacity)
    }

    func deallocate() {
        unsafe start.deallocate()
    }

    /// A copy of the bytes.
    var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: count)) }

    /// A part of the bytes, as long as nothing is appended.
    func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: start, count: count)[range])
    }

    /// Takes away all but the first bytes.
    mutating func truncate(to count: Int) {
        unsafe self.count = count
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        unsafe reserve(1)
        unsafe start[count] = byte
        unsafe count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        unsafe append(UnsafeBufferPointer(rebasing: bytes))
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        unsafe reserve(bytes.count)
        unsafe (start + count).initialize(from: source, count: bytes.count)
        unsafe count += bytes.count
    }

    mutating func append(_ text: StaticString) {
        unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if unsafe more > capacity - count { unsafe grow(more) }
    }

    @inline(never)
    /// At least doubles the capacity, so that each appended byte is copied once on average.
    private mutating func grow(_ more: Int) {
        let size = unsafe max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        unsafe larger.initialize(from: start, count: count)
        unsafe start.deallocate()
        unsafe start = larger
        unsafe capacity = size
    }
}
