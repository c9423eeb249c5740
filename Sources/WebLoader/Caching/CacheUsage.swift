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

    private var path: String { "\(directory)/\(Self.fileName)" }

    /// Adds to the count and returns it; the largest number where it has to be made anew.
    ///
    /// Where it cannot be written, or others keep it, nothing is counted: a later count of all puts that right.
    func add(_ bytes: Int) -> Int {
        do throws(File.Failure) {
            let file = try File(updating: path)
            guard Self.lock(file) else { return 0 }
            guard let (old, counted) = Self.parse(try file.read(Self.length, at: 0)) else { return .max }
            let (sum, overflow) = old.addingReportingOverflow(Int64(bytes))
            let age = Timestamp.now.secondsSince1970.subtractingReportingOverflow(counted)
            guard !overflow, !age.overflow, age.partialValue.magnitude < Self.recountInterval else {
                return .max
            }
            try write(max(0, sum), counted, file)
            return Int(max(0, sum))
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

    /// Sets the count, as all files were just looked at.
    func set(_ bytes: Int) {
        // Without it, the next writer counts again.
        try? write(Int64(bytes), Timestamp.now.secondsSince1970, File(updating: path))
    }

    private func write(_ bytes: Int64, _ counted: Int64, _ file: borrowing File) throws(File.Failure) {
        var writer = ByteWriter()
        writer.raw(Self.magic)
        writer.integer(bytes)
        writer.integer(counted)
        try file.write(writer.output, at: 0)
    }
}
