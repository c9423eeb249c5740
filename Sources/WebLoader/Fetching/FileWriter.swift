import Glibc

/// Writes files that the user named, so that a reader, and whoever comes after a failure, sees the old or the new one whole.
package enum FileWriter {
    /// Permissions that only the owner has.
    static let isPrivate: UInt32 = 0o600

    /// Seconds that a named pipe may take to be read.
    private static let patience = 300.0

    /// Puts bytes in the place of a file, which keeps its permissions; a device or a pipe is written to.
    ///
    /// A link of this user's or root's is followed, and the file replaced that it leads to.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - path: The file's path.
    ///   - mode: The permissions of a file that is made, less the umask.
    ///   - shown: Makes the bytes fit for a terminal, where the path leads to one.
    /// - Throws: ``FileError`` with ``FileError/Code/unwritable``; what was there is as it was.
    package static func write(
        _ bytes: [UInt8],
        to path: String,
        mode: UInt32 = 0o666,
        shown: ([UInt8]) -> [UInt8] = { $0 }
    ) throws(FileError) {
        do throws(File.Failure) {
            let limit = WaitLimit(seconds: patience)
            try OutputPlace(path).write(bytes, mode: mode, within: limit, shown: shown)
        } catch {
            throw FileError(.unwritable, path: path, error.text)
        }
    }
}
