import Glibc

/// A new file that has no name while it is written, readable by its owner only: nothing is left of it, however its writer
/// ends.
///
/// Where the file system has none such, it has a name from the start.
struct UnnamedFile: ~Copyable {
    let file: File
    private let prefix: String
    /// Where it is, if it could not be without a name.
    private var path: String?

    /// Makes a file that is to have a name that begins as `prefix` and goes on at random.
    init(_ prefix: String) throws(File.Failure) {
        self.prefix = prefix
        let folder = prefix.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(prefix[..<$0]) } ?? "."
        // The way to its name leads through /proc, which may not be there.
        let descriptor =
            unsafe access(Self.descriptors, X_OK) == 0
            ? unsafe open(folder, Self.unnamed | O_RDWR | O_CLOEXEC, 0o600) : -1
        if descriptor >= 0 {
            file = File(descriptor: descriptor)
            path = nil
        } else {
            let named = try TemporaryFile(prefix)
            path = named.path
            file = named.file
        }
    }

    deinit {
        // If even this fails, a later sweep removes it.
        if let path { _ = unsafe unlink(path) }
    }

    /// Gives it a name that nobody else has, and says which.
    mutating func takeName() throws(File.Failure) -> String {
        if let path = path.take() { return path }
        while true {
            let path = prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
            let descriptor = "\(Self.descriptors)/\(file.descriptor)"
            if unsafe linkat(AT_FDCWD, descriptor, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return path }
            guard errno == EEXIST else { throw File.Failure(errno: errno) }
        }
    }

    /// O_TMPFILE, which Swift does not see: its own bit, the same on all architectures that Swift knows, and a directory's.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY

    /// Where the system names what this process has open.
    private static let descriptors = "/proc/self/fd"
}
