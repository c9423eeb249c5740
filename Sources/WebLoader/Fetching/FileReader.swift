import Glibc

/// Reads files and standard input whole, up to a limit.
enum FileReader {
    /// The bytes of a file.
    static func read(path: String, maximumSize: Int) throws(FileError) -> [UInt8] {
        try whole(path, maximumSize) { () throws(File.Failure) in
            let file = try File(reading: path)
            let status = try file.status()
            guard status.st_mode & S_IFMT != S_IFDIR else { throw File.Failure(errno: EISDIR) }
            // What says that it is empty may be a device or a pipe.
            let size = status.st_mode & S_IFMT == S_IFREG ? Int(clamping: status.st_size) : 0
            return try read(file, expected: size, maximumSize: maximumSize)
        }
    }

    /// The bytes of an open descriptor, which stays open.
    static func read(descriptor: Int32, name: String, maximumSize: Int) throws(FileError) -> [UInt8] {
        try whole(name, maximumSize) { () throws(File.Failure) in
            let copy = dup(descriptor)
            guard copy >= 0 else { throw File.Failure(errno: errno) }
            return try read(File(descriptor: copy), expected: 0, maximumSize: maximumSize)
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
            throw FileError(.tooLarge, "\(name): more than \(maximumSize) bytes")
        }
        return bytes
    }

    /// Nil if there are more than `maximumSize` bytes.
    private static func read(
        _ file: borrowing File,
        expected: Int,
        maximumSize: Int
    ) throws(File.Failure) -> [UInt8]? {
        guard expected <= maximumSize else { return nil }
        // One byte more than expected, to see the end.
        var bytes = try file.read(min(expected, maximumSize) + 1)
        guard bytes.count > expected else { return bytes }
        while true {
            guard bytes.count <= maximumSize else { return nil }
            let piece = try file.read(1 << 16)
            bytes += piece
            if piece.isEmpty { return bytes }
        }
    }
}

extension FileError {
    fileprivate init(_ path: String, _ failure: File.Failure) {
        let code: Code =
            switch failure.errno {
            case ENOENT, ENOTDIR: .notFound
            case EISDIR: .isDirectory
            case EACCES, EPERM: .permission
            case EINVAL where path.utf8.contains(0): .path
            default: .unreadable
            }
        self.init(code, "\(path): \(failure.text)")
    }
}
