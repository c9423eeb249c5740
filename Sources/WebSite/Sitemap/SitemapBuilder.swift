import WebStandards

/// Builds entries from the tags and the text of a sitemap, or from its lines.
struct SitemapBuilder {
    let base: WebURL
    let includesImages: Bool
    private(set) var kind: Sitemap.Kind?
    var faults = SitemapFaults()

    /// Whether the rest of the file is ignored.
    private(set) var isDone = false

    /// Whether the current text is collected.
    private(set) var isCollecting = false

    private var entries: [SitemapEntry] = []
    private var entryCount = 0
    var linkCount = 0

    /// The open elements; deeper ones are only counted, since they are never relevant.
    var open: [SitemapElement] = []
    private var deeperCount = 0
    private var hasRootEnded = false
    /// The root's prefix, including ":"; elements of the sitemap have the same.
    private var prefix: [UInt8] = []
    var text: [UInt8] = []
    var isTextTooLong = false
    var pending: PendingEntry?

    private static let maximumDepth = 16

    /// The parts of an entry that were read so far.
    struct PendingEntry {
        let line: Int
        var location: (bytes: [UInt8], isTooLong: Bool, line: Int)?
        /// The GUID of an item, which is used if it has no link.
        var guid: (bytes: [UInt8], isTooLong: Bool, line: Int)?
        var textLine: Int
        var isGuidLink = false
        var date: String?
        var changeFrequency: SitemapEntry.ChangeFrequency?
        var priority: Double?
        var alternates: [SitemapEntry.Alternate] = []
        var images: [WebURL] = []

        init(line: Int) {
            self.line = line
            textLine = line
        }
    }

    init(base: WebURL, includesImages: Bool) {
        self.base = base
        self.includesImages = includesImages
    }

    mutating func takeEntries() -> [SitemapEntry] {
        defer { entries.removeAll(keepingCapacity: true) }
        return entries
    }

    /// Marks the end of the file.
    ///
    /// - Parameters:
    ///   - line: The number of the last line.
    ///   - isCutOff: Whether the file ends within a tag or another construct.
    mutating func finish(line: Int, isCutOff: Bool) {
        // An entry whose URL was read completely counts.
        if pending?.location != nil || pending?.guid != nil { endEntry() }
        guard !isDone else { return }
        if kind == nil {
            faults.add(.kind, line: 1, "the file has no element of a sitemap")
        } else if isCutOff || !open.isEmpty {
            faults.add(.truncated, line: line, "the sitemap ends too early")
        }
    }

    /// Stops reading because of a fault.
    mutating func stop(_ code: SitemapFault.Code, line: Int, _ message: String) {
        faults.add(code, line: line, message)
        isDone = true
    }

    // MARK: - Text

    mutating func append(_ byte: UInt8) {
        guard isCollecting else { return }
        guard text.count < Sitemap.maximumLocationLength else {
            isTextTooLong = true
            return
        }
        text.append(byte)
    }

    /// Removes bytes that turned out not to be text.
    mutating func removeLast(_ count: Int) {
        guard isCollecting, !isTextTooLong else { return }
        text.removeLast(min(count, text.count))
    }

    /// Adds a line of a sitemap of plain text.
    mutating func addTextLine(_ bytes: [UInt8], isTooLong: Bool, line: Int) {
        guard let location = location(bytes, isTooLong: isTooLong, line: line, base: nil) else { return }
        kind = .text
        add(SitemapEntry(location: location, line: line))
    }

    // MARK: - Elements

    mutating func startElement(_ name: [UInt8], _ attributes: SitemapAttributes, line: Int, isEmpty: Bool) {
        let (namePrefix, element) = split(name)
        guard !open.isEmpty else {
            startRoot(element, namePrefix, line: line)
            if isEmpty, !isDone { endElement(name, line: line) }
            return
        }
        let isEntry = element.isEntry(of: kind) && deeperCount == 0 && namePrefix.elementsEqual(prefix)
        if isEntry {
            startEntry(element, line: line)
        } else if pending != nil, deeperCount == 0 {
            startPart(element, isOwn: namePrefix.elementsEqual(prefix), attributes, line: line)
        }
        guard !isEmpty else {
            isTextWanted = false
            if isEntry { endEntry() }
            return
        }
        if open.count < Self.maximumDepth, deeperCount == 0 {
            open.append(element)
        } else {
            deeperCount +|= 1
        }
        updateCollecting()
    }

    mutating func endElement(_ name: [UInt8], line: Int) {
        guard deeperCount == 0 else {
            deeperCount -= 1
            return
        }
        let (_, element) = split(name)
        guard let place = open.lastIndex(of: element) else {
            faults.add(.markup, line: line, "an element ends that has not begun")
            return
        }
        if place != open.count - 1 {
            faults.add(.markup, line: line, "an element does not end before the one around it")
        }
        while open.count > place {
            close(open[open.count - 1])
            open.removeLast()
        }
        updateCollecting()
        hasRootEnded = open.isEmpty
    }

    private func split(_ name: [UInt8]) -> (prefix: ArraySlice<UInt8>, element: SitemapElement) {
        let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        return (name[..<start], SitemapElement(name[start...]))
    }

    private mutating func startRoot(_ element: SitemapElement, _ namePrefix: ArraySlice<UInt8>, line: Int) {
        guard !hasRootEnded else {
            stop(.markup, line: line, "the sitemap has more than one root element")
            return
        }
        guard let kind = element.kind else {
            stop(.kind, line: line, "the root element is not that of a sitemap")
            return
        }
        self.kind = kind
        prefix = Array(namePrefix)
        open.append(element)
    }

    private mutating func startEntry(_ element: SitemapElement, line: Int) {
        if pending != nil {
            faults.add(.markup, line: line, "an entry begins within another one")
            if let place = open.firstIndex(where: { $0.isEntry(of: kind) }) { open.removeSubrange(place...) }
            endEntry()
        }
        pending = PendingEntry(line: line)
    }

    mutating func beginText(_ line: Int) {
        text.removeAll(keepingCapacity: true)
        isTextTooLong = false
        isTextWanted = true
        pending?.textLine = line
    }

    /// Whether the text of the element that was begun last is wanted.
    private var isTextWanted = false
    /// The number of open elements around the wanted text; `nil` if no text is wanted.
    private var textDepth: Int?

    private mutating func updateCollecting() {
        if isTextWanted {
            textDepth = open.count
            isTextWanted = false
        }
        isCollecting = textDepth == open.count && deeperCount == 0
    }

    /// Closes the innermost element, perhaps because one around it ends.
    private mutating func close(_ element: SitemapElement) {
        if element.isEntry(of: kind), !open.dropLast().contains(where: { $0.isEntry(of: kind) }) {
            endEntry()
            return
        }
        guard textDepth == open.count else { return }
        textDepth = nil
        guard let parent = open.dropLast().last else { return }
        keepText(of: element, in: parent)
    }

    // MARK: - Entries

    private mutating func endEntry() {
        textDepth = nil
        isCollecting = false
        guard let pending else { return }
        self.pending = nil
        guard let written = pending.location ?? pending.guid else {
            faults.add(.location, line: pending.line, "an entry has no URL")
            return
        }
        let url = location(written.bytes, isTooLong: written.isTooLong, line: written.line, base: base)
        guard let url else { return }
        var entry = SitemapEntry(location: url, line: written.line)
        entry.lastModified = pending.date.flatMap { Timestamp(sitemapDate: $0) }
        entry.changeFrequency = pending.changeFrequency
        entry.priority = pending.priority
        entry.alternates = pending.alternates
        entry.images = pending.images
        add(entry)
    }

    private mutating func add(_ entry: SitemapEntry) {
        guard entryCount < Sitemap.maximumEntryCount else {
            let limit = "more than \(Sitemap.maximumEntryCount) entries; the rest is left out"
            stop(.limit, line: entry.line, limit)
            return
        }
        entryCount += 1
        entries.append(entry)
    }

    /// Returns a text without leading and trailing white space of any kind, or byte order marks, which editors insert.
    private static func trimmed(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        func isBlank(_ scalar: Unicode.Scalar?) -> Bool {
            scalar.map { $0.properties.isWhitespace || $0 == "\u{FEFF}" } ?? false
        }
        while isBlank(scalars.first) { scalars.removeFirst() }
        while isBlank(scalars.last) { scalars.removeLast() }
        return String(scalars)
    }

    /// Parses a URL; returns `nil` and adds a fault if it cannot be fetched.
    mutating func location(_ bytes: [UInt8], isTooLong: Bool, line: Int, base: WebURL?) -> WebURL? {
        guard !isTooLong else {
            faults.add(.limit, line: line, "a URL has more than \(Sitemap.maximumLocationLength) bytes")
            return nil
        }
        do throws(WebURLError) {
            let url = try WebURL(Self.trimmed(String(decoding: bytes, as: UTF8.self)), base: base)
            if url.scheme == "http" || url.scheme == "https" { return url }
            faults.add(.location, line: line, "a URL is not of http or https")
        } catch {
            faults.add(.location, line: line, "a URL is not valid: \(error)")
        }
        return nil
    }
}
