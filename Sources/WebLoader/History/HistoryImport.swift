import HTTPTypes
import WebArchive

/// Keeps all copies that archives have of pages as versions in a cache, each of its date.
package struct HistoryImport {
    /// Versions that were kept, and copies that are the same as the version before them.
    package private(set) var kept = 0
    package private(set) var same = 0
    /// Copies that are no version: without a date, cut off, parts, interim responses and confirmations.
    package private(set) var refused = 0
    /// Copies and archives that could not be read, and what else is wrong with the archives.
    package private(set) var failed = 0
    /// Versions that were removed again, the oldest, since the cache became too large.
    package private(set) var removed = 0

    private let cache: CacheBrowser
    private let limits: LoadLimits
    private let memory = VersionMemory()

    /// - Parameters:
    ///   - cache: Where the versions are kept.
    ///   - limits: How large a body may be.
    package init(into cache: CacheBrowser, limits: LoadLimits) {
        self.cache = cache
        self.limits = limits
    }

    /// Keeps what archives have, in their order; it blocks.
    ///
    /// - Parameters:
    ///   - archives: The archives, which are searched together for what revisits refer to.
    ///   - report: Takes what could not be read, a URL or the path of an archive, and why.
    ///   - findings: Takes what else is wrong with an archive, whose path it gets.
    /// - Throws: `CacheBrowser.Failure` if the cache cannot be written.
    package mutating func keep(
        _ archives: [Archive],
        _ report: (String, ArchiveError) -> Void,
        findings: (ArchiveFinding, String) -> Void
    ) throws(CacheBrowser.Failure) {
        let collection = ArchiveCollection(archives)
        for archive in archives {
            var failure: CacheBrowser.Failure?
            do throws(ArchiveError) {
                let reader = try archive.contents.records()
                while let record = try reader.next() {
                    take(reader, archive, findings)
                    guard ArchiveCollection.isCopy(record),
                        let url = record.url.flatMap({ try? WebURL($0) }),
                        url.scheme == "http" || url.scheme == "https"
                    else { continue }
                    let found: Result<WebResponse, ArchiveError>
                    do throws(ArchiveError) {
                        found = .success(
                            try collection.response(of: record, reader, in: archive, within: .none)
                                .read(url, maximumSize: limits.maximumBodySize)
                        )
                    } catch {
                        found = .failure(error)
                    }
                    failure = keep(found, url, record, report)
                    if failure != nil { break }
                }
                take(reader, archive, findings)
            } catch {
                failed += 1
                report(archive.path, error)
            }
            if let failure { throw failure }
        }
    }

    private mutating func take(
        _ reader: any RecordReader,
        _ archive: Archive,
        _ findings: (ArchiveFinding, String) -> Void
    ) {
        for finding in reader.takeFindings() {
            failed += 1
            findings(finding, archive.path)
        }
    }

    /// Keeps a copy; returns why the cache could not be written, nil if it could.
    private mutating func keep(
        _ found: Result<WebResponse, ArchiveError>,
        _ url: WebURL,
        _ record: ArchiveRecord,
        _ report: (String, ArchiveError) -> Void
    ) -> CacheBrowser.Failure? {
        switch found {
        case .failure(let error):
            failed += 1
            report(url.description, error)
        case .success(let response):
            let status = response.status?.code ?? 200
            guard let date = record.date, record.truncated == nil, 200...999 ~= status,
                ![206, 304, 416].contains(status)
            else {
                refused += 1
                return nil
            }
            do throws(CacheBrowser.Failure) {
                let kept = try cache.keepVersion(response, received: date, remembering: memory)
                if kept.isNew { self.kept += 1 } else { same += 1 }
                // Each time a tenth is removed: it is seldom asked for.
                if kept.isOverLimit { removed += try cache.trim(to: cache.maximumSize).removedVersions }
            } catch {
                return error
            }
        }
        return nil
    }
}
