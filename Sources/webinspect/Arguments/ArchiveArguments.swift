import ArgumentParser
import Glibc
import WebLoader

extension CommandFlag {
    /// Where pages come from besides the network and the cache, and where they go.
    static let archives: [CommandFlag] = [
        .values(
            "--from",
            value: "archive",
            help:
                "Load from this archive (WARC, ARC, WACZ, HAR, MHTML) or folder of a cache, open no socket; SOURCE is a URL in it. May be repeated."
        ) { $0.loading.archives.append($1) },
        .value(
            "--at",
            value: "date",
            help:
                "The copy of the archive, or of the cache (--keep-history), nearest before this date, else the first after; opens no socket.",
            read: LoadingOptions.date
        ) { $0.loading.archiveDate = $1 },
        .value(
            "--record",
            value: "warc",
            help:
                "Append what is exchanged to a WARC (.warc, .warc.gz, .warc.zst); loads anew what the cache has, unless a flag says otherwise."
        ) { $0.loading.record = $1 },
    ]

    /// The flag that selects all pages of the archives.
    static let allPages: [CommandFlag] = [
        .flag("--all", help: "With --from, each page of the archives in place of SOURCE.") {
            $0.loading.takesAllPages = true
        }
    ]

    /// The flag that writes one document per page.
    static let pageLines: [CommandFlag] = [
        .flag(
            "--jsonl",
            help: "Write one JSON document a line for each page; with --all it begins with url and date."
        ) {
            $0.loading.writesPageLines = true
        }
    ]
}

/// `--all`.
struct AllPagesArguments: FlagGroup {
    static let flags = CommandFlag.allPages
    var given = GivenFlags(flags)
}

/// `--jsonl`, for commands that have no lines of their own.
struct PageLinesArguments: FlagGroup {
    static let flags = CommandFlag.pageLines
    var given = GivenFlags(flags)
}

extension LoadingOptions {
    /// Parses a date, as in "2024-05-01", "2024-05-01T12:30:00Z" and "20240501123000".
    static func date(_ text: String) throws(Failure) -> Timestamp {
        guard let date = Timestamp(archiveDate: text) else {
            throw Failure(usage: "--at \(text)", "not a date, as in 2024-05-01 or 2024-05-01T12:30:00Z")
        }
        return date
    }

    /// The archives of `--from`, opened.
    func openArchives() throws(Failure) -> [Archive] {
        guard !archives.isEmpty else {
            if takesAllPages { throw Failure(usage: "--all", "only with --from") }
            return []
        }
        if takesAllPages, archiveDate != nil {
            throw Failure(usage: "--at", "not together with --all, which takes every copy")
        }
        if cacheFolder != nil {
            if takesAllPages {
                throw Failure(usage: "--all", "not of a cache; see webinspect archive create")
            }
            return []
        }
        guard archives.count > 1 else { return try ArchiveCommand.open(archives) }
        var opened: [Archive] = []
        var failures: [Failure] = []
        for path in archives {
            do throws(ArchiveError) {
                opened.append(try ArchiveCommand.archive(path))
            } catch {
                failures.append(Failure(error, archive: path))
                opened.append(Archive(UnreadableContents(error), path: path))
            }
        }
        if failures.count == archives.count { throw failures[0] }
        // With --all, the failure is reported when the archive's turn comes.
        if !takesAllPages { for failure in failures { Output.message(failure.line) } }
        return opened
    }

    /// Throws if none of the archives has a record; the error would otherwise be reported for every URL, or
    /// not at all.
    func checkRecords(of configuration: PageLoader.Configuration) throws(Failure) {
        let limit = WaitLimit(seconds: configuration.limits.maximumSeconds)
        var failure: Failure?
        for archive in configuration.archives {
            // A pipe can be read only once: leave it to the loader.
            guard FileStatus(archive.path, followsLinks: true)?.kind == .regular else { return }
            do throws(ArchiveError) {
                _ = try limit.limit { () throws(ArchiveError) in try archive.contents.records().next() }
                return
            } catch {
                guard error.code == .notAnArchive else { return }
                failure = failure ?? Failure(error, archive: archive.path)
            }
        }
        if let failure { throw failure }
    }

    /// The cache to load from in place of archives; `nil` if `--from` names none.
    ///
    /// A folder is a cache. It must be the only source: of several, it is unknown which has the newer copy.
    var cacheFolder: String? {
        guard archives.count == 1 else { return nil }
        // Only a folder has a "." in it.
        return unsafe access("\(archives[0])/.", F_OK) == 0 ? archives[0] : nil
    }
}

extension LoadingOptions {
    /// The writer of `--record`; nil without it.
    func archiveWriter() throws(Failure) -> ArchiveWriter? {
        guard let record else { return nil }
        if !archives.isEmpty {
            throw Failure(usage: "--record", "not together with --from: nothing is exchanged then")
        }
        if !(try policy().mayLoad) {
            throw Failure(usage: "--record", "not together with --cache-only: nothing is exchanged then")
        }
        do throws(ArchiveError) {
            return try ArchiveWriter(record)
        } catch {
            throw Failure(error, archive: record)
        }
    }
}

extension Failure {
    init(_ error: ArchiveError, archive path: String) {
        // The line says the path already.
        let isNamed = error.message.hasPrefix("\(path): ")
        let message = isNamed ? String(error.message.dropFirst(path.count + 2)) : error.message
        self.init(subject: path, message, code: error.code.rawValue, status: ExitStatus(error.code))
    }
}
