import Glibc

/// A large body in a program's store, in pieces.
package struct KeyedBody: Sendable {
    /// Keeps it from being removed.
    let holder: Holder

    /// How many bytes it has.
    let count: Int

    /// The checksum of all of it, as that of a body in a file.
    let checksum: UInt64

    init(_ holder: Holder, count: Int, checksum: UInt64) {
        self.holder = holder
        self.count = count
        self.checksum = checksum
    }

    /// The name of a body, which is not removed while somebody of this process has this.
    final class Holder: Sendable {
        let name: String
        let key: CacheKey
        let store: KeyedStore

        init(name: String, key: CacheKey, store: KeyedStore) {
            self.name = name
            self.key = key
            self.store = store
        }

        deinit { store.release(name, of: key) }
    }

    /// The bytes of a range, which is not empty, from its start to the end of the piece where it starts: at most 256 KiB.
    func firstBytes(of range: Range<Int>, until deadline: Double) async throws(CacheStoreError) -> [UInt8] {
        guard !range.isEmpty, range.upperBound <= count else {
            throw CacheStoreError(message: "the cache store has a shorter body", errno: EIO)
        }
        let (index, start) = range.lowerBound.quotientAndRemainder(dividingBy: ContentHash.pieceLength)
        let pieceStart = range.lowerBound - start
        let piece = try await holder.store.piece(index, of: holder, until: deadline)
        guard piece.count == min(ContentHash.pieceLength, count - pieceStart) else {
            throw CacheStoreError(message: "the cache store has another length of a body", errno: EIO)
        }
        let end = min(piece.count, range.upperBound - pieceStart)
        return start == 0 && end == piece.count ? piece : Array(piece[start..<end])
    }

    /// The bytes of a range.
    func bytes(_ range: Range<Int>, until deadline: Double) async throws(CacheStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < range.count {
            let rest = range.lowerBound + bytes.count..<range.upperBound
            bytes += try await firstBytes(of: rest, until: deadline)
        }
        return bytes
    }
}

/// A piece of a body as a store keeps it: its checksum, which counts in whose piece it is and which one, and the bytes.
enum BodyPiece {
    private static let checksumLength = 8

    static func name(_ index: Int, of body: String) -> String { "\(body).\(index)" }

    static func encoded(_ piece: [UInt8], _ index: Int, of body: String) -> [UInt8] {
        var writer = ByteWriter()
        writer.output.reserveCapacity(checksumLength + piece.count)
        writer.integer(checksum(piece.span, index, body))
        writer.raw(piece)
        return writer.output
    }

    /// The bytes of a piece; nil if it is damaged or another one.
    static func decoded(_ bytes: [UInt8], _ index: Int, of body: String) -> [UInt8]? {
        var reader = ByteReader(bytes, 0..<bytes.count)
        guard bytes.count > checksumLength, let stated: UInt64 = try? reader.integer(),
            stated == checksum(bytes.span.extracting(checksumLength..<bytes.count), index, body)
        else { return nil }
        return Array(bytes[checksumLength...])
    }

    private static func checksum(_ piece: Span<UInt8>, _ index: Int, _ body: String) -> UInt64 {
        ContentHash.checksum(piece: piece, after: ContentHash.checksum(Array(name(index, of: body).utf8)))
    }
}
