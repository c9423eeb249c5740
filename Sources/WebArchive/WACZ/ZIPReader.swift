import CArchive
import WebStandards

/// A handle of the library that reads ZIP archives, with its place in one.
@safe final class ZIPReader {
    /// Where an entry is, as the library finds it again.
    struct Position: Sendable {
        fileprivate let offset: UInt64
        fileprivate let number: UInt64
    }

    private let source: Source
    private let handle: OpaquePointer
    private var isFirst = true

    /// Bytes of a name that are kept; a name can have 65,535.
    private static let nameLength = 4096

    private static let pieceLength = 64 << 10

    init(file: ArchiveFile) throws(ArchiveError) {
        guard webl_zip_is_available() != 0 else {
            throw ArchiveError(.unavailable, "a ZIP archive cannot be read: libminizip is not installed")
        }
        guard let size = file.size, let length = UInt64(exactly: size) else {
            throw ArchiveError(.notAnArchive, "\(file.path): a ZIP archive is read from a file only")
        }
        source = Source(file)
        let context = unsafe Unmanaged.passUnretained(source).toOpaque()
        let read: webl_zip_read = { context, offset, bytes, count in
            guard let context = unsafe context, let bytes = unsafe bytes else { return -1 }
            let source = unsafe Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
            return unsafe source.read(at: offset, UnsafeMutableRawBufferPointer(start: bytes, count: count))
        }
        guard let handle = unsafe webl_zip_open(read, context, length) else {
            if let failure = source.failure { throw failure }
            throw ArchiveError(.notAnArchive, "\(file.path): it has no directory of a ZIP archive")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe webl_zip_close(handle) }

    // MARK: - Directory

    /// The next entry of the directory; nil after the last.
    func nextEntry() throws(ArchiveError) -> ZIPArchive.Entry? {
        var entry = webl_zip_entry()
        var code = WEBL_ZIP_OK
        let name = unsafe [UInt8](unsafeUninitializedCapacity: Self.nameLength) { buffer, filled in
            unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
                code = unsafe webl_zip_next(
                    handle,
                    isFirst ? 1 : 0,
                    &entry,
                    buffer.baseAddress,
                    buffer.count
                )
            }
            filled = code == WEBL_ZIP_OK ? min(entry.name_length, buffer.count) : 0
        }
        isFirst = false
        if code == WEBL_ZIP_END { return nil }
        try check(code, .notAnArchive, "the directory is damaged")
        let method: ZIPArchive.Entry.Method =
            switch entry.method {
            case 0: .stored
            case 8: .deflated
            default: .other(Int(entry.method))
            }
        return ZIPArchive.Entry(
            name: String(decoding: name, as: UTF8.self),
            method: method,
            isEncrypted: entry.flags & 1 != 0,
            compressedSize: Int(bounded: entry.compressed_size),
            size: Int(bounded: entry.size),
            place: .directory(Position(offset: entry.position, number: entry.number))
        )
    }

    // MARK: - Members

    /// Where the bytes of a member begin in the file.
    func offset(of entry: ZIPArchive.Entry, _ position: Position) throws(ArchiveError) -> Int {
        let offset = try begin(entry, position, isRaw: true)
        _ = unsafe webl_zip_finish(handle)
        return offset
    }

    func read(
        _ entry: ZIPArchive.Entry,
        _ position: Position,
        maximumSize: Int,
        _ sink: RecordReader.Sink
    ) throws(ArchiveError) {
        _ = try begin(entry, position, isRaw: false)
        defer { if !isFinished { _ = unsafe webl_zip_finish(handle) } }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.pieceLength,
            alignment: 16
        )
        defer { unsafe buffer.deallocate() }
        var total = 0
        while true {
            var count: UInt32 = 0
            let room = UInt32(clamping: Self.pieceLength)
            let code = unsafe webl_zip_read_member(handle, buffer.baseAddress, room, &count)
            if code == WEBL_ZIP_END { break }
            try check(code, .body, "\(entry.name): its data is damaged")
            total += Int(count)
            guard total <= maximumSize else {
                throw ArchiveError(.limit, "\(entry.name): it has more than \(maximumSize) bytes")
            }
            let piece = unsafe UnsafeRawBufferPointer(rebasing: buffer.prefix(Int(count)))
            guard unsafe try sink(piece) else { return }
        }
        isFinished = true
        let code = unsafe webl_zip_finish(handle)
        guard total == entry.size else {
            throw ArchiveError(.body, "\(entry.name): it has \(total) bytes, not \(entry.size)")
        }
        try check(code, .body, "\(entry.name): its checksum is not right")
    }

    /// Whether the member that was begun has been ended.
    private var isFinished = true

    private func begin(
        _ entry: ZIPArchive.Entry,
        _ position: Position,
        isRaw: Bool
    ) throws(ArchiveError) -> Int {
        var place = webl_zip_entry()
        place.position = position.offset
        place.number = position.number
        var offset: UInt64 = 0
        let code = unsafe webl_zip_begin(handle, &place, isRaw ? 1 : 0, &offset)
        try check(code, .body, "\(entry.name): its own header does not fit the directory")
        isFinished = false
        return Int(bounded: offset)
    }

    private func check(
        _ code: webl_zip_result,
        _ error: ArchiveError.Code,
        _ message: String
    ) throws(ArchiveError) {
        if code == WEBL_ZIP_OK { return }
        if let failure = source.failure { throw failure }
        guard code != WEBL_ZIP_NO_MEMORY else { throw ArchiveError(.limit, "not enough memory") }
        throw ArchiveError(error, "\(source.file.path): \(message)")
    }

    /// The source from which the library reads.
    private final class Source {
        let file: ArchiveFile
        /// Why the file could not be read.
        private(set) var failure: ArchiveError?

        init(_ file: ArchiveFile) { self.file = file }

        func read(at offset: UInt64, _ buffer: UnsafeMutableRawBufferPointer) -> Int64 {
            do throws(ArchiveError) {
                return Int64(unsafe try file.read(at: Int(bounded: offset), into: buffer))
            } catch {
                failure = error
                return -1
            }
        }
    }
}
