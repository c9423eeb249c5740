import Glibc
import WebSite
import WebStandards

/// The folder of a mirror, which one process at a time works on.
///
/// Beside the copy there is a folder in it that is the program's own: what was loaded, what is left, and the list of its files. All
/// that is written is in the folder: no link in it is followed.
final class MirrorFolder: Sendable {
    /// Its path, as it was given.
    let path: String
    private let lock: MirrorLock

    private static let recordName = "mirror.json"
    private static let listName = "files.txt"
    private static let summaryName = "summary.json"
    /// Bytes that they may have.
    private static let maximumSizes = [recordName: 4 << 10, listName: 256 << 20, summaryName: 64 << 20]

    /// Opens a mirror's folder, or makes it.
    ///
    /// - Parameter path: The folder; it must not be there, be empty, or be one of a mirror.
    /// - Throws: ``/WebSite/StateError``: `state.busy` if another process works on it, `file.write` if it is something else.
    init(_ path: String) throws(StateError) {
        self.path = path
        try Self.reporting(path) { () throws(File.Failure) in try Self.begin(path) }
        lock = try MirrorLock("\(path)/\(MirrorNames.ownFolder)/lock")
    }

    /// Does something with its files.
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

    /// Makes the folder and what is the program's own in it, unless the folder is somebody else's.
    private static func begin(_ path: String) throws(File.Failure) {
        guard !path.utf8.contains(0) else { throw File.Failure(errno: EINVAL) }
        if unsafe mkdir(path, 0o777) != 0, errno != EEXIST { throw File.Failure(errno: errno) }
        let top = try Directory(path)
        if try hasRecord(top) { return }
        // What was ended right after it was begun has nothing in it yet, nor has what another process begins now.
        var names = try Directory(path)
        while let name = try names.next() {
            if name == MirrorNames.ownFolder { continue }
            guard try hasRecord(top) else {
                throw File.Failure(errno: ENOTEMPTY, "it has files, and is no mirror of this program")
            }
        }
        _ = try top.folder(own: MirrorNames.ownFolder, isMade: true)
    }

    /// Whether a folder says of itself that it is a mirror's.
    private static func hasRecord(_ top: borrowing Directory) throws(File.Failure) -> Bool {
        guard top.status(MirrorNames.ownFolder)?.kind == .directory else { return false }
        return try top.folder(own: MirrorNames.ownFolder).status(recordName)?.kind == .regular
    }

    // MARK: - The program's own

    /// The path of a file of a copy: its state, its archive.
    func ownPath(_ name: String) -> String { "\(path)/\(MirrorNames.ownFolder)/\(name)" }

    /// What the folder says of itself; a new one begins with the first copy.
    func record() throws(StateError) -> MirrorRecord {
        guard let bytes = try own(Self.recordName) else { return MirrorRecord() }
        guard let record = MirrorRecord(bytes) else {
            throw StateError(.damaged, "\(ownPath(Self.recordName)): it is not what a mirror says of itself")
        }
        return record
    }

    func keep(_ record: MirrorRecord) throws(StateError) { try keep(record.bytes, Self.recordName) }

    /// The files that are the mirror's, by their paths from its top.
    func files() throws(StateError) -> [String] {
        let bytes = try own(Self.listName) ?? []
        // A longer line is none that this program has written.
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        return lines.filter { $0.count <= 2 * MirrorNames.maximumPathLength }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func keep(files: some Sequence<String>) throws(StateError) {
        var text: [UInt8] = []
        for file in files { text += Array(file.utf8) + [UInt8(ascii: "\n")] }
        try keep(text, Self.listName)
    }

    /// What was said of a copy when it was written, if all of its files are still there.
    ///
    /// - Parameter key: What was written, and how, as for ``keep(_:of:)``.
    /// - Returns: It; nil where nothing is known.
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

    /// Keeps what is said of a copy.
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

    /// Removes what an end at the wrong moment has left: files of other copies, and such as had no name yet.
    ///
    /// - Parameter isNeeded: Says of the name of a file of the program's own whether it stays.
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

    /// Makes sure that files which are to be written are nobody else's.
    ///
    /// - Parameter places: Their paths from the top.
    /// - Throws: ``/WebSite/StateError``, `file.write`, if there is one of these.
    func check(new places: some Sequence<[String]>) throws(StateError) {
        for place in places {
            // A folder that is missing has nothing; what is in the place of one is said when it is to be written to.
            guard let name = place.last, let folder = try? folder(of: place, isMade: false),
                folder.status(name) != nil
            else { continue }
            let text = place.joined(separator: "/")
            throw StateError(.unwritable, "\(path)/\(text): what is in its place is not the mirror's")
        }
    }

    /// Removes files without a name of the copy's that writing has left which was ended at the wrong moment.
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

    /// Writes a file of the copy, atomically; one that has these bytes stays as it is.
    ///
    /// - Parameters:
    ///   - bytes: What is in it.
    ///   - place: Its path from the top.
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

    /// Removes a file of the copy, and the folders that are empty without it; what is in its place may be somebody else's by now.
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

/// Keeps a mirror's lock for as long as its folder is open.
private final class MirrorLock: Sendable {
    private let lock: JobLock

    init(_ path: String) throws(StateError) { lock = try JobLock(path) }
}
