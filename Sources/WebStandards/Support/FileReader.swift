import Glibc

/// Reads files and standard input whole, up to a limit of bytes and of time.
package enum FileReader {
    /// The bytes of a path that the user named: a file, or something that is read like one (a named pipe,
    /// `/dev/stdin`, `/dev/fd/63`).
    ///
    /// Symbolic links are followed. Data that does not arrive or end in time is ``FileError/Code/timeout``.
    package static func read(
        path: String,
        maximumSize: Int,
        within limit: WaitLimit = .none
    ) throws(FileError) -> [UInt8] {
        try whole(path, maximumSize) { () throws(File.Failure) in
            try read(File(reading: path), maximumSize: maximumSize, within: limit)
        }
    }

    /// The bytes of a file that this program keeps for itself in a folder that the user named.
    package static func read(own path: String, maximumSize: Int) throws(FileError) -> [UInt8] {
        try whole(path, maximumSize) { () throws(File.Failure) in
            let own = try OwnFile(path, isFolderNamed: true)
            return try read(own.takingFile(), maximumSize: maximumSize, within: .none)
        }
    }

    /// The bytes of an open descriptor, which stays open.
    package static func read(
        descriptor: Int32,
        name: String,
        maximumSize: Int,
        within limit: WaitLimit = .none
    ) throws(FileError) -> [UInt8] {
        try whole(name, maximumSize) { () throws(File.Failure) in
            let copy = dup(descriptor)
            guard copy >= 0 else { throw File.Failure(errno: errno) }
            return try read(File(descriptor: copy), maximumSize: maximumSize, within: limit)
        }
    }

    private static func whole(
        _ name: String,
        _ maximumSize: Int,
        _ body: () throws(File.Failure) -> [UInt8]?
    ) throws(FileError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(File.Failure) {
            bytes = try body()
        } catch {
            throw FileError(name, error)
        }
        guard let bytes else {
            throw FileError(.tooLarge, path: name, "more than \(maximumSize) bytes")
        }
        return bytes
    }

    /// The maximum size of the first read in bytes: a file that claims to be larger may be empty.
    private static let pieceLength = 16 << 20

    /// Bytes of a regular file that are read without checking the time: the default maximum size of a page.
    private static let uncheckedLength = 64 << 20

    /// Nil if there are more than `maximumSize` bytes.
    private static func read(
        _ file: consuming File,
        maximumSize: Int,
        within limit: WaitLimit
    ) throws(File.Failure) -> [UInt8]? {
        let status = try file.status()
        guard status.kind != .directory else { throw File.Failure(errno: EISDIR) }
        let isRegular = status.kind == .regular
        // A device or a pipe may report a size of 0.
        let expected = isRegular ? status.size : 0
        guard expected <= maximumSize else { return nil }
        // One byte more than expected, to see the end.
        let first = min(expected, pieceLength - 1) + 1
        var bytes = try file.read(first, within: isRegular ? nil : limit)
        guard bytes.count == first else { return bytes }
        while bytes.count <= maximumSize {
            // Reading a regular file takes no noticeable time unless it is huge.
            if !isRegular || bytes.count > uncheckedLength { try limit.check() }
            let piece = try file.read(1 << 16, within: isRegular ? nil : limit)
            bytes += piece
            if piece.isEmpty { return bytes }
        }
        return nil
    }
}

extension FileError {
    package init(_ path: String, _ failure: File.Failure) {
        let code: Code =
            switch failure.errno {
            case ENOENT, ENOTDIR: .notFound
            case EISDIR: .isDirectory
            case EACCES, EPERM: .permission
            case EINVAL where path.utf8.contains(0): .path
            case ETIMEDOUT: .timeout
            case ECANCELED: .cancelled
            default: .unreadable
            }
        let text =
            switch code {
            case .timeout: "the time for reading is up"
            case .cancelled: "the load was cancelled"
            default: failure.text
            }
        self.init(code, path: path, text)
    }
}
