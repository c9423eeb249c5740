import Glibc
import WebArchive
import WebLoader
import WebSite

/// Where a crawl goes: its output, and beside it its state.
struct CrawlPlace {
    /// The kind of the output.
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
            let ending = name.split(separator: "/").last?.split(separator: ".").dropFirst().last.map(
                String.init
            )
            if let ending, !name.hasSuffix("/"), FileStatus(output, followsLinks: true) == nil,
                MediaType.forFile(named: name) != nil || Self.endings.contains(ending)
            {
                throw Failure(
                    usage: output,
                    "a crawl does not write .\(ending), but .warc, .warc.gz, .warc.zst and .wacz; the name of a folder ends in /"
                )
            }
        }
        var base = output[...]
        while base.utf8.count > 1, base.last == "/" { base = base.dropLast() }
        self.output = String(base)
        self.state = state ?? "\(base).state"
        try check()
    }

    /// Endings of files besides those whose type is known.
    private static let endings: Set<String> = [
        "7z", "arc", "bz2", "cdx", "cdxj", "db", "gz", "jsonl", "sqlite", "tar", "tgz", "xz", "zip", "zst",
    ]

    /// Throws for a folder that has other files than a cache.
    private func checkFolder() throws(Failure) {
        do throws(File.Failure) {
            var names = try Directory(output)
            while let name = try names.next() {
                let isDirectory =
                    name.utf8.count == 2 && name.utf8.allSatisfy { $0.isASCIIDigit || 0x61...0x66 ~= $0 }
                guard !isDirectory, name != "usage", !name.hasPrefix(".") else { continue }
                throw File.Failure(errno: ENOTEMPTY, "it has files, and is no cache of this program")
            }
        } catch {
            throw Failure(
                subject: output,
                error.text,
                code: FileError.Code.unwritable.rawValue,
                status: .file
            )
        }
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
        case .wacz where FileStatus(state, followsLinks: true) == nil:
            throw Failure(
                subject: output,
                "it is there, and no crawl that was begun (\(state)): it would be replaced",
                code: FileError.Code.unwritable.rawValue,
                status: .file
            )
        case .folder: try checkFolder()
        default: break
        }
    }
}
