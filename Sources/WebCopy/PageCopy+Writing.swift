public import WebArchive
import WebStandards

extension PageCopy {
    /// Writes the copy to a file atomically: an existing file of that name stays until the copy is complete.
    ///
    /// This blocks the thread.
    ///
    /// - Parameter path: The path of the file. A symbolic link of this user is followed; anything else that is not a
    ///   regular file is an error.
    /// - Returns: The summary, with the resources that are missing besides those in ``missing``.
    /// - Throws: ``/WebArchive/ArchiveError``: the file cannot be written ("file.write"), as on a full disk; then
    ///   nothing has changed.
    public func write(to path: String) throws(ArchiveError) -> Summary {
        switch options.format {
        case .wacz: try writeArchive(path, ArchivedCopy(wacz: path, contents.page, date))
        case .warc: try writeArchive(path, ArchivedCopy(warc: path, contents.page, date))
        case .webarchive: try writeWebArchive(path)
        case .mhtml: try writeMessage(path)
        case .html: try writePage(path)
        }
    }

    /// Throws the error that writing to a path would throw, as far as it can be predicted.
    package static func checkPlace(_ path: String) throws(ArchiveError) { _ = try AtomicOutput(path) }

    private func writeArchive(_ path: String, _ begun: ArchivedCopy) throws(ArchiveError) -> Summary {
        var archive = begun
        var missing: [Missing] = []
        for resource in contents.loaded {
            guard let response = resource.response else { continue }
            do throws(ArchiveError) {
                try archive.append(response)
            } catch {
                guard error.code == .recordTooLong else { throw error }
                missing.append(
                    Missing(
                        url: resource.url,
                        code: error.code.rawValue,
                        message: error.message,
                        isDeadRule: false
                    )
                )
            }
        }
        try archive.finish()
        let count = contents.loaded.count { $0.url.scheme != "data" && $0.fault == nil } - missing.count
        let size = FileStatus(path, followsLinks: true)?.size ?? 0
        return Summary(files: 1 + count, bytes: size, changed: [:], missing: missing)
    }

    private func writeWebArchive(_ path: String) throws(ArchiveError) -> Summary {
        let archive = WebKitArchive(contents, maximumFiles: options.maximumFiles)
        let writer = PropertyListWriter(archive.propertyList())
        let output = try AtomicOutput(path)
        let count = try writer.write { piece throws(ArchiveError) in try output.append(piece) }
        try output.finish()
        return Summary(files: 1 + archive.used.count, bytes: count, changed: [:], missing: archive.missing)
    }

    private func writePage(_ path: String) throws(ArchiveError) -> Summary {
        let composer = PageComposer(contents, options)
        let text = composer.page(comment: comment)
        let output = try AtomicOutput(path)
        var count = 0
        try composer.embedded.write(
            text,
            bytes: contents.body,
            to: { piece throws(ArchiveError) in
                count += piece.count
                try output.append(piece)
            }
        )
        try output.finish()
        return summary(of: composer, bytes: count)
    }

    private func writeMessage(_ path: String) throws(ArchiveError) -> Summary {
        let composer = PageComposer(contents, options)
        let output = try AtomicOutput(path)
        var count = 0
        let location = CopyLocation(of: url).location(of: url)
        var message = try unsafe MHTMLWriter(url: location, title: contents.page.title, date: date) {
            piece throws(ArchiveError) in
            count += piece.count
            try unsafe output.append(piece)
        }
        try composer.writeMessage { location, type, bytes throws(ArchiveError) in
            try message.append(location: location, type: type, bytes: bytes)
        }
        try message.finish()
        try output.finish()
        return summary(of: composer, bytes: count)
    }

    /// The source of the copy, as a comment in the first line of its markup.
    private var comment: String {
        // Two hyphens would end the comment, and the encoding after it has to be within the first 1,024 bytes.
        // The path of a file on this machine is private.
        let isFile = self.url.scheme == "file"
        let name = self.url.pathname.split(separator: "/").last.map { String($0) } ?? ""
        let url = isFile ? name : self.url.withoutCredentials.href
        let shown = url.utf8.count > 500 ? "\(url.prefix(500))…" : url
        return "<!-- Saved from \(shown.replacing("--", with: "%2D%2D")) on \(date.text) by WebLoader -->\n"
    }

    private func summary(of composer: PageComposer, bytes: Int) -> Summary {
        let count = composer.used.count { $0.scheme != "data" }
        return Summary(files: 1 + count, bytes: bytes, changed: composer.changed, missing: composer.missing)
    }
}

extension PageCopy.Format {
    /// Creates the format for the name of a file; `nil` if the extension is unknown.
    ///
    /// - Parameter name: A name that ends in .html, .htm, .mhtml, .mht, .wacz, .warc, .warc.gz, .warc.zst or
    ///   .webarchive, in any case.
    public init?(fileNamed name: String) {
        let name = String(asciiLowercasing: name.utf8)
        if name.hasSuffix(".mhtml") || name.hasSuffix(".mht") {
            self = .mhtml
        } else if name.hasSuffix(".html") || name.hasSuffix(".htm") {
            self = .html
        } else if name.hasSuffix(".wacz") {
            self = .wacz
        } else if WARCForm(path: name) != nil {
            self = .warc
        } else if name.hasSuffix(".webarchive") {
            self = .webarchive
        } else {
            return nil
        }
    }
}
