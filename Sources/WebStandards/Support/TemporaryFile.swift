import Glibc

/// A new file with a unique name, readable by its owner only unless a mode says otherwise.
package struct TemporaryFile: ~Copyable {
    let file: File
    let name: String

    /// Creates a file whose name is `prefix` and random digits.
    init(_ prefix: String, in directory: borrowing Directory, mode: mode_t = 0o600) throws(File.Failure) {
        while true {
            let name = Self.newName(prefix)
            do throws(File.Failure) {
                file = try directory.open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
            } catch {
                if error.errno == EEXIST { continue }
                throw error
            }
            self.name = name
            return
        }
    }

    /// A name of `prefix` and 64 random bits in hexadecimal.
    static func newName(_ prefix: String) -> String {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return prefix + String(repeating: "0", count: digitCount - digits.utf8.count) + digits
    }

    /// Whether a name has the form of such a name.
    package static func isName(_ name: String, prefix: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let digits = name.utf8.dropFirst(prefix.utf8.count)
        return digits.count == digitCount && digits.allSatisfy(\.isLowerHexDigit)
    }

    /// The prefix of temporary files that replace one of this program's own files.
    package static let ownPrefix = ".new-"

    private static let digitCount = 16
}
