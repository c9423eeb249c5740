import Glibc

/// The bytes of a body, in memory or in a file that is no longer named.
package enum ArchivedBody: Sendable {
    case bytes([UInt8])
    /// A descriptor that the writer does not close, and the number of bytes from its start.
    case file(descriptor: Int32, count: Int)

    /// How many bytes it has.
    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let count): count
        }
    }

    /// Bytes that are passed on at once of what is in a file.
    private static let pieceLength = 256 << 10

    /// Passes its bytes on in pieces, none of them empty.
    ///
    /// - Throws: ``ArchiveError/Code/unreadable`` if the file has fewer bytes; what the closure throws.
    package func forEachPiece(_ body: ([UInt8]) throws(ArchiveError) -> Void) throws(ArchiveError) {
        switch self {
        case .bytes(let bytes):
            if !bytes.isEmpty { try body(bytes) }
        case .file(let descriptor, let count):
            var position = 0
            while position < count {
                let piece = try Self.read(descriptor, min(Self.pieceLength, count - position), at: position)
                try body(piece)
                position += piece.count
            }
        }
    }

    private static func read(
        _ descriptor: Int32,
        _ count: Int,
        at position: Int
    ) throws(ArchiveError) -> [UInt8] {
        while true {
            var got = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                unsafe got = pread(descriptor, buffer.baseAddress, count, position)
                filled = max(0, got)
            }
            if got > 0 { return piece }
            guard got < 0, errno == EINTR else {
                throw ArchiveError(.unreadable, "the temporary file of a body cannot be read")
            }
        }
    }
}
