/// The body of a stored response, in memory or in a file.
package enum StoredBody: Sendable {
    /// In memory.
    case bytes([UInt8])
    /// In a file of its own, since it is too large to be copied needlessly.
    case file(BodyFile)

    /// How many bytes it has.
    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.count
        }
    }

    /// A range of the body; fewer bytes if its file has been truncated.
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
