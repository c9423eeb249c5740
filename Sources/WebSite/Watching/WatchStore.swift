package import WebDatabase
import Glibc
import WebLoader

/// The stored state of watched pages: a folder with a file for each page.
///
/// A file is replaced atomically, so that a process that is ended at any moment leaves the old or the new one. A
/// process that works on a page holds its lock: of several processes that watch the same list, only one reports a
/// change.
package struct WatchStore: Sendable {
    /// The path of the folder.
    package let folder: String

    /// The time between two attempts to take the lock of a page.
    private static let pause = Duration.milliseconds(50)

    /// Opens the folder, after creating it if necessary.
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

    private func path(_ name: String) -> String { "\(folder)/\(Self.stem(name))" }

    /// Returns the prefix of the names of a page's files.
    private static func stem(_ name: String) -> String {
        SealedBytes.hash(Array(name.utf8)[...]).hexadecimal(digits: 16)
    }

    /// Takes the lock of a page, waiting while another process holds it.
    ///
    /// - Parameters:
    ///   - name: The name of the page.
    ///   - isGivenUp: Called while waiting; returns whether to stop waiting.
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

    /// The stored state of a page.
    enum Kept {
        case memory(WatchMemory)
        case nothing
        /// There is a file, but it cannot be used.
        case damaged
    }

    /// Reads the stored state of a page.
    ///
    /// - Throws: ``StateError`` if the file exists and cannot be read.
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

    /// Removes the state of pages that were removed from a list.
    ///
    /// The pages of other lists with the same folder stay, and so do unreadable and locked ones. Unfinished files are
    /// removed after an hour.
    ///
    /// - Parameters:
    ///   - list: The path of the list.
    ///   - names: The names of its pages.
    /// - Returns: The number of pending notifications of the removed pages, by their names.
    /// - Throws: ``StateError`` if the folder cannot be read.
    func forget(of list: String, allBut names: [String]) async throws(StateError) -> [String: Int] {
        let known = Set(names.map(Self.stem))
        let seconds = Int(bounded: Timestamp.now.secondsSince1970)
        var files: [String] = []
        do throws(File.Failure) {
            var directory = try Directory(own: folder)
            while let file = try directory.next() {
                // Left by a process that was ended; a running one is not that slow.
                if TemporaryFile.isName(file, prefix: TemporaryFile.ownPrefix),
                    let status = directory.status(file), status.modified < seconds -| 3600
                {
                    _ = directory.remove(file)
                }
                if file.hasSuffix(".page"), !known.contains(String(file.dropLast(5))) { files.append(file) }
            }
        } catch {
            throw StateError(.unreadable, "\(folder): \(error.text)")
        }
        var owed: [String: Int] = [:]
        for file in files.sorted() {
            guard let page = memory(at: "\(folder)/\(file)"), page.list == list,
                "\(Self.stem(page.name)).page" == file,
                let lock = try? await lock(page.name, unless: { true }),
                let directory = try? Directory(own: folder)
            else { continue }
            // Read again: another process may have sent the notifications meanwhile.
            if let page = memory(at: "\(folder)/\(file)"), directory.remove(file), !page.owed.isEmpty {
                owed[page.name] = page.owed.count
            }
            _ = consume lock
        }
        return owed
    }

    private func memory(at path: String) -> WatchMemory? {
        guard let file = try? OwnFile(path, isFolderNamed: true),
            let bytes = try? file.file.read(file.size, at: 0)
        else { return nil }
        return WatchMemory(bytes)
    }

    /// Writes the state of a page; its bytes are on the disk when this returns.
    ///
    /// - Throws: ``StateError``.
    func write(_ memory: WatchMemory) throws(StateError) {
        let path = path(memory.name) + ".page"
        do throws(File.Failure) {
            try Directory(own: folder)
                .replace(own: "\(Self.stem(memory.name)).page", with: memory.bytes, isSynced: true)
        } catch {
            throw .unwritable(path, error)
        }
    }
}
