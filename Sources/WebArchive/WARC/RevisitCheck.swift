import WebStandards

/// Whether what revisits refer to is in the file, before them or after them.
///
/// It keeps hash values: some 40 bytes a record.
struct RevisitCheck {
    private struct Revisit {
        let part: String?
        let offset: Int
        let id: Int?
        let refersTo: Int?
        let capture: Int?
        let digest: Int?
    }

    private var ids: Set<Int> = []
    private var captures: Set<Int> = []
    private var digests: Set<Int> = []
    private var revisits: [Revisit] = []

    /// The file in the archive of which records are taken; nil if the archive is the file.
    var part: String?

    /// Takes the next record.
    mutating func take(_ record: ArchiveRecord, at offset: Int) {
        if record.kind == .revisit {
            let reference = record.refersTo
            revisits.append(
                Revisit(
                    part: part,
                    offset: offset,
                    id: record.id?.hashValue,
                    refersTo: reference?.id?.hashValue,
                    capture: Self.capture(reference?.url, reference?.date),
                    digest: record.payloadDigest.map { Self.digest($0) }
                )
            )
            return
        }
        guard record.kind != .request, record.kind != .information, record.kind != .metadata else { return }
        if let id = record.id { ids.insert(id.hashValue) }
        if let capture = Self.capture(record.url, record.date) { captures.insert(capture) }
        if let digest = record.payloadDigest { digests.insert(Self.digest(digest)) }
    }

    private static func capture(_ url: String?, _ date: Timestamp?) -> Int? {
        guard let url, let date else { return nil }
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(date)
        return hasher.finalize()
    }

    private static func digest(_ text: String) -> Int {
        if case .value(let value) = Digest.parse(text) { value.hashValue } else { text.hashValue }
    }

    /// A finding for each revisit of which nothing in the file has the body; one that refers to nothing has none.
    var findings: [ArchiveFinding] {
        var isThere = revisits.map { revisit in
            (revisit.refersTo.map { ids.contains($0) } ?? false)
                || (revisit.capture.map { captures.contains($0) } ?? false)
                || (revisit.digest.map { digests.contains($0) } ?? false)
        }
        // A revisit may refer to one whose original is there.
        let places = Dictionary(
            revisits.enumerated().compactMap { index, revisit in revisit.id.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first }
        )
        for start in revisits.indices where !isThere[start] {
            var path = [start]
            var isFound = false
            var seen: Set<Int> = [start]
            while let next = revisits[path[path.count - 1]].refersTo.flatMap({ places[$0] }), path.count < 32
            {
                if isThere[next] { isFound = true }
                guard !isFound, seen.insert(next).inserted else { break }
                path.append(next)
            }
            if isFound { for index in path { isThere[index] = true } }
        }
        return zip(revisits, isThere).compactMap { revisit, isThere in
            let refers = revisit.refersTo != nil || revisit.capture != nil || revisit.digest != nil
            guard !isThere, refers else { return nil }
            return ArchiveFinding(
                .revisit,
                part: revisit.part,
                offset: revisit.offset,
                "what the revisit refers to is not in the file"
            )
        }
    }
}
