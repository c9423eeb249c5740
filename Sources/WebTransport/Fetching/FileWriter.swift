import Glibc

/// Writes files that the user named, so that a reader sees the complete old or the complete new file, even
/// after a failure.
package enum FileWriter {
    /// File permissions for the owner only.
    static let isPrivate: UInt32 = 0o600

    /// Seconds that a named pipe may take to be read.
    private static let patience = 300.0

    /// Replaces a file and keeps its permissions; a device or a pipe is written to.
    ///
    /// A symbolic link that this user or root owns is followed, and its target is replaced.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - path: The file's path.
    ///   - mode: The permissions of a new file, before the umask is applied.
    ///   - shown: Makes the bytes fit for a terminal, where the path leads to one.
    /// - Throws: ``/WebStandards/FileError`` with ``/WebStandards/FileError/Code/unwritable``; the existing file is unchanged.
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
