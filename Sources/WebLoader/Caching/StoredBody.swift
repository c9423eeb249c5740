/// Where a stored response's body stands.
enum StoredBody: Sendable {
    /// In memory.
    case bytes([UInt8])
    /// In a file of its own, too large to be copied for nothing.
    case file(BodyFile)

    /// How many bytes it has.
    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.count
        }
    }

    /// A part of it, or less where its file has been cut.
    func bytes(_ range: Range<Int>) throws(File.Failure) -> [UInt8] {
        switch self {
        case .bytes(let bytes):
            let range = range.clamped(to: 0..<bytes.count)
            return range.count == bytes.count ? bytes : Array(bytes[range])
        case .file(let file):
            return try file.bytes(range)
        }
    }
}
