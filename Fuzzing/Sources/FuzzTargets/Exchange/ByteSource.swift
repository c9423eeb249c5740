/// The bytes of an input as choices; past the end every choice is the first one.
///
/// All of a history runs on one thread.
final class ByteSource: @unchecked Sendable {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes)
    }

    var isAtEnd: Bool { position >= bytes.count }

    func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// A number from 0 to `count - 1`.
    func number(below count: Int) -> Int { Int(byte()) % count }

    func pick<Value>(_ values: [Value]) -> Value { values[number(below: values.count)] }

    /// True for one of `count` bytes, and never at the end.
    func isOne(of count: Int) -> Bool { number(below: count) == count - 1 }

    /// The next `count` bytes, or fewer at the end.
    func text(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, position + count)
        defer { position = end }
        return Array(bytes[position..<end])
    }
}
