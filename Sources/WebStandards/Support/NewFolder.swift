import Glibc

/// A folder that this program makes, and fills with files of its own.
///
/// No file of it replaces one that is there, and no link in it is followed: whatever the names say, nothing is written elsewhere.
package struct NewFolder: ~Copyable {
    private let folder: File

    /// Makes a folder; one that is there already must be empty.
    ///
    /// - Throws: EEXIST if there is something else of that name, ENOTEMPTY if the folder has files.
    package init(_ path: String) throws(File.Failure) {
        guard !path.utf8.contains(0) else { throw File.Failure(errno: EINVAL) }
        if unsafe mkdir(path, 0o777) != 0 {
            guard errno == EEXIST else { throw File.Failure(errno: errno) }
            var entries = try Directory(path)
            while let name = try entries.next() {
                if name == "." || name == ".." { continue }
                throw File.Failure(errno: ENOTEMPTY, "the folder is not empty")
            }
        }
        folder = try File(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    }

    /// Creates a file.
    ///
    /// - Parameter name: Its name, without a slash.
    /// - Returns: The file, open for writing.
    /// - Throws: EEXIST if there is one of that name, EINVAL if it is no name.
    package func create(_ name: String) throws(File.Failure) -> File {
        guard !name.utf8.contains(UInt8(ascii: "/")), name != ".", name != "..", !name.isEmpty else {
            throw File.Failure(errno: EINVAL)
        }
        return try File(
            name,
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
            mode: 0o666,
            in: folder.descriptor
        )
    }
}
