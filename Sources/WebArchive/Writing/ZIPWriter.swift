import CArchive
import Glibc
import WebStandards

/// Writes a ZIP archive, member after member.
@safe final class ZIPWriter {
    private let path: String
    private let writer: OpaquePointer

    /// Begins an archive at the start of an open file.
    ///
    /// - Parameters:
    ///   - descriptor: The file's descriptor, which stays open until this is no longer used.
    ///   - path: Its name for messages.
    /// - Throws: ``ArchiveError/Code/unavailable`` if the library is not there.
    init(descriptor: Int32, path: String) throws(ArchiveError) {
        guard let writer = unsafe webl_zip_writer_create(descriptor) else {
            throw ArchiveError(.unavailable, "\(path) cannot be written: libminizip is not there")
        }
        unsafe self.writer = writer
        self.path = path
    }

    deinit {
        unsafe webl_zip_writer_free(writer)
    }

    /// Begins a member, stored as it is or compressed.
    func begin(_ name: String, isStored: Bool, date: Timestamp) throws(ArchiveError) {
        let digits = date.archiveDigits
        func number(_ start: Int, _ count: Int) -> Int32 {
            Int32(clamping: Int(bounded: digits.dropFirst(start).prefix(count)) ?? 0)
        }
        var time = webl_zip_time(
            year: number(0, 4),
            month: number(4, 2),
            day: number(6, 2),
            hour: number(8, 2),
            minute: number(10, 2),
            second: number(12, 2)
        )
        try check(unsafe webl_zip_writer_begin(writer, name, isStored ? 1 : 0, &time))
    }

    /// Appends bytes to the member.
    func write(_ bytes: [UInt8]) throws(ArchiveError) {
        try check(
            unsafe bytes.withUnsafeBytes { unsafe webl_zip_writer_write(writer, $0.baseAddress, $0.count) }
        )
    }

    /// Ends the member.
    func end() throws(ArchiveError) { try check(unsafe webl_zip_writer_end(writer)) }

    /// Writes the directory, which ends the archive.
    func finish() throws(ArchiveError) { try check(unsafe webl_zip_writer_finish(writer)) }

    private func check(_ isDone: Int32) throws(ArchiveError) {
        guard isDone == 0 else { return }
        let error = unsafe webl_zip_writer_error(writer)
        let reason = error == 0 ? "the ZIP archive could not be made" : File.Failure(errno: error).text
        throw ArchiveError(.unwritable, "\(path) cannot be written: \(reason)")
    }
}

extension Timestamp {
    /// The moment to the second as 14 digits, as indexes have it.
    var archiveDigits: String { String(decoding: text.utf8.filter(\.isASCIIDigit), as: UTF8.self) }
}
