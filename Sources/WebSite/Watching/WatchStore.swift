import Glibc
import WebLoader

/// Where watching remembers what it saw: a folder with a file for each page.
///
/// A file is replaced as a whole, so that a process that is ended at any moment leaves the old one or the new one. Who works on a page
/// holds its lock: of several processes that watch the same list, one tells of a change.
package struct WatchStore: Sendable {
    /// The folder.
    package let folder: String

    /// How long a page's lock is waited for between two attempts.
    private static let pause = Duration.milliseconds(50)

    /// Opens the folder, or makes it.
    ///
    /// - Throws: ``StateError``.
    package init(_ folder: String) throws(StateError) {
        self.folder = folder
        do throws(File.Failure) {
            _ = try Directory.making(own: folder)
        } catch {
            throw .unwritable(folder, error)
        }
    }

    private func path(_ name: String) -> String {
        "\(folder)/\(WatchMemory.hash(Array(name.utf8)).hexadecimal(digits: 16))"
    }

    /// Takes the lock of a page, waiting for whoever has it.
    ///
    /// - Parameters:
    ///   - name: The page's name.
    ///   - isGivenUp: Asked while it waits: whether to wait no longer.
    /// - Returns: The lock.
    /// - Throws: ``StateError``, `state.busy` if the wait was given up.
    func lock(
        _ name: String,
        unless isGivenUp: () -> Bool
    ) async throws(StateError) -> JobLock {
        while true {
            do throws(StateError) {
                return try JobLock(path(name) + ".lock")
            } catch {
                guard error.code == .busy, !isGivenUp(), !Task.isCancelled else { throw error }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// What is remembered of a page.
    enum Kept {
        case memory(WatchMemory)
        case nothing
        /// There is something, which cannot be used.
        case damaged
    }

    /// Reads what is remembered of a page.
    ///
    /// - Throws: ``StateError`` if the file is there and cannot be read.
    func read(_ name: String) throws(StateError) -> Kept {
        let path = path(name) + ".page"
        let bytes: [UInt8]
        do throws(File.Failure) {
            let file = try OwnFile(path, isFolderNamed: true)
            bytes = try file.file.read(file.size, at: 0)
        } catch {
            if error.errno == ENOENT { return .nothing }
            throw StateError(.unreadable, "\(path): \(error.text)")
        }
        guard let memory = WatchMemory(bytes), memory.name == name else { return .damaged }
        return .memory(memory)
    }

    /// Remembers a page, once and for all: its bytes are on the disk when this returns.
    ///
    /// - Throws: ``StateError``.
    func write(_ memory: WatchMemory) throws(StateError) {
        let path = path(memory.name) + ".page"
        do throws(File.Failure) {
            let place = try OutputPlace(path).replacing(mode: 0o600)
            try place.write(memory.bytes)
            try place.finish()
        } catch {
            throw .unwritable(path, error)
        }
    }
}
