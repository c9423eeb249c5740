import Glibc

/// The system's folder for temporary files.
enum TemporaryFolder {
    /// `TMPDIR`, or `/tmp`.
    static var path: String {
        guard let named = unsafe getenv("TMPDIR") else { return "/tmp" }
        let path = unsafe String(cString: named)
        return path.isEmpty ? "/tmp" : path
    }

    /// Removes files of a folder, and the folder if it is empty then.
    static func remove(_ path: String, _ names: [String]) {
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }
}
