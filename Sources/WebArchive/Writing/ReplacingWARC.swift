import Glibc
import WebStandards

/// Writes a WARC that is there once it is whole, and takes the place of an older file then.
///
/// Its calls block.
package final class ReplacingWARC {
    private let path: String
    /// Where it is until it is whole.
    private let temporary: String
    private let writer: WARCWriter

    /// Begins a WARC.
    ///
    /// - Parameter path: Its file, whose name says the form: gzip or Zstandard if it ends in `.gz` or `.zst`, and else records as
    ///   they are. A file that is there is replaced at the end.
    /// - Throws: ``ArchiveError/Code/unwritable``, and ``ArchiveError/Code/unavailable`` if a library is not there.
    package init(_ path: String) throws(ArchiveError) {
        self.path = path
        // In a folder of its own it has its name already, which is in its first record.
        let (folder, name) = Directory.split(path)
        let place = "\(folder)/.webloader-new-\(UInt64.random(in: 0 ... .max).hexadecimal(digits: 16))"
        temporary = "\(place)/\(name)"
        do throws(File.Failure) {
            // Nothing but a regular file may be replaced.
            _ = try OutputPlace(path).replacing(mode: 0o666)
            try Directory.make(place)
        } catch {
            throw ArchiveError(.unwritable, "\(path): \(error.text)")
        }
        var options = WARCWriter.Options()
        options.form = Self.form(name)
        do throws(ArchiveError) {
            writer = try WARCWriter(path: temporary, options: options)
        } catch {
            Self.remove(temporary)
            throw error
        }
    }

    deinit { Self.remove(temporary) }

    /// The form that a file's name says, which need not be that of a WARC.
    private static func form(_ name: String) -> WARCForm {
        if let form = WARCForm(path: name) { return form }
        let name = String(asciiLowercasing: name.utf8)
        return name.hasSuffix(".gz") ? .gzip : name.hasSuffix(".zst") ? .zstandard : .plain
    }

    /// Removes what is being written, the note of a writer that failed, and their folder.
    private static func remove(_ temporary: String) {
        unsafe unlink(temporary)
        unsafe unlink("\(temporary).unfinished")
        unsafe rmdir(Directory.split(temporary).folder)
    }

    /// Its bytes so far.
    package var size: Int { FileStatus(temporary, followsLinks: false)?.size ?? 0 }

    /// Appends an exchange.
    ///
    /// - Throws: ``ArchiveError`` if it could not be written; then nothing of it is in the file.
    package func append(_ exchange: ArchivedExchange) throws(ArchiveError) { try writer.append(exchange) }

    /// Appends a file without a head of HTTP.
    ///
    /// - Throws: ``ArchiveError`` if it could not be written; then nothing of it is in the file.
    package func append(_ resource: ArchivedResource) throws(ArchiveError) { try writer.append(resource) }

    /// Ends the WARC, and puts it into its place.
    ///
    /// - Throws: ``ArchiveError``; then nothing has changed.
    package func finish() throws(ArchiveError) {
        try writer.finish()
        // A link that is followed stays, and what it leads to is replaced.
        let resolved = unsafe realpath(path, nil)
        defer { unsafe free(resolved) }
        let target = unsafe resolved.map { unsafe String(cString: $0) } ?? path
        guard unsafe rename(temporary, target) == 0 else {
            throw ArchiveError(.unwritable, "\(path): \(File.Failure(errno: errno).text)")
        }
        Self.remove(temporary)
    }
}
