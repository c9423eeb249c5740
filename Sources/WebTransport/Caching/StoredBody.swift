import Glibc

/// The body of a stored response, in memory, in a file, or in a program's store.
package enum StoredBody: Sendable {
    /// In memory.
    case bytes([UInt8])
    /// In a file of its own, since it is too large to be copied needlessly.
    case file(BodyFile)
    /// In pieces in a program's store, since it is large.
    case pieces(KeyedBody)

    /// How many bytes it has.
    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.count
        case .pieces(let pieces): pieces.count
        }
    }

    /// Its pieces, nil where it has none.
    var pieces: KeyedBody? {
        guard case .pieces(let pieces) = self else { return nil }
        return pieces
    }

    /// Returns a range of the body; fewer bytes if its file has been truncated.
    ///
    /// Pieces in a program's store, which must be awaited, are not read (EWOULDBLOCK): ``KeyedBody`` reads them.
    func bytes(_ range: Range<Int>) throws(File.Failure) -> [UInt8] {
        switch self {
        case .bytes(let bytes):
            let range = range.clamped(to: 0..<bytes.count)
            return range.count == bytes.count ? bytes : Array(bytes[range])
        case .file(let file):
            return try file.bytes(range)
        case .pieces:
            throw File.Failure(errno: EWOULDBLOCK)
        }
    }
}
