import WebStandards

/// The members of a ZIP archive, as its directory lists them.
///
/// The library that reads it opens no path and sees only what ``ArchiveFile`` gives it. Names are not judged here: no file
/// is made of one.
package final class ZIPArchive: Sendable {
    /// An entry of the directory.
    package struct Entry: Sendable {
        /// How a member is stored.
        package enum Method: Equatable, Sendable {
            case stored
            case deflated
            /// Another number of the format's list, none of which is read.
            case other(Int)
        }

        /// The name as written; bytes that are no UTF-8 become U+FFFD.
        package let name: String
        package let method: Method
        package let isEncrypted: Bool
        /// Bytes it takes in the file.
        package let compressedSize: Int
        /// Bytes it has when it is read, as the directory says.
        package let size: Int
        let place: Place

        /// How its bytes are found.
        enum Place: Sendable {
            case directory(ZIPReader.Position)
            /// They begin here, as the header before them says.
            case file(Int)
        }

        /// Whether it stands for a folder.
        package var isFolder: Bool { name.hasSuffix("/") }

        /// Whether it can be read at all.
        package var isReadable: Bool { !isEncrypted && (method == .stored || method == .deflated) }

        /// The most that is read of it: nothing that is meant to be read grows a hundredfold.
        package var likelySize: Int { min(size, max(64 << 20, compressedSize *| 100)) }
    }

    /// The file it is.
    package let file: ArchiveFile

    /// The entries in the directory's order, names that come twice among them.
    package let entries: [Entry]

    /// Why entries may be missing; nil if the directory is whole.
    package let damage: String?

    private let indices: [String: Int]

    /// Entries that are listed; more are left out.
    private static let maximumCount = 1 << 20

    /// Reads the directory of an archive; where that is damaged, what stands before each member.
    ///
    /// - Parameter file: A file that can be read at any place.
    /// - Throws: ``ArchiveError/Code/notAnArchive`` without a directory, ``ArchiveError/Code/unavailable`` without the library,
    ///   and what keeps the file from being read.
    package init(file: ArchiveFile) throws(ArchiveError) {
        self.file = file
        var entries: [Entry] = []
        var indices: [String: Int] = [:]
        var damage: String?
        do throws(ArchiveError) {
            let reader = try ZIPReader(file: file)
            while let entry = try reader.nextEntry() {
                guard entries.count < Self.maximumCount else {
                    damage = "more than \(Self.maximumCount) entries"
                    break
                }
                if indices[entry.name] == nil { indices[entry.name] = entries.count }
                entries.append(entry)
            }
        } catch {
            guard error.code == .notAnArchive, var recovery = ZIPRecovery(file) else { throw error }
            damage = error.message
            while entries.count < Self.maximumCount, let entry = try recovery.nextEntry() {
                guard indices[entry.name] == nil else { continue }
                indices[entry.name] = entries.count
                entries.append(entry)
            }
            if entries.isEmpty { throw error }
        }
        self.entries = entries
        self.indices = indices
        self.damage = damage
    }

    /// The first entry of a name.
    package subscript(name: String) -> Entry? { indices[name].map { entries[$0] } }

    /// The names that are there more than once, each once, in the directory's order.
    package var duplicates: [String] {
        var counts: [String: Int] = [:]
        for entry in entries { counts[entry.name, default: 0] += 1 }
        return entries.enumerated().compactMap { index, entry in
            counts[entry.name, default: 0] > 1 && indices[entry.name] == index ? entry.name : nil
        }
    }

    // MARK: - Members

    /// A stored member as a part of the file; nil if it is compressed.
    ///
    /// - Parameter entry: An entry of this archive.
    /// - Returns: The part; its checksum is not checked.
    /// - Throws: ``ArchiveError/Code/body`` if the member is damaged, encrypted, or not in the file.
    package func stored(_ entry: Entry) throws(ArchiveError) -> ArchiveFile? {
        try check(entry)
        guard entry.method == .stored else { return nil }
        let offset: Int
        switch entry.place {
        case .directory(let position): offset = try ZIPReader(file: file).offset(of: entry, position)
        case .file(let place): offset = place
        }
        guard let size = file.size, offset +| entry.compressedSize <= size,
            entry.size == entry.compressedSize,
            let part = file.slice(offset, length: entry.size, name: "\(file.path), \(entry.name)")
        else {
            throw ArchiveError(.body, "\(entry.name): it is not all in the file")
        }
        return part
    }

    /// Reads a member piece by piece, and checks its checksum.
    ///
    /// - Parameters:
    ///   - entry: An entry of this archive.
    ///   - maximumSize: Bytes that are accepted.
    ///   - sink: Takes the pieces, each valid until it returns; returns whether it takes more.
    /// - Throws: ``ArchiveError/Code/body`` if it is damaged or encrypted, ``ArchiveError/Code/limit`` if it has more bytes
    ///   than are accepted; what was passed on until then is right as far as it goes.
    package func read(_ entry: Entry, maximumSize: Int, _ sink: RecordReader.Sink) throws(ArchiveError) {
        try check(entry)
        switch entry.place {
        case .directory(let position):
            let reader = try ZIPReader(file: file)
            unsafe try reader.read(entry, position, maximumSize: maximumSize, sink)
        case .file(let place):
            unsafe try ZIPRecovery.read(entry, at: place, of: file, maximumSize: maximumSize, sink)
        }
    }

    /// The bytes of a member.
    ///
    /// - Parameters:
    ///   - entry: An entry of this archive.
    ///   - maximumSize: Bytes that are accepted.
    /// - Returns: Its bytes.
    /// - Throws: As ``read(_:maximumSize:_:)``.
    package func contents(of entry: Entry, maximumSize: Int) throws(ArchiveError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(entry.size, maximumSize, 1 << 20))
        unsafe try read(entry, maximumSize: maximumSize) { piece throws(ArchiveError) in
            unsafe bytes.append(contentsOf: piece)
            return true
        }
        return bytes
    }

    /// A member as a file: in place if it is stored, else in memory or, if it is large, in a temporary file without a name.
    ///
    /// - Parameters:
    ///   - entry: An entry of this archive.
    ///   - maximumSize: Bytes that are accepted of a member that is compressed.
    /// - Returns: The file, and what kept the rest of it from being read; nil if it is all there.
    /// - Throws: ``ArchiveError`` if nothing of it can be read.
    package func member(
        _ entry: Entry,
        maximumSize: Int
    ) throws(ArchiveError) -> (file: ArchiveFile, failure: ArchiveError?) {
        if let part = try stored(entry) { return (part, nil) }
        var copy = MemberCopy(name: "\(file.path), \(entry.name)")
        var failure: ArchiveError?
        do throws(ArchiveError) {
            unsafe try read(entry, maximumSize: maximumSize) { piece throws(ArchiveError) in
                unsafe try copy.append(Array(piece))
                return true
            }
        } catch {
            guard error.code == .body || error.code == .limit else { throw error }
            failure = error
        }
        return (try copy.file(), failure)
    }

    private func check(_ entry: Entry) throws(ArchiveError) {
        guard !entry.isEncrypted else { throw ArchiveError(.body, "\(entry.name): it is encrypted") }
        if case .other(let method) = entry.method {
            throw ArchiveError(.body, "\(entry.name): its compression, number \(method), is not supported")
        }
    }
}
