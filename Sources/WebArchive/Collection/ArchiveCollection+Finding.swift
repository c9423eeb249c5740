import Synchronization
import WebStandards

/// Finding captures, and what revisits refer to.
extension ArchiveCollection {
    /// A capture as it was found: by the archive's index, or by a table of ours.
    struct Capture {
        /// Milliseconds since 1970; the least number where there is no date.
        let date: Int64
        let location: ArchiveLocation?
        /// The number of the record in the archive; nil where the location says it.
        let ordinal: Int?
        /// Whether it answers GET, as far as that is known.
        var isOfGET = true
    }

    /// The key under which captures of a URL are noted: the URL without its fragment, as browsers write it, in one form of its
    /// percent-encodings.
    static func key(of url: WebURL) -> String {
        String(decoding: PercentNormalization.normalized(Array(url.withoutFragment.href.utf8)), as: UTF8.self)
    }

    /// The key for a URL as an archive has it; what is no URL is itself.
    static func key(_ url: String) -> String { (try? WebURL(url)).map { key(of: $0) } ?? url }

    /// The captures of a URL in an archive, oldest first, by its own index if it has one.
    func captures(
        of url: WebURL?,
        _ key: String,
        in member: Archive,
        _ limit: WaitLimit
    ) throws(ArchiveError) -> [Capture] {
        if let url, let indexed = try member.contents.captures(of: url) {
            return indexed.map {
                Capture(
                    date: $0.date?.millisecondsSince1970 ?? .min,
                    location: $0.location,
                    ordinal: nil
                )
            }
        }
        var methods = OtherMethods()
        return try Self.table(member.captures, of: member, limit) {
            (table, record, ordinal) throws(ArchiveError) in
            try methods.note(record, ordinal: ordinal)
            guard Self.hasContent(record) || record.kind == .conversion, let url = record.url else { return }
            try table.insert(Self.key(url), record, ordinal: ordinal)
        } finish: { table in
            table.mark(others: methods.responses)
        }.captures(of: key)
    }

    /// Goes to a capture, and reads on to the record that is looked for: several may be in one member.
    ///
    /// - Returns: The record, its body to be read; nil if there is no such record there.
    func open(
        _ capture: Capture,
        in member: Archive,
        _ limit: WaitLimit,
        where isWanted: (ArchiveRecord) -> Bool
    ) throws(ArchiveError) -> (ArchiveRecord, any RecordReader)? {
        try Self.check(limit)
        guard let location = capture.location else {
            let reader = try member.contents.records()
            for _ in 0..<(capture.ordinal ?? 0) {
                try Self.check(limit)
                guard try reader.next() != nil else { return nil }
            }
            guard let record = try reader.next(), !record.isRecovered, isWanted(record) else { return nil }
            return (record, reader)
        }
        let reader = try member.contents.records(at: location)
        while let record = try reader.next() {
            try Self.check(limit)
            let isHere = record.offset == nil || record.offset == location.offset
            guard isHere else { return nil }
            let date = record.date?.millisecondsSince1970 ?? .min
            if !record.isRecovered, isWanted(record), date == capture.date || capture.ordinal == nil {
                return (record, reader)
            }
        }
        return nil
    }

    /// The response that a record is, with the body of what it refers to if it is a revisit.
    func resolved(
        _ record: ArchiveRecord,
        _ reader: any RecordReader,
        _ member: Archive,
        _ limit: WaitLimit
    ) throws(ArchiveError) -> ArchivedResponse {
        guard record.kind == .revisit else {
            return ArchivedResponse(archive: member, record: record, original: record, reader: reader)
        }
        // Its own archive first: that is where it nearly always is.
        for other in [member] + members.filter({ $0 !== member }) {
            if let (original, reader) = try original(of: record, in: other, limit) {
                return ArchivedResponse(archive: member, record: record, original: original, reader: reader)
            }
        }
        throw ArchiveError(.bodyMissing, "a revisit of what is not in \(name)")
    }

    /// The most records that are read to find the original of a revisit, for each way to find it.
    ///
    /// An archive may have as many copies of a URL as it has revisits, and none that matches.
    private static let maximumTries = 4

    /// Finds the record to which a revisit refers: by its ID, else by its URL and date, else by its digest.
    private func original(
        of revisit: ArchiveRecord,
        in member: Archive,
        _ limit: WaitLimit
    ) throws(ArchiveError) -> (ArchiveRecord, any RecordReader)? {
        func isOriginal(_ record: ArchiveRecord) -> Bool {
            guard record.kind == .response || record.kind == .resource else { return false }
            guard let wanted = revisit.payloadDigest, let own = record.payloadDigest else { return true }
            return Self.canonical(wanted) == Self.canonical(own)
        }
        let originals = try Self.table(member.originals, of: member, limit) {
            (table, record, ordinal) throws(ArchiveError) in
            guard record.kind == .response || record.kind == .resource else { return }
            if let id = record.id { try table.insert(id, record, ordinal: ordinal) }
            if let url = record.url { try table.insert(Self.key(url), record, ordinal: ordinal) }
            if let digest = record.payloadDigest.map(Self.canonical) {
                try table.insert(digest, record, ordinal: ordinal)
            }
        }
        if let id = revisit.refersTo?.id {
            for capture in originals.captures(of: id).prefix(Self.maximumTries) {
                let found = try open(capture, in: member, limit) { $0.id == id && $0.kind != .revisit }
                if let found { return found }
            }
        }
        let url = revisit.refersTo?.url ?? revisit.url
        let date = revisit.refersTo?.date ?? revisit.date
        if let url {
            let key = Self.key(url)
            let copies = originals.captures(of: key).sorted { Self.isBefore($0, $1, date) }
            for capture in copies.prefix(Self.maximumTries) {
                let found = try open(capture, in: member, limit) {
                    isOriginal($0) && $0.url.map(Self.key) == key
                }
                if let found { return found }
            }
        }
        guard let digest = revisit.payloadDigest.map(Self.canonical) else { return nil }
        for capture in originals.captures(of: digest).prefix(Self.maximumTries) {
            if let found = try open(capture, in: member, limit, where: isOriginal) { return found }
        }
        return nil
    }

    /// A digest as all who state the same would write it; one of an unknown kind as it is.
    private static func canonical(_ digest: String) -> String {
        if case .value(let value) = Digest.parse(digest) { return value.text }
        return digest
    }

    /// A table of an archive, made when it is first asked.
    private static func table(
        _ table: borrowing Mutex<CaptureTable?>,
        of member: Archive,
        _ limit: WaitLimit,
        _ note: (inout CaptureTable, ArchiveRecord, Int) throws(ArchiveError) -> Void,
        finish: (inout CaptureTable) -> Void = { _ in }
    ) throws(ArchiveError) -> CaptureTable {
        try table.withLock { (table) throws(ArchiveError) in
            if let table { return table }
            var made = CaptureTable()
            let reader = try member.contents.records()
            var ordinal = 0
            while let record = try reader.next() {
                try check(limit)
                if !record.isRecovered { try note(&made, record, ordinal) }
                ordinal += 1
            }
            finish(&made)
            made.sort()
            table = made
            return made
        }
    }
}

extension CaptureTable {
    /// The captures under a key, oldest first.
    fileprivate func captures(of key: String) -> [ArchiveCollection.Capture] {
        places(of: key).map { place in
            ArchiveCollection.Capture(
                date: place.date,
                location: place.offset < 0
                    ? nil : ArchiveLocation(part: parts[Int(place.part)], offset: place.offset),
                ordinal: place.ordinal,
                isOfGET: place.isOfGET
            )
        }
    }
}
