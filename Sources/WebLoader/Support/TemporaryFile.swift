import Glibc

/// A new file under a name that nobody else has, readable by its owner only unless a mode says otherwise.
struct TemporaryFile: ~Copyable {
    let file: File
    let name: String

    /// Makes a file whose name begins as `prefix` and goes on at random.
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

    /// A name that begins as `prefix` and goes on with 64 random bits.
    static func newName(_ prefix: String) -> String {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return prefix + String(repeating: "0", count: digitCount - digits.utf8.count) + digits
    }

    /// Whether a name is one that is made here.
    static func isName(_ name: String, prefix: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let digits = name.utf8.dropFirst(prefix.utf8.count)
        return digits.count == digitCount && digits.allSatisfy(\.isLowerHexDigit)
    }

    /// What names of files begin with that are made to take the place of one of this program's own.
    static let ownPrefix = ".new-"

    private static let digitCount = 16
}
