import Glibc
import Synchronization

/// A large body's file: open, so that it stays readable though it be removed.
final class BodyFile: Sendable {
    let count: Int
    let checksum: UInt64

    private let file: File
    private let place: Mutex<(path: String, isTemporary: Bool)>

    /// Opens the file at a path.
    init(path: String, isTemporary: Bool, count: Int, checksum: UInt64) throws(File.Failure) {
        file = try OwnFile(path).takingFile()
        place = Mutex((path, isTemporary))
        self.count = count
        self.checksum = checksum
    }

    deinit {
        // What came to nothing is removed; if even this fails, a later sweep does it.
        place.withLock { place in
            if place.isTemporary { _ = unsafe unlink(place.path) }
        }
    }

    /// The file's name, without its folder.
    var name: String {
        place.withLock { place in
            let start = place.path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
                place.path.utf8.index(after: $0)
            }
            return String(place.path[(start ?? place.path.startIndex)...])
        }
    }

    /// Gives a file that was being written the name that it is to have.
    func settle(at path: String) throws(File.Failure) {
        try place.withLock { place throws(File.Failure) in
            guard place.isTemporary else { return }
            guard unsafe rename(place.path, path) == 0 else { throw File.Failure(errno: errno) }
            place = (path, false)
        }
    }

    /// Takes back the name: the file came to nothing after all.
    func unsettle() {
        place.withLock { $0.isTemporary = true }
    }

    /// Whether it has its final name.
    var isSettled: Bool { place.withLock { !$0.isTemporary } }

    /// Where it is.
    var path: String { place.withLock { $0.path } }

    /// How many bytes its file has now.
    func size() throws(File.Failure) -> Int {
        try file.status().size
    }

    /// Reads all of it once and says whether it is what was written.
    func isWhole() -> Bool {
        var check = BodyCheck()
        while check.result == nil { check = check.advanced(in: self) }
        return check.result?.damage == nil
    }

    /// Reads a part; less of it where the file has been cut since.
    func bytes(_ range: Range<Int>) throws(File.Failure) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        return try file.read(range.count, at: range.lowerBound)
    }
}
