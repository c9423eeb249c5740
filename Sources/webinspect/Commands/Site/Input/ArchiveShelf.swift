import Synchronization
import WebLoader

/// The archives that lines name, of which the last few stay open.
final class ArchiveShelf: Sendable {
    private struct Entry {
        let archive: Archive
        var use: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var uses = 0
    }

    private static let capacity = 32

    private let state = Mutex(State())

    /// An archive, opened unless it is open.
    func archive(_ path: String) async throws(ArchiveError) -> Archive {
        if let open = opened(path) { return open }
        let archive = try await BlockingWork.threads.run { () throws(ArchiveError) in
            // Of a pipe or a device no record can be read by its place.
            if let status = FileStatus(path, followsLinks: true), status.kind != .regular,
                status.kind != .directory
            {
                throw ArchiveError(.unreadable, "\(path): it is not a regular file")
            }
            return try Archive(path)
        }
        state.withLock { state in
            if state.entries.count >= Self.capacity,
                let oldest = state.entries.min(by: { $0.value.use < $1.value.use })?.key
            {
                state.entries[oldest] = nil
            }
            state.entries[path] = Entry(archive: archive, use: state.uses)
        }
        return archive
    }

    private func opened(_ path: String) -> Archive? {
        state.withLock { state in
            state.uses += 1
            state.entries[path]?.use = state.uses
            return state.entries[path]?.archive
        }
    }
}
