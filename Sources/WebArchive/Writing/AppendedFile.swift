import Glibc
import WebStandards

/// A file to whose end whole members are appended, by several writers in turn.
///
/// A member is written completely or not at all. A turn that fails leaves nothing; if its writer was killed, the
/// members that were complete by then remain, such as a response without its request:
/// - A turn is a lock on the file (`flock`), for which other writers wait.
/// - During a turn, a note beside the file, `NAME.unfinished`, records where the turn began. A killed writer leaves it
///   behind, and the next writer truncates the file after the last complete member that follows this place, and removes
///   nothing else.
/// - A file without such a note is checked once, when it is opened, for a complete last member. The check reads the
///   last 64 KiB, or more if they are in one member; of uncompressed records, it goes through all from the file's
///   start. An unfinished member is cut off, after all members before it were found to be complete.
/// - The bytes of a turn that fails, for example on a full disk, are cut off at once.
///
/// A file is refused if it ends in anything else than complete members and the beginning of another one.
struct AppendedFile: ~Copyable {
    private let own: OwnFile
    private let directory: Directory
    private let name: String
    private let path: String
    private let form: WARCForm

    /// Whether its end has been checked.
    private var isChecked = false
    /// The offset at which the current turn began.
    private var turnStart = 0
    private var hasNote = false

    /// Where the next bytes go.
    private(set) var end = 0

    /// Opens a file, or creates it, readable by its owner only, since requests have cookies.
    ///
    /// - Throws: ``ArchiveError``, if it is a symbolic link, no regular file, another user's, or has several names.
    init(_ path: String, _ form: WARCForm) throws(ArchiveError) {
        let (folder, name) = Directory.split(path)
        let directory = try Self.directory(folder, path)
        own = try Self.file(name, in: directory, path)
        FilesInUse.add(own.status.identity)
        self.directory = directory
        self.path = path
        self.form = form
        self.name = name
    }

    deinit { FilesInUse.release(own.status.identity) }

    private static func directory(_ folder: String, _ path: String) throws(ArchiveError) -> Directory {
        do throws(File.Failure) {
            return try Directory(folder)
        } catch {
            throw unwritable(path, error)
        }
    }

    private static func file(
        _ name: String,
        in directory: borrowing Directory,
        _ path: String
    ) throws(ArchiveError) -> OwnFile {
        do throws(File.Failure) {
            return try OwnFile(updating: name, in: directory)
        } catch {
            throw unwritable(path, error)
        }
    }

    // MARK: - Turns

    /// Waits for the lock, and finds the end of the last whole member.
    mutating func begin() throws(ArchiveError) {
        do throws(File.Failure) {
            while flock(own.file.descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else { throw File.Failure(errno: errno) }
            }
        } catch {
            throw Self.unwritable(path, error)
        }
        do throws(ArchiveError) {
            try findEnd()
            try leaveNote()
        } catch {
            flock(own.file.descriptor, LOCK_UN)
            throw error
        }
    }

    /// Writes bytes at the end.
    mutating func write(_ bytes: [UInt8]) throws(ArchiveError) {
        do throws(File.Failure) {
            try own.file.write(bytes, at: end)
        } catch {
            throw Self.unwritable(path, error)
        }
        end += bytes.count
    }

    /// Ends a turn; what was written stays.
    mutating func commit() {
        removeNote()
        flock(own.file.descriptor, LOCK_UN)
    }

    /// Ends a turn; what was written is cut off.
    mutating func rollBack() {
        // If that fails, the note stays, and the next writer cuts it off.
        if ftruncate(own.file.descriptor, turnStart) == 0 { removeNote() }
        flock(own.file.descriptor, LOCK_UN)
    }

    /// Waits until what was written is on the disk.
    func sync() throws(ArchiveError) {
        guard fsync(own.file.descriptor) == 0 else { throw Self.unwritable(path, File.Failure(errno: errno)) }
    }

    // MARK: - The end

    private mutating func findEnd() throws(ArchiveError) {
        do throws(File.Failure) {
            let status = try own.file.status()
            guard directory.status(name)?.identity == status.identity else {
                throw File.Failure(errno: ESTALE, "it was removed or replaced while it was written")
            }
            end = status.size
        } catch {
            throw Self.unwritable(path, error)
        }
        let note = UnfinishedNote.read(beside: name, in: directory)
        let start = try note.flatMap { note throws(ArchiveError) in
            try isRead { file throws(File.Failure) in try note.isOf(file, size: end) } ? note.start : nil
        }
        if let start {
            // All before it is complete: the killed writer had checked.
            try cut(after: start, isNoted: true)
        } else if !isChecked {
            try check()
        }
        isChecked = true
        turnStart = end
    }

    /// Cuts off the unfinished member, and no complete one, after an offset at which a member begins.
    ///
    /// A file without a complete member is truncated only if a note shows that WebLoader wrote it: it may be any file.
    private mutating func cut(after start: Int, isNoted: Bool) throws(ArchiveError) {
        switch try chain(from: start, isRecord: start == 0) {
        case .whole: break
        case .unfinished(let place) where place > 0 || isNoted: try truncate(to: place)
        case .unfinished(let place), .damaged(let place): throw damaged(at: place)
        }
    }

    private mutating func truncate(to size: Int) throws(ArchiveError) {
        guard ftruncate(own.file.descriptor, size) == 0 else {
            throw Self.unwritable(path, File.Failure(errno: errno))
        }
        end = size
    }

    /// Looks whether a file that was there before is a WARC of its form that ends in a whole member.
    private mutating func check() throws(ArchiveError) {
        guard end > 0 else { return }
        try checkStart()
        switch form {
        case .plain: try cut(after: 0, isNoted: false)
        case .gzip, .zstandard:
            if try !isTailWhole() { try cut(after: 0, isNoted: false) }
        }
    }

    private func checkStart() throws(ArchiveError) {
        let form = form
        let head = try bytes(at: 0, count: 64)
        guard head.starts(with: form.magic.prefix(head.count)) else {
            let isDictionary = form == .zstandard && head.starts(with: [0x5D, 0x2A, 0x4D, 0x18])
            throw ArchiveError(
                .notAnArchive,
                isDictionary
                    ? "\(path) has a dictionary: records cannot be appended to it"
                    : "\(path) is not a WARC of \(form.parts): nothing was appended to it"
            )
        }
    }

    /// Sizes of the parts of the file's end that are looked at, one after the other.
    private static let tailLengths = [64 << 10, 1 << 20, 16 << 20]

    /// Whether whole records follow each other at the file's end; false if that is not known.
    private func isTailWhole() throws(ArchiveError) -> Bool {
        for length in Self.tailLengths where length < end {
            let start = end - length
            let tail = try bytes(at: start, count: length)
            var place = 0
            while let next = Self.firstPlace(of: form.magic, in: tail, from: place) {
                switch try chain(from: start + next, isRecord: true) {
                case .whole: return true
                case .unfinished: return false
                // Where whole members end, those inside of them (a WARC in a WARC) need not be tried.
                case .damaged(let stop): place = max(next + 1, stop - start)
                }
            }
        }
        return false
    }

    private static func firstPlace(of magic: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while place + magic.count <= bytes.count {
            guard let next = bytes[place...].firstIndex(of: magic[0]) else { return nil }
            if bytes[next...].starts(with: magic) { return next }
            place = next + 1
        }
        return nil
    }

    private func chain(from start: Int, isRecord: Bool) throws(ArchiveError) -> MemberChain.End {
        let size = end
        guard let member = form.member else {
            return try isRead { file throws(File.Failure) in
                try PlainChain.end(of: file, from: start, size: size)
            }
        }
        let chain = try MemberChain(form, member)
        return try isRead { file throws(File.Failure) in
            try chain.end(of: file, from: start, size: size, isRecord: isRecord)
        }
    }

    private func bytes(at place: Int, count: Int) throws(ArchiveError) -> [UInt8] {
        try isRead { file throws(File.Failure) in try file.read(count, at: place) }
    }

    private func isRead<Value>(
        _ body: (borrowing File) throws(File.Failure) -> Value
    ) throws(ArchiveError) -> Value {
        do throws(File.Failure) {
            return try body(own.file)
        } catch {
            throw ArchiveError(path, error)
        }
    }

    // MARK: - The note

    private mutating func leaveNote() throws(ArchiveError) {
        let before = try bytes(
            at: max(0, end - UnfinishedNote.tailLength),
            count: min(end, UnfinishedNote.tailLength)
        )
        // In a folder that cannot be written to, the next writer looks at the whole file.
        hasNote = UnfinishedNote(start: end, before: before).write(beside: name, in: directory)
    }

    private mutating func removeNote() {
        if hasNote { UnfinishedNote.remove(beside: name, in: directory) }
        hasNote = false
    }

    // MARK: - Errors

    private func damaged(at place: Int) -> ArchiveError {
        ArchiveError(
            .notAnArchive,
            "\(path) is damaged: no member of a WARC of \(form.parts) begins at byte \(place); nothing was appended to it"
        )
    }

    private static func unwritable(_ path: String, _ failure: File.Failure) -> ArchiveError {
        ArchiveError(.unwritable, "\(path) cannot be written: \(failure.text)")
    }
}
