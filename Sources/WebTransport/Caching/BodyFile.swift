import Glibc
import Synchronization

/// The open file of a large body, which stays readable even if it is removed.
package final class BodyFile: Sendable {
    let count: Int
    let checksum: UInt64

    private let file: File
    private let folder: String
    private let place: Mutex<(name: String, isTemporary: Bool)>

    /// Opens the file at a path.
    init(path: String, isTemporary: Bool, count: Int, checksum: UInt64) throws(File.Failure) {
        file = try OwnFile(path).takingFile()
        let (folder, name) = Directory.split(path)
        self.folder = folder
        place = Mutex((name, isTemporary))
        self.count = count
        self.checksum = checksum
    }

    deinit {
        // A file that is still temporary is removed; if that fails, a later sweep removes it.
        place.withLock { place in
            if place.isTemporary { _ = try? Directory(own: folder).remove(place.name) }
        }
    }

    /// The file's name, without its folder.
    var name: String { place.withLock { $0.name } }

    /// Renames a temporary file to its final name, in the same folder.
    func makePermanent(as name: String) throws(File.Failure) {
        try place.withLock { place throws(File.Failure) in
            guard place.isTemporary else { return }
            try Directory(own: folder).rename(place.name, to: name)
            place = (name, false)
        }
    }

    /// Marks the file as temporary again, so that it is removed: it is not used after all.
    func makeTemporary() {
        place.withLock { $0.isTemporary = true }
    }

    /// Whether it has its final name.
    var isPermanent: Bool { place.withLock { !$0.isTemporary } }

    /// Its current path.
    var path: String { "\(folder)/\(name)" }

    /// How many bytes its file has now.
    func size() throws(File.Failure) -> Int {
        try file.status().size
    }

    /// Reads the whole file and returns whether it matches its checksum.
    func isWhole() -> Bool {
        var check = BodyCheck()
        while check.result == nil { check = check.advanced(in: self) }
        return check.result?.damage == nil
    }

    /// Makes it as old as a new file, so that it does not count as abandoned.
    ///
    /// - Returns: Whether that is permitted, and was done.
    func touch() -> Bool {
        futimens(file.descriptor, nil) == 0
    }

    /// Reads a range; fewer bytes if the file has been truncated since.
    func bytes(_ range: Range<Int>) throws(File.Failure) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        return try file.read(range.count, at: range.lowerBound)
    }
}
