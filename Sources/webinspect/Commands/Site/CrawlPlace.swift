import WebArchive
import WebLoader
import WebSite

/// Where a crawl goes: its output, and beside it its state.
struct CrawlPlace {
    /// What the output is.
    enum Form: String {
        case warc
        /// It is packed from a WARC, once there is nothing left to do.
        case wacz
        /// A cache.
        case folder
    }

    /// As it was given.
    let output: String
    let form: Form
    /// The job's database.
    let state: String

    /// The WARC that is appended to; nil for a folder.
    var archive: String? {
        switch form {
        case .warc: output
        case .wacz: "\(state).warc.gz"
        case .folder: nil
        }
    }

    init(_ output: String, state: String?) throws(Failure) {
        let name = String(asciiLowercasing: output.utf8)
        if WARCForm(path: output) != nil {
            form = .warc
        } else if name.hasSuffix(".wacz") {
            form = .wacz
        } else if let ending = ArchiveSink.endings.first(where: { name.hasSuffix($0) }) {
            throw Failure(
                usage: output,
                "a crawl does not write \(ending); write a .warc.gz, and convert it by archive create"
            )
        } else {
            form = .folder
        }
        var base = output[...]
        while base.utf8.count > 1, base.last == "/" { base = base.dropLast() }
        self.output = String(base)
        self.state = state ?? "\(base).state"
        try check()
    }

    /// Throws unless the output can be one.
    private func check() throws(Failure) {
        guard !output.isEmpty else { throw Failure(usage: "-o", "it is empty") }
        guard state != output else { throw Failure(usage: "--state \(state)", "it is the output") }
        guard let status = FileStatus(output, followsLinks: true) else { return }
        switch form {
        case .folder where status.kind != .directory:
            throw Failure(
                usage: output,
                "it is no folder, and its name is not that of an archive: .warc, .warc.gz, .warc.zst, .wacz"
            )
        case .warc where status.kind != .regular, .wacz where status.kind != .regular:
            throw Failure(
                subject: output,
                "it is no regular file: a crawl that is to be continued needs one",
                code: "file.write",
                status: .file
            )
        default: break
        }
    }
}
