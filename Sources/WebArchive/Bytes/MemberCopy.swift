import Glibc
import WebStandards

/// A copy of something that cannot be read at any place: in memory while it is small, then in a file without a name.
struct MemberCopy: ~Copyable {
    private let name: String
    private var bytes: [UInt8] = []
    private var written = 0
    private var temporary: TemporaryFile?

    /// Bytes that are kept in memory.
    private static let memory = 8 << 20

    /// Creates an empty copy.
    ///
    /// - Parameter name: The name for messages.
    init(name: String) { self.name = name }

    mutating func append(_ piece: [UInt8]) throws(ArchiveError) {
        bytes += piece
        if bytes.count > Self.memory { try flush() }
    }

    /// Returns the copied bytes as a file that is removed with its last reference; on disk even if it is small, if
    /// requested.
    consuming func file(isOnDisk: Bool = false) throws(ArchiveError) -> ArchiveFile {
        guard isOnDisk || temporary != nil else { return ArchiveFile(bytes: bytes, path: name) }
        try flush()
        guard let descriptor = temporary?.file.descriptor else { return ArchiveFile(bytes: [], path: name) }
        let file = try ArchiveFile(path: "/proc/self/fd/\(descriptor)")
        return file.slice(0, length: written, name: name) ?? file
    }

    private mutating func flush() throws(ArchiveError) {
        do throws(File.Failure) {
            if temporary == nil {
                temporary = try TemporaryFile(".webloader-archive-", in: Directory(Self.folder))
            }
            try temporary?.file.write(bytes, at: written)
            written += bytes.count
            bytes = []
        } catch {
            throw ArchiveError(.unwritable, "\(Self.folder): \(error.text)")
        }
    }

    static var folder: String {
        guard let folder = unsafe getenv("TMPDIR"), unsafe folder.pointee != 0 else { return "/tmp" }
        return unsafe String(cString: folder)
    }
}
