import Glibc
import Synchronization

/// Stores a body as it arrives: in memory while it is small, then in a file.
final class DiskBodyWriter: StoredBodyWriter {
    private let name: CacheEntryName
    private let maximumSize: Int
    private let state = Mutex(State())

    private struct State: ~Copyable {
        /// The bytes that are not in the file yet, at most one piece.
        var pending: [UInt8] = []
        var count = 0
        var checksum: UInt64 = 0
        /// The body's file, once it is too large for the entry.
        var file: TemporaryFile?
    }

    init(_ name: CacheEntryName, maximumSize: Int) {
        self.name = name
        self.maximumSize = maximumSize
    }

    func write(_ bytes: Span<UInt8>) throws(CacheStoreError) {
        do throws(File.Failure) {
            try append(bytes)
        } catch {
            throw CacheStoreError(name.entry, error)
        }
    }

    func finish() throws(CacheStoreError) -> StoredBody {
        do throws(File.Failure) {
            return try finished()
        } catch {
            throw CacheStoreError(name.entry, error)
        }
    }

    /// Appends the next bytes.
    func append(_ bytes: Span<UInt8>) throws(File.Failure) {
        try state.withLock { state throws(File.Failure) in
            guard bytes.count <= maximumSize - state.count else { throw File.Failure(errno: EFBIG) }
            state.count += bytes.count
            var position = 0
            while position < bytes.count {
                // One full piece may wait: it may be the last one, and the body small enough for the entry.
                if state.pending.count == ContentHash.pieceLength { try flush(&state) }
                let room = ContentHash.pieceLength - state.pending.count
                let end = min(bytes.count, position + room)
                unsafe bytes.extracting(position..<end).withUnsafeBufferPointer {
                    unsafe state.pending.append(contentsOf: $0)
                }
                position = end
            }
        }
    }

    /// Writes what is pending to the file, which is created on first use.
    private func flush(_ state: inout State) throws(File.Failure) {
        if state.file == nil {
            state.file = try TemporaryFile(TemporaryFile.ownPrefix, in: .making(own: name.folder))
        }
        state.checksum = ContentHash.checksum(piece: state.pending.span, after: state.checksum)
        try state.file?.file.write(state.pending)
        state.pending.removeAll(keepingCapacity: true)
    }

    /// The complete body.
    func finished() throws(File.Failure) -> StoredBody {
        try state.withLock { state throws(File.Failure) in
            guard state.file != nil else { return .bytes(state.pending) }
            if !state.pending.isEmpty { try flush(&state) }
            guard let taken = try state.file?.takeName() else { return .bytes([]) }
            state.file = nil
            return .file(
                try BodyFile(
                    path: "\(name.folder)/\(taken)",
                    isTemporary: true,
                    count: state.count,
                    checksum: state.checksum
                )
            )
        }
    }
}
