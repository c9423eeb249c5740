import Synchronization
import WebLoader
import WebSite
import WebTransport

/// The pages that a session keeps, by keys: in memory, or in a folder as a file each.
///
/// Beyond a size, those go that were kept first: who goes back to one then loads it again.
final class KeptPages: Sendable {
    private let directory: String?
    private let maximumSize: Int
    private let lock: JobLock?
    private let state: Mutex<State>

    private struct State {
        /// Their sizes; those that were kept first come first.
        var order = Queue<String>()
        var sizes: [String: Int] = [:]
        var size = 0
        /// In memory; empty where there is a folder.
        var pages: [String: KeptPage] = [:]
    }

    /// The largest file that is read, and that is written.
    private static let maximumFileSize = 1 << 30

    /// - Parameters:
    ///   - directory: The folder, made if it is missing; nil for memory.
    ///   - maximumSize: Bytes that all pages together may have; the newest is kept whatever its size.
    /// - Throws: `StateError`, `state.busy` if another session has the folder.
    init(directory: String?, maximumSize: Int) throws(StateError) {
        if let directory {
            do throws(File.Failure) {
                _ = try Directory.making(own: directory)
            } catch {
                throw StateError(.unwritable, "\(directory): \(error.text)")
            }
            lock = try JobLock("\(directory)/lock")
        } else {
            lock = nil
        }
        self.directory = directory
        self.maximumSize = max(0, maximumSize)
        state = Mutex(State())
    }

    /// Keeps a page.
    ///
    /// It blocks.
    ///
    /// - Returns: Its key, and those of the pages that went for it.
    func keep(_ page: KeptPage) throws(FileError) -> (key: String, gone: Set<String>) {
        let key = UInt64.random(in: .min ... .max).hexadecimal(digits: 16)
        if let directory {
            guard page.size <= Self.maximumFileSize else {
                throw FileError(
                    .tooLarge,
                    path: directory,
                    "a page of \(page.size) bytes is too large to be kept"
                )
            }
            do throws(File.Failure) {
                try Directory.making(own: directory).replace(own: Self.name(key), with: page.bytes)
            } catch {
                throw FileError(.unwritable, path: directory, error.text)
            }
        }
        let gone = state.withLock { state in
            if directory == nil { state.pages[key] = page }
            return add(key, page.size, &state)
        }
        erase(gone)
        return (key, gone)
    }

    /// A page that was kept; nil if it is not there any more, or damaged.
    ///
    /// It blocks.
    func page(_ key: String) -> KeptPage? {
        guard let directory else { return state.withLock { $0.pages[key] } }
        guard Self.isKey(key), let folder = try? Directory(own: directory),
            let own = try? OwnFile(Self.name(key), in: folder), own.size <= Self.maximumFileSize +| 1 << 20,
            let bytes = try? own.file.read(own.size)
        else { return nil }
        return KeptPage(bytes)
    }

    /// Removes pages.
    ///
    /// It blocks.
    func remove(_ keys: Set<String>) {
        guard !keys.isEmpty else { return }
        state.withLock { state in
            for key in keys {
                state.size -= state.sizes.removeValue(forKey: key) ?? 0
                state.pages[key] = nil
            }
        }
        erase(keys)
    }

    /// Counts the pages of entries that were restored, and removes all others from the folder.
    ///
    /// It blocks.
    ///
    /// - Parameter keys: The keys that entries have, the oldest first.
    /// - Returns: The keys of those that are not there.
    func restore(_ keys: [String]) -> Set<String> {
        guard let directory, var folder = try? Directory(own: directory) else { return Set(keys) }
        let wanted = Set(keys)
        var found: [String: Int] = [:]
        while let name = try? folder.next() {
            guard name.hasSuffix(Self.suffix) else { continue }
            let key = String(name.dropLast(Self.suffix.utf8.count))
            guard Self.isKey(key), let status = folder.status(name), status.kind == .regular else { continue }
            if wanted.contains(key) {
                found[key] = status.size
            } else {
                _ = folder.remove(name)
            }
        }
        state.withLock { state in
            for key in keys {
                guard let size = found[key], state.sizes[key] == nil else { continue }
                state.order.append(key)
                state.sizes[key] = size
                state.size += size
            }
        }
        return wanted.subtracting(found.keys)
    }

    private func add(_ key: String, _ size: Int, _ state: inout State) -> Set<String> {
        state.order.append(key)
        state.sizes[key] = size
        state.size +|= size
        var gone: Set<String> = []
        while state.size > maximumSize, state.sizes.count > 1, let first = state.order.popFirst() {
            guard let size = state.sizes.removeValue(forKey: first) else { continue }
            state.size -= size
            state.pages[first] = nil
            gone.insert(first)
        }
        return gone
    }

    private func erase(_ keys: Set<String>) {
        guard let directory, !keys.isEmpty, let folder = try? Directory(own: directory) else { return }
        for key in keys where Self.isKey(key) { _ = folder.remove(Self.name(key)) }
    }

    private static let suffix = ".page"

    private static func name(_ key: String) -> String { key + suffix }

    /// Whether a text is a key, and so the name of no file but one of ours.
    static func isKey(_ text: String) -> Bool {
        text.utf8.count == 16
            && text.utf8.allSatisfy { $0.isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }
    }
}
