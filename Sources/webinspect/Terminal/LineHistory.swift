import CTerminal
import WebLoader

/// The lines of earlier times, in a file that only its user can read.
///
/// The file is replaced as a whole, so that it is never half written; a link or a pipe in its place is left
/// alone. If two processes use it, each adds its lines to those of the other. Errors of reading and writing
/// are ignored: nobody who types a command wants to hear of them.
struct LineHistory {
    /// Bytes of a line that is kept, at most, and of the file.
    private static let maximumLineLength = 4096
    private static let maximumSize = 8 << 20

    private let folder: String
    private let name: String

    /// Names the file, whose folder is made when a line is added.
    init(path: String) {
        (folder, name) = Directory.split(path)
    }

    /// The lines, the last one last.
    func lines() -> [String] {
        guard let directory = try? Directory(folder) else { return [] }
        return read(directory)
    }

    /// Adds a line, unless it is the same as the last or very long.
    func add(_ line: String) {
        guard !line.isEmpty, line.utf8.count <= Self.maximumLineLength else { return }
        if (try? Directory.make(folder)) == nil { return }
        guard var lock = try? Directory(folder), let directory = try? Directory(folder) else { return }
        // Without the lock a line of another process may be lost, which is no reason to wait for long.
        _ = lock.lock(within: 1)
        var lines = read(directory)
        guard lines.last != line else { return }
        lines.append(line)
        let text = lines.suffix(WEBL_HISTORY_COUNT).map { "\($0)\n" }.joined()
        try? directory.replace(own: name, with: Array(text.utf8))
        _ = consume lock
    }

    private func read(_ directory: borrowing Directory) -> [String] {
        guard let own = try? OwnFile(name, in: directory), own.size <= Self.maximumSize,
            let bytes = try? own.file.read(own.size, at: 0)
        else { return [] }
        return bytes.split(separator: 0x0A).filter { $0.count <= Self.maximumLineLength }
            .suffix(WEBL_HISTORY_COUNT).map { String(decoding: $0, as: UTF8.self) }
    }
}
