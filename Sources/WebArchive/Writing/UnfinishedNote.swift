import Glibc
import WebStandards

/// A note beside a file that records the offset from which it is being written.
///
/// It is a line: the offset in decimal, and the last bytes before it in hexadecimal, which distinguish the note from
/// that of another file of the same name.
struct UnfinishedNote {
    /// The offset at which the last complete member ended.
    let start: Int
    /// The last bytes before that, at most ``tailLength``.
    private let before: [UInt8]

    /// The number of bytes before the offset that are noted.
    static let tailLength = 32

    private static let maximumLength = 256

    init(start: Int, before: [UInt8]) {
        self.start = start
        self.before = before
    }

    private static func name(beside name: String) -> String { "\(name).unfinished" }

    /// Reads the note beside a file; returns `nil` if there is none, or if it is unfinished itself.
    static func read(beside name: String, in directory: borrowing Directory) -> UnfinishedNote? {
        // A note is one of this user's files.
        guard let own = try? OwnFile(Self.name(beside: name), in: directory),
            let bytes = try? own.file.read(maximumLength, at: 0), bytes.last == 0x0A
        else { return nil }
        let words = bytes.dropLast().split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 2, let start = Int(bounded: words[0]), start >= 0,
            let before = Base16.decode(words[1]), before.count == min(start, tailLength)
        else { return nil }
        return UnfinishedNote(start: start, before: before)
    }

    /// Whether the note belongs to a file that has the given size.
    func isOf(_ file: borrowing File, size: Int) throws(File.Failure) -> Bool {
        guard start <= size else { return false }
        return try file.read(before.count, at: start - before.count) == before
    }

    /// Whether a file contains a note, or the beginning of one, and nothing else.
    private static func isNote(_ file: borrowing File) -> Bool {
        guard let bytes = try? file.read(maximumLength, at: 0), bytes.count < maximumLength else {
            return false
        }
        let digits = bytes.prefix { $0.isASCIIDigit }
        var rest = bytes.dropFirst(digits.count)
        guard !rest.isEmpty else { return true }
        guard !digits.isEmpty, rest.removeFirst() == 0x20 else { return false }
        if rest.last == 0x0A { rest.removeLast() }
        return rest.count <= 2 * tailLength && rest.allSatisfy(\.isLowerHexDigit)
    }

    /// Puts it beside a file; false if that is impossible, or there is a file in its place that is no note.
    func write(beside name: String, in directory: borrowing Directory) -> Bool {
        var line = Array("\(start) ".utf8)
        line += "\(Base16.encode(before))\n".utf8
        guard let own = try? OwnFile(updating: Self.name(beside: name), in: directory),
            Self.isNote(own.file), ftruncate(own.file.descriptor, 0) == 0
        else { return false }
        guard (try? own.file.write(line, at: 0)) != nil else {
            // The disk is full: a note without words says nothing.
            Self.remove(beside: name, in: directory)
            return false
        }
        return true
    }

    /// Removes it.
    static func remove(beside name: String, in directory: borrowing Directory) {
        _ = directory.remove(Self.name(beside: name))
    }
}
