import WebStandards

/// Compares the indexes of a WACZ with its records.
struct WACZIndexCheck {
    private struct Place: Hashable {
        let part: Int
        let offset: Int
    }

    private struct Record {
        /// A hash value: the texts would take all memory.
        let url: Int
        let length: Int
        let isToBeListed: Bool
        var isListed = false
    }

    private let contents: WACZContents
    private var records: [Place: Record] = [:]

    /// The most records that are compared with the indexes.
    private static let maximumRecords = 4_000_000

    /// The most findings that are reported one by one.
    private static let maximumFindings = 1000

    init(_ contents: WACZContents) { self.contents = contents }

    /// Takes a record of a part.
    mutating func take(_ record: ArchiveRecord, part: Int, length: Int?) {
        guard let offset = record.offset, records.count < Self.maximumRecords else { return }
        records[Place(part: part, offset: offset)] = Record(
            url: Self.hash(record.url),
            length: length ?? 0,
            isToBeListed: record.url != nil && record.kind != .metadata && CDXJLine.hasLine(record)
        )
    }

    /// A number for a URL: some write spaces in it as they are in the index, some do not.
    private static func hash(_ url: String?) -> Int {
        url.map { (try? WebURL($0))?.href ?? $0 }.hashValue
    }

    /// Compares the indexes with the records that were taken.
    mutating func run(_ report: (ArchiveFinding) -> Void) throws(ArchiveError) {
        var count = 0
        try checkIndexes { finding in
            count += 1
            if count <= Self.maximumFindings { report(finding) }
        }
        if count > Self.maximumFindings {
            report(ArchiveFinding(.index, "\(count - Self.maximumFindings) more like these"))
        }
    }

    // MARK: - Indexes

    private mutating func checkIndexes(_ report: (ArchiveFinding) -> Void) throws(ArchiveError) {
        let (indexes, findings) = try contents.openIndexes()
        findings.forEach(report)
        let isNeeded = records.values.contains(where: \.isToBeListed) || contents.parts.isEmpty
        guard !indexes.isEmpty else {
            if findings.isEmpty, isNeeded { report(ArchiveFinding(.index, "there is no index")) }
            return
        }
        for index in indexes {
            try index.verify()
            try check(index, report)
            index.findings.forEach(report)
        }
        var missing: [Place] = records.filter { $0.value.isToBeListed && !$0.value.isListed }.map(\.key)
        missing.sort { ($0.part, $0.offset) < ($1.part, $1.offset) }
        for place in missing {
            let part = contents.parts[place.part].name
            report(ArchiveFinding(.index, part: part, offset: place.offset, "no index has the record"))
        }
    }

    private mutating func check(
        _ index: any CaptureIndex,
        _ report: (ArchiveFinding) -> Void
    ) throws(ArchiveError) {
        // Not copied: nobody else has it.
        var records = records
        self.records = [:]
        try index.forEachLine(startingWith: []) { line in
            let message: String?
            switch line.content {
            case .damaged(let why): message = "a line cannot be read: \(why)"
            case .line(let line): message = Self.problem(line, &records, contents)
            }
            if let message {
                report(ArchiveFinding(.index, part: index.part, offset: line.offset, message))
            }
            return true
        }
        self.records = records
    }

    /// Returns the problem of a line; `nil` if the record that it names exists.
    private static func problem(
        _ line: CDXJLine,
        _ records: inout [Place: Record],
        _ contents: WACZContents
    ) -> String? {
        guard let offset = line.offset, let name = line.filename else {
            return "a line does not say where its record is"
        }
        guard let part = contents.partIndex(ofName: name) else {
            return "a line names \(name), which is not there"
        }
        let place = Place(part: part, offset: offset)
        guard let record = records[place] else {
            return records.count < maximumRecords
                ? "no record begins at \(offset) of \(name), where a line has \(line.url ?? line.key)" : nil
        }
        records[place]?.isListed = true
        if let url = line.url, hash(url) != record.url {
            return "the record at \(offset) of \(name) is not of \(url)"
        }
        // Some count the empty lines behind a record, some do not.
        if let length = line.length, record.length > 0, (length - record.length).magnitude > 4 {
            return "the record at \(offset) of \(name) has \(record.length) bytes, in the index \(length)"
        }
        return nil
    }
}
