package import WebStandards

/// A log of HTTP exchanges as browsers and proxies write it.
///
/// A place in it is the offset of an entry. Memory is bounded whatever the file's size: entries are read one by one, and
/// bodies piece by piece.
///
/// [HAR 1.2](http://www.softwareishard.com/blog/har-12-spec/)
package struct HARContents: ArchiveContents {
    private let file: ArchiveFile

    /// Findings that ``verify(_:)`` reports one by one.
    private static let maximumFindings = 10_000

    package init(file: ArchiveFile) { self.file = file }

    package var format: String { "HAR" }

    package func records() throws(ArchiveError) -> any RecordReader {
        HARReader(try file.inMemoryIfNeeded())
    }

    package func records(at location: ArchiveLocation) throws(ArchiveError) -> any RecordReader {
        HARReader(try file.inMemoryIfNeeded(), entry: location.offset)
    }

    package func captures(of url: WebURL) throws(ArchiveError) -> [ArchiveCapture]? { nil }

    package func pages() throws(ArchiveError) -> [ArchivePage]? {
        var scanner = HARScanner(try file.inMemoryIfNeeded())
        var pages: [JSONValue] = []
        // A page has a title only: its URL is that of its first entry that is a document.
        var urls: [String: (url: String, isDocument: Bool)] = [:]
        scan: while true {
            switch try scanner.next() {
            case .entry(let capture):
                guard let entry = HAREntry(capture, { _ in }), let page = entry.page,
                    let url = entry.record.url
                else { continue }
                let isDocument = entry.isDocument
                guard
                    urls[page] == nil && urls.count < 100_000 || isDocument && urls[page]?.isDocument == false
                else { continue }
                urls[page] = (url, isDocument)
            case .pages(let capture) where pages.isEmpty:
                if case .array(let values)? = try? JSONValue(parsing: capture.bytes) { pages += values }
            case .pages, .other: continue
            case .end: break scan
            }
            _ = scanner.takeFindings()
        }
        let named = pages.compactMap { page -> ArchivePage? in
            guard let id = page["id"]?.string, let url = urls[id]?.url else { return nil }
            let date = page["startedDateTime"]?.string.flatMap { Timestamp(internetDate: $0) }
            return ArchivePage(url: url, date: date, title: page["title"]?.string)
        }
        return named.isEmpty ? nil : named
    }

    package func verify(_ report: (ArchiveFinding) -> Void) throws(ArchiveError) {
        // Where every entry is wrong, nobody reads more of them.
        var count = 0
        let hasLog = try verifyAll { finding in
            count += 1
            if count <= Self.maximumFindings { report(finding) }
        }
        guard hasLog else { throw ArchiveError(.notAnArchive, "\(file.path): no HAR") }
        if count > Self.maximumFindings {
            report(ArchiveFinding(.header, "\(count - Self.maximumFindings) more findings are left out"))
        }
    }

    /// Reports everything that is wrong; returns whether it is a HAR at all.
    private func verifyAll(_ report: (ArchiveFinding) -> Void) throws(ArchiveError) -> Bool {
        let file = try file.inMemoryIfNeeded()
        var scanner = HARScanner(file)
        let bodies = HARBodyReader(file: file)
        while true {
            let step = try scanner.next()
            scanner.takeFindings().forEach(report)
            switch step {
            case .entry(let capture):
                guard let entry = HAREntry(capture, report) else { continue }
                if case .base64(let range) = entry.body, try !bodies.isBase64(range) {
                    let offset = capture.range.lowerBound
                    report(ArchiveFinding(.header, offset: offset, "a body is said to be Base64, and is not"))
                }
            case .pages, .other: continue
            case .end:
                if scanner.hasLog, !scanner.hasEntries, !scanner.isCut {
                    report(ArchiveFinding(.header, offset: 0, "there is no list of entries in the log"))
                }
                return scanner.hasLog
            }
        }
    }
}

extension HAREntry {
    /// Whether it can be the page itself.
    fileprivate var isDocument: Bool {
        guard let status = record.status, !(300...399 ~= status),
            let type = record.mimeType.flatMap({ MediaType($0) })
        else { return false }
        return type.isHTML || type.essence == "application/xhtml+xml"
    }
}
