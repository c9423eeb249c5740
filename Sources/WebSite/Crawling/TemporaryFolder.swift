import Glibc

/// The folder of the system for files that need not last.
enum TemporaryFolder {
    /// `TMPDIR`, or `/tmp`.
    static var path: String {
        guard let named = unsafe getenv("TMPDIR") else { return "/tmp" }
        let path = unsafe String(cString: named)
        return path.isEmpty ? "/tmp" : path
    }

    /// Removes files of a folder, and the folder if nothing else is in it.
    static func remove(_ path: String, _ names: [String]) {
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }
}
