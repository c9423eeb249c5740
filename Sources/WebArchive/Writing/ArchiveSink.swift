import Glibc
import WebStandards

/// Writes exchanges as an archive whose form the name of its file says; the file is there once it is whole.
package final class ArchiveSink {
    private enum Form {
        case warc(WARCWriter, temporary: String)
        case wacz(WACZWriter)
        case har
        case mhtml
    }

    private let path: String
    private var form: Form
    private var har: HARWriter?
    private var mhtml: MHTMLWriter?
    private let output: AtomicOutput?

    /// The endings of the names that it knows.
    package static let endings = [".warc", ".warc.gz", ".warc.zst", ".wacz", ".har", ".mhtml", ".mht"]

    /// Begins an archive.
    ///
    /// - Parameters:
    ///   - path: Its file, whose name ends in one of ``endings``; a file that is there is replaced at the end.
    ///   - withSecrets: Whether a HAR has cookies and credentials.
    /// - Throws: ``ArchiveError/Code/unwritable``.
    package init(_ path: String, withSecrets: Bool) throws(ArchiveError) {
        self.path = path
        let name = String(asciiLowercasing: path.utf8)
        guard
            let ending = Self.endings.filter({ name.hasSuffix($0) }).max(by: { $0.utf8.count < $1.utf8.count }
            )
        else {
            throw ArchiveError(
                .unwritable,
                "\(path): the name of an archive ends in \(Self.endings.joined(separator: ", "))"
            )
        }
        switch ending {
        case ".wacz":
            form = .wacz(try WACZWriter(path: path))
            output = nil
        case ".har", ".mhtml", ".mht":
            form = ending == ".har" ? .har : .mhtml
            output = try AtomicOutput(path)
        default:
            // In a folder of its own it has its name already, which is in its first record.
            let (folder, name) = Directory.split(path)
            let place = "\(folder)/.webloader-new-\(UInt64.random(in: 0 ... .max).hexadecimal(digits: 16))"
            let temporary = "\(place)/\(name)"
            do throws(File.Failure) {
                // Nothing but a regular file may be replaced.
                _ = try OutputPlace(path).replacing(mode: 0o666)
                try Directory.make(place)
            } catch {
                throw ArchiveError(.unwritable, "\(path): \(error.text)")
            }
            form = .warc(try WARCWriter(path: temporary), temporary: temporary)
            output = nil
        }
        if case .har = form {
            har = try unsafe HARWriter(withSecrets: withSecrets) { [output] piece throws(ArchiveError) in
                try unsafe output?.append(piece)
            }
        }
    }

    deinit {
        if case .warc(_, let temporary) = form { Self.remove(temporary) }
    }

    /// Removes what is being written, the note of a writer that failed, and their folder.
    private static func remove(_ temporary: String) {
        unsafe unlink(temporary)
        unsafe unlink("\(temporary).unfinished")
        unsafe rmdir(Directory.split(temporary).folder)
    }

    /// Whether it may have several copies of a URL; an MHTML is one page.
    package var hasCopies: Bool {
        if case .mhtml = form { false } else { true }
    }

    /// Adds an exchange.
    ///
    /// - Throws: ``ArchiveError``.
    package func append(_ exchange: ArchivedExchange) throws(ArchiveError) {
        switch form {
        case .warc(let writer, _): try writer.append(exchange)
        case .wacz(let writer):
            try writer.append(exchange)
            if exchange.isPage { try writer.appendPage(exchange.url, date: exchange.date) }
        case .har: try har?.append(exchange)
        case .mhtml:
            if mhtml == nil {
                guard exchange.isPage else { return }
                mhtml = try unsafe MHTMLWriter(url: exchange.url, title: nil, date: exchange.date) {
                    [output] piece throws(ArchiveError) in try unsafe output?.append(piece)
                }
            }
            guard exchange.body != nil, exchange.status < 300 || exchange.status >= 400 else { return }
            do throws(ArchiveError) {
                try mhtml?.append(exchange)
            } catch {
                // Its part has as much of the body as there is.
                guard error.code == .body else { throw error }
            }
        }
    }

    /// Ends the archive, and puts it into its place.
    ///
    /// - Throws: ``ArchiveError``; then nothing has changed.
    package func finish() throws(ArchiveError) {
        switch form {
        case .warc(let writer, let temporary):
            try writer.finish()
            // A link that is followed stays, and what it leads to is replaced.
            let resolved = unsafe realpath(path, nil)
            defer { unsafe free(resolved) }
            let target = unsafe resolved.map { unsafe String(cString: $0) } ?? path
            guard unsafe rename(temporary, target) == 0 else {
                throw ArchiveError(.unwritable, "\(path): \(File.Failure(errno: errno).text)")
            }
            Self.remove(temporary)
        case .wacz(let writer): try writer.finish()
        case .har:
            try har.take()?.finish()
            try output?.finish()
        case .mhtml:
            guard let writer = mhtml.take() else {
                throw ArchiveError(.notAnArchive, "there is no page to write as MHTML")
            }
            try writer.finish()
            try output?.finish()
        }
    }
}

extension ArchivedExchange {
    /// Whether it is a page: HTML that was answered with a status of 2xx.
    package var isPage: Bool {
        guard 200...299 ~= status else { return false }
        let field = responseFields.last { String(asciiLowercasing: $0.name.utf8) == "content-type" }
        guard let type = field.flatMap({ MediaType(bytes: $0.value) }) else { return false }
        return type.essence == "text/html" || type.essence == "application/xhtml+xml"
    }
}
