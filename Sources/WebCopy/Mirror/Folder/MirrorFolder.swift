import Glibc
import WebSite
import WebStandards

/// The folder of a mirror, which one process at a time works on.
///
/// Beside the copy, it has a folder of the program's own: the loaded responses, the state of the job, and the list of
/// the mirror's files. Everything that is written is in the folder: no link in it is followed.
final class MirrorFolder: Sendable {
    /// Its path, as it was given.
    let path: String
    private let lock: MirrorLock

    private static let recordName = "mirror.json"
    private static let listName = "files.txt"
    private static let summaryName = "summary.json"
    /// The maximum sizes of these files, in bytes.
    private static let maximumSizes = [recordName: 4 << 10, listName: 256 << 20, summaryName: 64 << 20]

    /// Opens a mirror's folder, or creates it.
    ///
    /// - Parameter path: The folder; it must be missing, empty, or a mirror's.
    /// - Throws: ``/WebSite/StateError``: `state.busy` if another process works on it, `file.write` if it is anything
    ///   else.
    init(_ path: String) throws(StateError) {
        self.path = path
        try Self.reporting(path) { () throws(File.Failure) in try Self.begin(path) }
        lock = try MirrorLock("\(path)/\(MirrorNames.ownFolder)/lock")
    }

    /// Performs an operation on files, and reports its failure as `file.write`.
    static func reporting<Value: ~Copyable>(
        _ path: String,
        _ body: () throws(File.Failure) -> Value
    ) throws(StateError) -> Value {
        do throws(File.Failure) {
            return try body()
        } catch {
            throw StateError(.unwritable, "\(path): \(error.text)")
        }
    }

    /// Creates the folder and the program's own folder in it, unless the folder has files that are not a mirror's.
    private static func begin(_ path: String) throws(File.Failure) {
        guard !path.utf8.contains(0) else { throw File.Failure(errno: EINVAL) }
        if unsafe mkdir(path, 0o777) != 0, errno != EEXIST { throw File.Failure(errno: errno) }
        let top = try Directory(path)
        if try hasRecord(top) { return }
        // A mirror whose process ended right after it began has no files yet, nor has one that another process begins
        // now.
        var names = try Directory(path)
        while let name = try names.next() {
            if name == MirrorNames.ownFolder { continue }
            guard try hasRecord(top) else {
                throw File.Failure(errno: ENOTEMPTY, "it has files, and is no mirror of this program")
            }
        }
        _ = try top.folder(own: MirrorNames.ownFolder, isMade: true)
    }

    /// Whether a folder has the record of a mirror.
    private static func hasRecord(_ top: borrowing Directory) throws(File.Failure) -> Bool {
        guard top.status(MirrorNames.ownFolder)?.kind == .directory else { return false }
        return try top.folder(own: MirrorNames.ownFolder).status(recordName)?.kind == .regular
    }

    // MARK: - The program's own

    /// Returns the path of a file in the program's own folder: the state or the archive of a copy.
    func ownPath(_ name: String) -> String { "\(path)/\(MirrorNames.ownFolder)/\(name)" }

    /// Returns the folder's record; that of a new folder begins with the first copy.
    func record() throws(StateError) -> MirrorRecord {
        guard let bytes = try own(Self.recordName) else { return MirrorRecord() }
        guard let record = MirrorRecord(bytes) else {
            throw StateError(.damaged, "\(ownPath(Self.recordName)): it is not what a mirror says of itself")
        }
        return record
    }

    func keep(_ record: MirrorRecord) throws(StateError) { try keep(record.bytes, Self.recordName) }

    /// Returns the mirror's files, by their paths from its top.
    func files() throws(StateError) -> [String] {
        let bytes = try own(Self.listName) ?? []
        // This program does not write longer lines.
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        return lines.filter { $0.count <= 2 * MirrorNames.maximumPathLength }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func keep(files: some Sequence<String>) throws(StateError) {
        var text: [UInt8] = []
        for file in files { text += Array(file.utf8) + [UInt8(ascii: "\n")] }
        try keep(text, Self.listName)
    }

    /// Returns the summary of a copy from when it was written, if all of its files still exist.
    ///
    /// - Parameter key: The key of the copy and its options, as for ``keep(_:of:)``.
    /// - Returns: The summary; `nil` if it is unknown.
    func summary(of key: String) -> MirrorSummary? {
        guard let bytes = try? own(Self.summaryName), let value = try? JSONValue(parsing: bytes),
            value["copy"]?.string == key, let summary = value["summary"].flatMap({ MirrorSummary($0) }),
            let files = try? files(), files.count == summary.files
        else { return nil }
        var size = 0
        for file in files {
            let status = FileStatus("\(path)/\(file)", followsLinks: false)
            guard let status, status.kind == .regular else { return nil }
            size +|= status.size
        }
        return size == summary.bytes ? summary : nil
    }

    /// Stores the summary of a copy.
    func keep(_ summary: MirrorSummary, of key: String) throws(StateError) {
        let value: JSONValue = ["copy": .string(key), "summary": summary.json]
        let bytes = value.line
        guard bytes.count <= Self.maximumSizes[Self.summaryName] ?? 0 else { return }
        try keep(bytes, Self.summaryName)
    }

    /// Removes files of a copy that is not needed any more.
    func remove(own names: [String]) throws(StateError) {
        try Self.reporting(path) { () throws(File.Failure) in
            let folder = try ownFolder()
            for name in names { _ = folder.remove(name) }
        }
    }

    /// Removes the remains of an interrupted process: files of other copies, and temporary files.
    ///
    /// - Parameter isNeeded: Returns whether a file of the program's own, given by its name, stays.
    /// - Throws: ``/WebSite/StateError`` if they cannot be listed.
    func sweep(_ isNeeded: (String) -> Bool) throws(StateError) {
        try Self.reporting(path) { () throws(File.Failure) in
            var folder = try ownFolder()
            var names: [String] = []
            while let name = try folder.next() {
                let isTemporary = TemporaryFile.isName(name, prefix: TemporaryFile.ownPrefix)
                if isTemporary || !isNeeded(name) { names.append(name) }
            }
            for name in names { _ = folder.remove(name) }
        }
    }

    private func ownFolder() throws(File.Failure) -> Directory {
        try Directory(path).folder(own: MirrorNames.ownFolder)
    }

    private func own(_ name: String) throws(StateError) -> [UInt8]? {
        try Self.reporting(ownPath(name)) { () throws(File.Failure) in
            let folder = try ownFolder()
            guard folder.status(name) != nil else { return nil }
            let file = try OwnFile(name, in: folder)
            guard file.size <= Self.maximumSizes[name] ?? 0 else {
                throw File.Failure(errno: EFBIG, "it is larger than this program makes it")
            }
            return try file.file.read(file.size, at: 0)
        }
    }

    private func keep(_ bytes: [UInt8], _ name: String) throws(StateError) {
        try Self.reporting(ownPath(name)) { () throws(File.Failure) in
            try ownFolder().replace(own: name, with: bytes, isSynced: true)
        }
    }

    // MARK: - The copy

    /// Checks that the files to be written do not replace files that are not the mirror's.
    ///
    /// - Parameter places: Their paths from the top.
    /// - Throws: ``/WebSite/StateError``, `file.write`, if there is such a file.
    func check(new places: some Sequence<[String]>) throws(StateError) {
        for place in places {
            // A missing folder has no files; writing reports what is in the place of a folder.
            guard let name = place.last, let folder = try? folder(of: place, isMade: false),
                folder.status(name) != nil
            else { continue }
            let text = place.joined(separator: "/")
            throw StateError(.unwritable, "\(path)/\(text): what is in its place is not the mirror's")
        }
    }

    /// Removes temporary files that an interrupted write has left in a folder of the copy.
    ///
    /// - Parameter place: A folder of the copy, by its path from the top.
    func sweep(_ place: [String]) {
        guard var folder = try? folder(of: place + [""], isMade: false) else { return }
        var names: [String] = []
        while let name = try? folder.next() {
            if TemporaryFile.isName(name, prefix: OutputPlace.temporaryPrefix) { names.append(name) }
        }
        for name in names { _ = folder.remove(name) }
    }

    /// Writes a file of the copy atomically; a file that has these bytes already is not written again.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file.
    ///   - place: The file's path from the top.
    /// - Throws: ``/WebSite/StateError``, `file.write`: a full disk, or a link where a folder was.
    func write(_ bytes: [UInt8], to place: [String]) throws(StateError) {
        try Self.reporting("\(path)/\(place.joined(separator: "/"))") { () throws(File.Failure) in
            guard let name = place.last else { return }
            let folder = try folder(of: place, isMade: true)
            if let status = folder.status(name), status.kind == .regular, status.size == bytes.count,
                let file = try? OwnFile(name, in: folder), (try? file.file.read(bytes.count, at: 0)) == bytes
            {
                return
            }
            try folder.replace(name, with: bytes)
        }
    }

    /// Removes a file of the copy, and the folders that become empty; something else may be in its place by now, and
    /// stays.
    func remove(_ place: [String]) {
        var place = place
        var isFile = true
        while let name = place.last {
            guard let folder = try? folder(of: place, isMade: false) else { return }
            let isGone =
                isFile
                ? folder.status(name)?.kind == .regular && folder.remove(name) : folder.removeFolder(name)
            guard isGone else { return }
            isFile = false
            place.removeLast()
        }
    }

    private func folder(of place: [String], isMade: Bool) throws(File.Failure) -> Directory {
        var folder = try Directory(path)
        for name in place.dropLast() {
            do throws(File.Failure) {
                folder = try folder.folder(own: name, isMade: isMade)
            } catch {
                guard error.errno == ENOTDIR || error.errno == ELOOP else { throw error }
                throw File.Failure(
                    errno: error.errno,
                    "there is something else in the place of the folder \"\(name)\""
                )
            }
        }
        return folder
    }
}

/// The lock of a mirror, held for as long as its folder is open.
private final class MirrorLock: Sendable {
    private let lock: JobLock

    init(_ path: String) throws(StateError) { lock = try JobLock(path) }
}
