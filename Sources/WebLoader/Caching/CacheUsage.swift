import Glibc

/// How many bytes a cache on disk has: a count in a small file, which writers add to, and which is made anew by
/// looking at all files where it is not there, not to be believed, or a day old.
///
/// No look-up reads it, and nothing is lost with it.
struct CacheUsage {
    private let directory: String

    static let fileName = "usage"
    private static let magic = Array("WLUSAGE\n".utf8)
    private static let length = 8 + 8 + 8

    /// Seconds after which the count is made anew.
    private static let recountInterval: Int64 = 86_400

    init(_ directory: String) {
        self.directory = directory
    }

    /// Adds to the count and returns it; the largest number where it has to be made anew.
    ///
    /// Where it cannot be written, or others keep it, nothing is counted: a later count of all puts that right.
    func add(_ bytes: Int) -> Int {
        do throws(File.Failure) {
            let directory = try Directory(directory)
            guard directory.status(Self.fileName) != nil else { return .largestBounded }
            // Only what is a count already is written to in place.
            let own = try OwnFile(updating: Self.fileName, in: directory)
            guard Self.lock(own.file) else { return 0 }
            let contents = try own.file.read(Self.length + 1, at: 0)
            guard let (old, counted) = Self.parse(contents) else {
                return Self.isOurs(contents) ? .largestBounded : 0
            }
            let (sum, overflow) = old.addingReportingOverflow(Int64(bytes))
            let age = Timestamp.now.secondsSince1970.subtractingReportingOverflow(counted)
            guard !overflow, !age.overflow, age.partialValue.magnitude < Self.recountInterval else {
                return .largestBounded
            }
            try own.file.write(Self.contents(max(0, sum), counted), at: 0)
            return Int(bounded: max(0, sum))
        } catch {
            return 0
        }
    }

    /// Bytes that a file takes: whole blocks, so that many small ones count for what they are.
    static func size(_ count: Int) -> Int {
        let (padded, overflow) = count.addingReportingOverflow(4095)
        return overflow ? count : padded & ~4095
    }

    /// Keeps others from the file; false where somebody else does that for too long.
    private static func lock(_ file: borrowing File) -> Bool {
        for _ in 0..<100 {
            if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            sched_yield()
        }
        return false
    }

    /// The count and when all files were looked at for it, in seconds since 1970; nil for what is no count.
    private static func parse(_ contents: [UInt8]) -> (bytes: Int64, counted: Int64)? {
        guard contents.count == length, contents.starts(with: magic) else { return nil }
        var reader = ByteReader(contents, magic.count..<length)
        // It has the length for both.
        guard let bytes: Int64 = try? reader.integer(), let counted: Int64 = try? reader.integer(), bytes >= 0
        else { return nil }
        return (bytes, counted)
    }

    /// Whether a file that is no count was one, or was to be one: nobody else's begins so.
    private static func isOurs(_ contents: [UInt8]) -> Bool {
        contents.starts(with: magic.prefix(contents.count))
    }

    /// Sets the count, as all files were just looked at.
    ///
    /// A file of that name that is none of the cache's stays as it is.
    func set(_ bytes: Int) {
        do throws(File.Failure) {
            let directory = try Directory(directory)
            if directory.status(Self.fileName) != nil {
                let start = try OwnFile(Self.fileName, in: directory).file.read(Self.magic.count, at: 0)
                guard Self.isOurs(start) else { return }
            }
            try directory.replace(
                own: Self.fileName,
                with: Self.contents(Int64(bytes), Timestamp.now.secondsSince1970),
                prefix: CacheEntryName.temporaryPrefix
            )
        } catch {
            // Without it, the next writer counts again.
            return
        }
    }

    private static func contents(_ bytes: Int64, _ counted: Int64) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(magic)
        writer.integer(bytes)
        writer.integer(counted)
        return writer.output
    }
}
