import Glibc

/// Space for the values of one token that differ from the input's bytes: those with character references,
/// NULs, carriage returns or uppercase letters.
///
/// Finished values keep their address until ``reset()``, although the space grows: a full block is retired,
/// not moved.
@safe struct HTMLScratch: ~Copyable {
    private var block: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var start = 0
    private var end = 0
    private var retired: [UnsafeMutablePointer<UInt8>] = unsafe []

    init() {
        capacity = 1 << 12
        unsafe block = UnsafeMutablePointer.allocate(capacity: 1 << 12)
    }

    deinit {
        unsafe retired.forEach { unsafe $0.deallocate() }
        unsafe block.deallocate()
    }

    /// Discards all values.
    @inline(__always)
    mutating func reset() {
        start = 0
        end = 0
        if unsafe !retired.isEmpty { releaseRetired() }
    }

    @inline(never)
    private mutating func releaseRetired() {
        unsafe retired.forEach { unsafe $0.deallocate() }
        unsafe retired.removeAll()
    }

    /// Begins a value.
    @inline(__always)
    mutating func begin() {
        start = end
    }

    mutating func append(_ byte: UInt8) {
        if end == capacity { grow(by: 1) }
        unsafe block[end] = byte
        end += 1
    }

    mutating func append(_ bytes: HTMLBytes) {
        if capacity - end < bytes.count { grow(by: bytes.count) }
        unsafe memcpy(block + end, bytes.base, bytes.count)
        end += bytes.count
    }

    /// Appends U+FFFD.
    mutating func appendReplacement() {
        append(0xEF)
        append(0xBF)
        append(0xBD)
    }

    /// The length of the value so far.
    var count: Int {
        end - start
    }

    /// Removes the last bytes of the value.
    mutating func removeLast(_ number: Int) {
        end = max(start, end - number)
    }

    /// Ends the value and returns it.
    mutating func finish() -> HTMLBytes {
        unsafe HTMLBytes(block + start, count: end - start)
    }

    @inline(never)
    private mutating func grow(by number: Int) {
        let wanted = max(capacity * 2, (end - start + number) * 2)
        let new = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        unsafe memcpy(new, block + start, end - start)
        unsafe retired.append(block)
        unsafe block = new
        capacity = wanted
        end -= start
        start = 0
    }
}
