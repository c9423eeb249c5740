import WebStandards

/// Writes exchanges as an archive whose form the name of its file says; the file is there once it is whole.
package final class ArchiveSink {
    private enum Form {
        case warc(ReplacingWARC)
        case wacz(WACZWriter)
        case har
        case mhtml
    }

    private var form: Form
    private var har: HARWriter?
    private var mhtml: MHTMLWriter?
    private let output: AtomicOutput?
    private let maximumSize: Int

    /// The endings of the names that it knows.
    package static let endings = [".warc", ".warc.gz", ".warc.zst", ".wacz", ".har", ".mhtml", ".mht"]

    /// Begins an archive.
    ///
    /// - Parameters:
    ///   - path: Its file, whose name ends in one of ``endings``; a file that is there is replaced at the end.
    ///   - withSecrets: Whether a HAR has cookies and credentials.
    ///   - maximumSize: Bytes that the archive may have: what is small may refer to one large body again and again.
    /// - Throws: ``ArchiveError/Code/unwritable``.
    package init(
        _ path: String,
        withSecrets: Bool,
        maximumSize: Int = .largestBounded
    ) throws(ArchiveError) {
        self.maximumSize = maximumSize
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
            output = try AtomicOutput(path, maximumSize: maximumSize)
        default:
            form = .warc(try ReplacingWARC(path))
            output = nil
        }
        if case .har = form {
            har = try unsafe HARWriter(withSecrets: withSecrets) { [output] piece throws(ArchiveError) in
                try unsafe output?.append(piece)
            }
        }
    }

    /// Whether it may have several copies of a URL; an MHTML is one page.
    package var hasCopies: Bool {
        if case .mhtml = form { false } else { true }
    }

    /// Adds an exchange.
    ///
    /// - Throws: ``ArchiveError``; ``ArchiveError/Code/limit`` once there are more bytes than there may be, after which it is not
    ///   gone on with.
    package func append(_ exchange: ArchivedExchange) throws(ArchiveError) {
        switch form {
        case .warc(let writer):
            try writer.append(exchange)
            if writer.size > maximumSize { throw Self.tooLarge }
        case .wacz(let writer):
            try writer.append(exchange)
            if writer.size > maximumSize { throw Self.tooLarge }
            if try exchange.isPage() { try writer.appendPage(exchange.url, date: exchange.date) }
        case .har: try har?.append(exchange)
        case .mhtml:
            if mhtml == nil {
                guard try exchange.isPage() else { return }
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

    static var tooLarge: ArchiveError {
        ArchiveError(.limit, "the archive would have more bytes than --max-size allows")
    }

    /// Ends the archive, and puts it into its place.
    ///
    /// - Throws: ``ArchiveError``; then nothing has changed.
    package func finish() throws(ArchiveError) {
        switch form {
        case .warc(let writer): try writer.finish()
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
