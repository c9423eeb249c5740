import WebArchive
import WebDifference
import WebLoader

/// Two archives, or two folders, of which all pages are compared.
struct ArchivePair {
    let old: String
    let new: String
    /// Whether they are folders.
    let isOfFolders: Bool

    /// Creates the pair; `nil` unless both operands are archives, recognized by their bytes, or both are
    /// folders.
    init?(_ old: String, _ new: String, _ options: LoadingOptions) {
        guard options.archives.isEmpty else { return nil }
        isOfFolders = [old, new].allSatisfy { FileStatus($0, followsLinks: true)?.kind == .directory }
        guard isOfFolders || [old, new].allSatisfy(Self.isArchive) else { return nil }
        (self.old, self.new) = (old, new)
    }

    private static func isArchive(_ name: String) -> Bool {
        // A pipe could be read once only.
        guard name != "-", FileStatus(name, followsLinks: true)?.kind == .regular else { return false }
        return ArchiveOpening.isArchive(path: name)
    }
}

extension DiffArguments {
    /// Throws if the flags are not for archives.
    func checkArchives(_ form: Form, _ options: LoadingOptions) throws(Failure) {
        guard form == .text || form == .json, html == nil else {
            throw Failure(usage: "diff", "of archives and folders only text and JSON are written")
        }
        guard recipe == nil, !learn, options.dates.isEmpty else {
            throw Failure(usage: "diff", "of archives and folders, not together with -r, --learn and --at")
        }
    }
}

/// A comparison of the pages of two archives, or of two folders: which are new, which are gone, and which
/// have changed.
///
/// Of several copies of a page the newest is compared. The pages of folders are identified by their paths in
/// them. Pages with equal bodies and equal compared fields are the same without being parsed.
struct ArchiveComparison {
    /// A page that is not the same.
    struct Page {
        let url: String
        let operation: PageDifference.Operation
        /// How many changes it has; nil for one that is only in one archive.
        var count: Int?
        /// The changes, as many as are kept.
        var changes: [PageDifference.Change] = []
    }

    private let pair: ArchivePair
    private let wanted: PageDifference.Options
    private let options: LoadingOptions
    private let clock: DiffClock
    private let writesJSON: Bool

    init(
        _ pair: ArchivePair,
        _ wanted: PageDifference.Options,
        _ options: LoadingOptions,
        _ clock: DiffClock,
        writesJSON: Bool
    ) {
        self.pair = pair
        self.wanted = wanted
        self.options = options
        self.clock = clock
        self.writesJSON = writesJSON
    }

    func run() async throws(Failure) -> ExitStatus {
        let (first, second) = (try loader(pair.old), try loader(pair.new))
        let (old, new) = (
            try await contents(of: first, pair.old), try await contents(of: second, pair.new)
        )
        // That two folders of something else are the same is no answer.
        if pair.isOfFolders, old.pages.isEmpty, new.pages.isEmpty, old.damaged.isEmpty, new.damaged.isEmpty {
            throw Failure(
                subject: "\(pair.old), \(pair.new)",
                "no page (.html, .htm, .xhtml) is in either folder",
                code: FileError.Code.notFound.rawValue,
                status: .file
            )
        }
        var report = ArchiveDifferenceReport(old: pair.old, new: pair.new)
        for url in Set(old.pages.keys).union(new.pages.keys).sorted() {
            guard let before = old.pages[url], let after = new.pages[url] else {
                // If a page is unreadable in one archive, nobody knows whether it is the same.
                guard !old.damaged.contains(url), !new.damaged.contains(url) else { continue }
                report.add(Page(url: url, operation: old.pages[url] == nil ? .added : .removed))
                continue
            }
            if before.body == after.body, before.fields == after.fields {
                report.same += 1
                continue
            }
            do throws(Failure) {
                report.add(try await compare(url, first, second), url)
            } catch {
                // The others can be compared all the same.
                Output.message(error.line)
                report.failures += 1
            }
        }
        report.failures += old.damaged.union(new.damaged).count
        if report.isCoarse { DiffCommand.warnOfCoarseness(options) }
        try Output.write(
            writesJSON ? report.json : report.text(options.terminal),
            to: options.output,
            isStyled: !writesJSON
        )
        if report.failures > 0 { return .content }
        return report.pages.isEmpty ? .done : .no
    }

    private func loader(_ path: String) throws(Failure) -> PageLoader {
        var own = options
        if !pair.isOfFolders { own.archives = [path] }
        return try own.loader()
    }

    /// The properties of a page that show whether it is the same.
    struct Print {
        let date: Timestamp?
        let body: UInt64
        let fields: [String]

        init(_ body: borrowing [UInt8], date: Timestamp? = nil, fields: [String] = []) {
            var hasher = Hasher()
            unsafe body.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            self.body = UInt64(truncatingIfNeeded: hasher.finalize())
            self.date = date
            self.fields = fields
        }
    }

    /// The pages of an archive by URL, or of a folder by path, and those of which no copy can be read.
    private func contents(
        of loader: PageLoader,
        _ path: String
    ) async throws(Failure) -> (pages: [String: Print], damaged: Set<String>) {
        guard !pair.isOfFolders else {
            let folder = FolderPages(path, limit: loader.configuration.limits.maximumBodySize)
            let contents = try folder.prints()
            for failure in contents.failures { Output.message(failure.line) }
            return (contents.pages, contents.damaged)
        }
        var prints: [String: Print] = [:]
        var damaged: [String: Failure] = [:]
        var pages = loader.archivedPages.makeAsyncIterator()
        while let found = try await PageSources.next(&pages) {
            let response: WebResponse
            switch found.result {
            case .success(let found): response = found
            case .failure(let error):
                damaged[found.url] = Failure(error, source: found.url)
                continue
            }
            if let date = prints[found.url]?.date, let other = found.date, other < date { continue }
            prints[found.url] = Print(
                response.body,
                date: found.date,
                fields: response.headerFields.map { "\($0.name.canonicalName): \($0.value)" }
                    .filter { field in
                        wanted.responseFields.contains(String(field.prefix { $0 != ":" }))
                    }
            )
        }
        for (url, failure) in damaged.sorted(by: { $0.key < $1.key }) where prints[url] == nil {
            Output.message(failure.line)
        }
        return (prints, Set(damaged.keys).subtracting(prints.keys))
    }

    private func compare(
        _ url: String,
        _ first: PageLoader,
        _ second: PageLoader
    ) async throws(Failure) -> PageDifference {
        let old = try await page(url, of: pair.old, first)
        let new = try await page(url, of: pair.new, second)
        var wanted = wanted
        wanted.maximumTime = clock.share
        do throws(SelectorError) {
            return try PageDifference(from: old, to: new, options: wanted)
        } catch {
            throw Failure(usage: "--ignore", error.description, code: error.code.rawValue)
        }
    }

    private func page(
        _ name: String,
        of path: String,
        _ loader: PageLoader
    ) async throws(Failure) -> ParsedPage {
        var own = options
        guard pair.isOfFolders else {
            own.archives = [path]
            return try await own.load(name, with: loader).parsed(for: name)
        }
        // References to the same file within both folders are the same.
        own.baseURL = try FolderPages.base(of: name, options.baseURL)
        let file = "\(path)/\(name)"
        return try await own.load(file, with: loader).parsed(for: file)
    }
}
