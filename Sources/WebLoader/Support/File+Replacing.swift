import Glibc

extension File {
    /// Puts bytes in the place of a file, so that no reader ever sees half of them; its owner's alone.
    ///
    /// Directories that are missing are made. What is there and is no file, a device for one, is written to.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            return try File(writing: path).write(bytes)
        }
        let temporary = try makeTemporary(beside: path)
        do throws(Failure) {
            try temporary.file.write(bytes)
            guard unsafe rename(temporary.path, path) == 0 else { throw Failure(errno: errno) }
        } catch {
            // If even this fails, there is nothing more to do.
            _ = unsafe unlink(temporary.path)
            throw error
        }
    }

    private static func makeTemporary(beside path: String) throws(Failure) -> TemporaryFile {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
        do throws(Failure) {
            return try TemporaryFile("\(folder).new-")
        } catch  where error.errno == ENOENT {
            try makeDirectories(String(folder.dropLast()))
            return try TemporaryFile("\(folder).new-")
        }
    }

    /// Makes a directory and those above it.
    static func makeDirectories(_ path: String) throws(Failure) {
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        let reason = Glibc.errno
        if reason == EEXIST { return }
        guard reason == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { throw Failure(errno: reason) }
        try makeDirectories(String(path[..<slash]))
        guard unsafe mkdir(path, 0o700) == 0 || Glibc.errno == EEXIST else {
            throw Failure(errno: Glibc.errno)
        }
    }
}
