import WebStandards

/// Finds the captures of one URL in a WACZ.
struct WACZCaptures {
    private let contents: WACZContents
    private let url: WebURL

    init(_ contents: WACZContents, _ url: WebURL) {
        self.contents = contents
        self.url = url.withoutFragment
    }

    /// The captures that the indexes name, oldest first; nil if they name none, or one is not where they say: then the records
    /// are to be read instead.
    func find(in indexes: [any CaptureIndex]) throws(ArchiveError) -> [ArchiveCapture]? {
        var captures: [ArchiveCapture] = []
        for place in try places(in: indexes) {
            guard let capture = try capture(at: place.location) else {
                // A line without a URL may be of another one with the same key.
                if !place.isNamed { continue }
                return nil
            }
            captures.append(capture)
        }
        // A line may be missing.
        return captures.isEmpty ? nil : Self.sorted(captures)
    }

    /// A location that lines of an index name.
    private struct Place {
        /// The location; `nil` if the archive has no such file.
        let location: ArchiveLocation?
        /// Whether a line names the URL.
        var isNamed: Bool
    }

    /// Returns the locations that the indexes name, each once.
    private func places(in indexes: [any CaptureIndex]) throws(ArchiveError) -> [Place] {
        var places: [Place] = []
        var numbers: [ArchiveLocation?: Int] = [:]
        for index in indexes {
            for key in SURT.keys(of: url) {
                try index.forEachLine(startingWith: Array("\(key) ".utf8)) { line in
                    guard case .line(let line) = line.content, line.url.map(isURL) ?? true else {
                        return true
                    }
                    let location = location(of: line)
                    // The length in the line is ignored.
                    let place = location.map { ArchiveLocation(part: $0.part, offset: $0.offset) }
                    if let number = numbers[place] {
                        if line.url != nil { places[number].isNamed = true }
                    } else {
                        numbers[place] = places.count
                        places.append(Place(location: location, isNamed: line.url != nil))
                    }
                    return true
                }
            }
        }
        return places
    }

    private func location(of line: CDXJLine) -> ArchiveLocation? {
        guard let offset = line.offset, let name = line.filename, let index = contents.partIndex(ofName: name)
        else { return nil }
        return ArchiveLocation(part: contents.parts[index].name, offset: offset, length: line.length)
    }

    /// The capture at a place; nil if there is another record, or none.
    private func capture(at location: ArchiveLocation?) throws(ArchiveError) -> ArchiveCapture? {
        guard let location else { return nil }
        let reader = try contents.records(at: location)
        guard let record = try reader.next(), record.part == location.part,
            record.offset == location.offset, record.url.map(isURL) ?? false
        else { return nil }
        return ArchiveCapture(record, length: location.length)
    }

    private func isURL(_ text: String) -> Bool {
        if text == url.href { return true }
        return (try? WebURL(text))?.withoutFragment == url
    }

    private static func sorted(_ captures: [ArchiveCapture]) -> [ArchiveCapture] {
        captures.sorted { a, b in
            guard a.date == b.date else {
                guard let first = a.date, let second = b.date else { return a.date == nil }
                return first < second
            }
            return (a.location.part ?? "", a.location.offset) < (b.location.part ?? "", b.location.offset)
        }
    }
}

extension ArchiveCapture {
    /// Creates the capture of a record; `nil` if the record is not a capture, or has no location.
    fileprivate init?(_ record: ArchiveRecord, length: Int?) {
        guard let url = record.url, let offset = record.offset,
            record.kind == .response || record.kind == .resource || record.kind == .revisit
        else { return nil }
        self.init(
            url: url,
            location: ArchiveLocation(part: record.part, offset: offset, length: length),
            isRevisit: record.kind == .revisit
        )
        date = record.date
        status = record.status
        mimeType = record.mimeType
        payloadDigest = record.payloadDigest
        refersTo = record.refersTo
    }
}

extension SURT {
    /// The keys that a URL has in indexes of different makes, the usual one first.
    static func keys(of url: WebURL) -> [String] {
        let first = key(of: url)
        let other = scriptKey(of: url)
        return first == other ? [first] : [first, other]
    }

    /// The key that programs in JavaScript write: the URL in lower case, its host reversed, its query in order.
    private static func scriptKey(of url: WebURL) -> String {
        guard url.scheme == "http" || url.scheme == "https" else { return url.href }
        let labels = url.hostname.split(separator: ".", omittingEmptySubsequences: false)
        let first = labels.first ?? ""
        let isWWW = first.hasPrefix("www") && first.utf8.dropFirst(3).allSatisfy(\.isASCIIDigit)
        var key = (isWWW ? labels.dropFirst() : labels[...]).reversed().joined(separator: ",")
        if let port = url.port { key += ":\(port)" }
        key += ")" + url.path.lowercased()
        guard let query = url.query, !query.isEmpty else { return key }
        var parameters = URLSearchParameters(parsing: query.lowercased())
        parameters.sort()
        return "\(key)?\(parameters)"
    }
}
