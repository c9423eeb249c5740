import Glibc

/// The size of a cache on disk: a count in a small file that writers update; it is recounted from all files
/// if it is missing, implausible, or a day old.
///
/// Look-ups do not read it, and losing it does no harm.
struct CacheUsage {
    private let directory: String

    static let fileName = "usage"
    private static let magic = Array("WLUSAGE\n".utf8)
    private static let length = 8 + 8 + 8

    /// Seconds after which all files are counted again.
    private static let recountInterval: Int64 = 86_400

    init(_ directory: String) {
        self.directory = directory
    }

    /// Adds to the count and returns it; the largest number if all files must be counted again.
    ///
    /// If it cannot be written, or is locked, nothing is added: a later recount corrects that.
    func add(_ bytes: Int) -> Int {
        do throws(File.Failure) {
            let directory = try Directory(directory)
            guard directory.status(Self.fileName) != nil else { return .largestBounded }
            // Only an existing count is updated in place.
            var own = try OwnFile(updating: Self.fileName, in: directory)
            guard Self.lock(&own.file) else { return 0 }
            let contents = try own.file.read(Self.length + 1, at: 0)
            guard let (old, counted) = Self.parse(contents) else {
                return Self.hasMagicPrefix(contents) ? .largestBounded : 0
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

    /// The bytes that a file takes on disk: whole blocks, so that many small files are counted correctly.
    static func size(_ count: Int) -> Int {
        let (padded, overflow) = count.addingReportingOverflow(4095)
        return overflow ? count : padded & ~4095
    }

    /// Locks the file; false if another process holds the lock too long.
    private static func lock(_ file: inout File) -> Bool {
        for _ in 0..<100 {
            if (try? file.lock()) == true { return true }
            sched_yield()
        }
        return false
    }

    /// The count, and when all files were last counted, in seconds since 1970; nil if it is malformed.
    private static func parse(_ contents: [UInt8]) -> (bytes: Int64, counted: Int64)? {
        guard contents.count == length, contents.starts(with: magic) else { return nil }
        var reader = ByteReader(contents, magic.count..<length)
        // The length for both was checked above.
        guard let bytes: Int64 = try? reader.integer(), let counted: Int64 = try? reader.integer(), bytes >= 0
        else { return nil }
        return (bytes, counted)
    }

    /// Whether a file that is not a valid count is still the cache's: it begins with the magic, or part of
    /// it.
    private static func hasMagicPrefix(_ contents: [UInt8]) -> Bool {
        contents.starts(with: magic.prefix(contents.count))
    }

    /// Sets the count after all files were counted.
    ///
    /// A file of that name that does not belong to the cache is left unchanged.
    func set(_ bytes: Int) {
        do throws(File.Failure) {
            let directory = try Directory(directory)
            if directory.status(Self.fileName) != nil {
                let start = try OwnFile(Self.fileName, in: directory).file.read(Self.magic.count, at: 0)
                guard Self.hasMagicPrefix(start) else { return }
            }
            try directory.replace(
                own: Self.fileName,
                with: Self.contents(Int64(bytes), Timestamp.now.secondsSince1970)
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
