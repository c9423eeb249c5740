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
    private let withSecrets: Bool
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
        self.withSecrets = withSecrets
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
            let (folder, _) = Directory.split(path)
            let temporary =
                "\(folder)/.webloader-new-\(UInt64.random(in: 0 ... .max).hexadecimal(digits: 16))\(ending)"
            do throws(File.Failure) {
                // Nothing but a regular file may be replaced.
                _ = try OutputPlace(path).replacing(mode: 0o666)
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
        if case .warc(_, let temporary) = form { unsafe unlink(temporary) }
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
            try mhtml?.append(exchange)
        }
    }

    /// Ends the archive, and puts it into its place.
    ///
    /// - Throws: ``ArchiveError``; then nothing has changed.
    package func finish() throws(ArchiveError) {
        switch form {
        case .warc(let writer, let temporary):
            try writer.finish()
            guard unsafe rename(temporary, path) == 0 else {
                throw ArchiveError(.unwritable, "\(path): \(File.Failure(errno: errno).text)")
            }
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
