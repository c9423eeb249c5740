import WebStandards

/// A list of pages in a WACZ: lines of JSON, of which the first says what the list is.
///
/// [WACZ 1.1.1, pages](https://specs.webrecorder.net/wacz/1.1.1/#pages-jsonl)
struct WACZPages {
    /// Where lists are.
    static let names = ["pages/pages.jsonl", "pages/extraPages.jsonl"]

    private(set) var pages: [ArchivePage] = []
    private(set) var findings: [ArchiveFinding] = []

    /// The most pages of a list that are read.
    private static let maximumCount = 1_000_000

    /// The most invalid lines that are reported.
    private static let maximumFindings = 100

    init(_ zip: ZIPArchive, _ entry: ZIPArchive.Entry) throws(ArchiveError) {
        let file: ArchiveFile
        do throws(ArchiveError) {
            let (member, failure) = try zip.member(entry, maximumSize: entry.likelySize)
            file = member
            if let failure { add(failure.message, entry) }
        } catch {
            guard error.code == .body || error.code == .limit else { throw error }
            add(error.message, entry)
            return
        }
        var reader = LineReader(file)
        var number = 0
        while let line = try reader.next(), pages.count < Self.maximumCount {
            number += 1
            guard !line.bytes.allSatisfy(\.isASCIIWhitespace) else { continue }
            guard !line.isTooLong, let value = try? JSONValue(parsing: Self.withoutMark(line.bytes)) else {
                add("line \(number) is not JSON", entry)
                continue
            }
            if let page = Self.page(value) {
                pages.append(page)
            } else if number > 1 || value["format"] == nil {
                add("line \(number) is of a page without a URL", entry)
            }
        }
    }

    private mutating func add(_ message: String, _ entry: ZIPArchive.Entry) {
        guard findings.count < Self.maximumFindings else { return }
        findings.append(ArchiveFinding(.manifest, part: entry.name, message))
    }

    private static func withoutMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
    }

    private static func page(_ value: JSONValue) -> ArchivePage? {
        guard let url = value["url"]?.string, !url.isEmpty else { return nil }
        return ArchivePage(url: url, date: date(value["ts"]), title: value["title"]?.string)
    }

    /// A date as text, or in milliseconds as some write it.
    private static func date(_ value: JSONValue?) -> Timestamp? {
        switch value {
        case .string(let text): Timestamp(archiveDate: text)
        case .integer(let milliseconds): Timestamp(millisecondsSince1970: milliseconds)
        case .number, .bool, .null, .array, .object, nil: nil
        }
    }
}
