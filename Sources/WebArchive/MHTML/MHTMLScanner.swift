import WebStandards

/// Finds the parts of a message, one after the other, without keeping what it has passed.
///
/// [RFC 2046, section 5.1](https://www.rfc-editor.org/rfc/rfc2046#section-5.1),
/// [RFC 2557](https://www.rfc-editor.org/rfc/rfc2557)
struct MHTMLScanner: ~Copyable {
    /// A multipart that is open.
    private struct Level {
        let boundary: [UInt8]
        let base: WebURL?
        var hasParts = false
    }

    private enum State {
        case start
        /// Between parts, and before the first and after the last.
        case between
        /// At the head of a part.
        case head
        case end
    }

    private var line: MIMELineReader
    private var state = State.start
    private var levels: [Level] = []
    /// The level of each boundary.
    private var levelOfBoundary: [[UInt8]: Int] = [:]
    /// The first line that looks like a boundary which was not declared.
    private var otherBoundary: (boundary: [UInt8], start: Int)?

    /// The head of the message, and what it says.
    private(set) var messageHead = MIMEHead()
    private(set) var message = MHTMLMessage(MIMEHead())
    /// The head of the part that ``next()`` returned.
    private(set) var head = MIMEHead()
    /// Whether it is a message of MIME.
    private(set) var isMessage = false
    private var hasParts = false
    /// Whether a part was found that has the message's URL.
    private var hasPage = false
    /// Whether the boundary is the one that was found instead of the declared one.
    private var hasFoundBoundary = false
    private var findings: [ArchiveFinding] = []

    private static let maximumDepth = 1000
    private static let maximumFindings = 1000

    init(_ file: ArchiveFile) { line = MIMELineReader(file) }

    mutating func takeFindings() -> [ArchiveFinding] {
        defer { findings = [] }
        return findings
    }

    private mutating func note(_ code: ArchiveFinding.Code, at offset: Int, _ message: String) {
        if findings.count < Self.maximumFindings {
            findings.append(ArchiveFinding(code, offset: offset, message))
        }
    }

    /// The next part with content of its own; nil at the end.
    mutating func next() throws(ArchiveError) -> MHTMLPart? {
        while true {
            switch state {
            case .start: if let part = try start() { return part }
            case .between: try pass()
            case .head: if let part = try part() { return part }
            case .end: return nil
            }
        }
    }

    // MARK: - Heads

    private enum HeadEnd {
        case emptyLine, boundary, file
    }

    /// Reads a head, and the empty line behind it.
    private mutating func readHead() throws(ArchiveError) -> (head: MIMEHead, end: HeadEnd) {
        var head = MIMEHead()
        let start = line.offset
        var end = HeadEnd.file
        while try line.next(keeping: 1 << 20) {
            if line.contentEnd == line.start || line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                end = .emptyLine
                break
            }
            if match() != nil {
                end = .boundary
                break
            }
            head.add(line.bytes)
        }
        if head.isTooLong { note(.header, at: start, "a head has more than 1 MiB") }
        return (head, end)
    }

    /// Reads the head of the message; returns its only part if it is not made of parts.
    private mutating func start() throws(ArchiveError) -> MHTMLPart? {
        try line.skipByteOrderMark()
        // Empty lines before it are no head.
        while try line.next(), line.contentEnd == line.start {}
        line.seek(to: line.start)
        let start = line.offset
        let (head, end) = try readHead()
        message = MHTMLMessage(head)
        messageHead = head
        state = .end
        let names = [
            "mime-version", "content-type", "content-location", "snapshot-content-location",
            "content-transfer-encoding",
        ]
        guard names.contains(where: head.has) else { return nil }
        isMessage = true
        if head.hasOtherLine { note(.header, at: start, "a line of the head is no field") }
        let base =
            head.url("content-base").flatMap { MHTMLPart.resolve($0, nil) }
            ?? head.url("snapshot-content-location").flatMap { MHTMLPart.resolve($0, nil) }
            ?? head.url("content-location").flatMap { MHTMLPart.resolve($0, nil) }
        if Self.isMultipart(head) {
            let boundary = Self.boundary(of: head)
            if boundary == nil { note(.header, at: start, "the boundary of the parts is missing") }
            open(Level(boundary: boundary ?? [], base: base))
            state = .between
            return nil
        }
        if end == .file { note(.truncated, at: start, "the file ends in the head") }
        self.head = head
        hasParts = true
        let bodyStart = line.offset
        while try line.next() {}
        return MHTMLPart(
            offset: start,
            body: end == .file ? nil : bodyStart..<line.offset,
            base: base,
            isFirst: true
        )
    }

    private static func isMultipart(_ head: MIMEHead) -> Bool {
        guard let type = head.text("content-type") else { return false }
        return String(asciiLowercasing: Array(type.prefix(10).utf8)) == "multipart/"
    }

    /// The boundary that a head declares, without white space at its end.
    private static func boundary(of head: MIMEHead) -> [UInt8]? {
        guard let type = head.mediaType, let boundary = type[parameter: "boundary"] else { return nil }
        let bytes = trimmed(Array(boundary.utf8)[...])
        return bytes.isEmpty || bytes.count > 1000 ? nil : bytes
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = bytes
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return Array(bytes)
    }

    // MARK: - Boundaries

    /// The level whose boundary the line is, and whether it ends it.
    private func match() -> (level: Int, isEnd: Bool)? {
        let bytes = line.bytes
        guard bytes.count > 2, bytes[0] == UInt8(ascii: "-"), bytes[1] == UInt8(ascii: "-"), !levels.isEmpty
        else {
            return nil
        }
        let text = Self.trimmed(bytes[2...])
        // A boundary may end in two hyphens itself; the inner one of two is meant.
        let delimiter = levelOfBoundary[text]
        var end: Int?
        if text.count > 2, text.suffix(2) == [UInt8(ascii: "-"), UInt8(ascii: "-")] {
            end = levelOfBoundary[Self.trimmed(text.dropLast(2))]
            // A close delimiter before the first part belongs to another boundary.
            if let level = end, !levels[level].hasParts { end = nil }
        }
        if let end, end > delimiter ?? -1 { return (end, true) }
        return delimiter.map { ($0, false) }
    }

    /// Goes on behind the boundary that the line is.
    private mutating func apply(_ match: (level: Int, isEnd: Bool)) {
        let kept = match.isEnd ? match.level : match.level + 1
        while levels.count > kept {
            let level = levels.removeLast()
            levelOfBoundary[level.boundary] = nil
            if levels.count > match.level {
                note(.truncated, at: line.start, "parts within a part have no end")
            }
        }
        if match.isEnd {
            state = levels.isEmpty ? .end : .between
        } else {
            levels[match.level].hasParts = true
            state = .head
        }
    }

    private mutating func open(_ level: Level) {
        levelOfBoundary[level.boundary] = levels.count
        levels.append(level)
    }

    /// Passes over what is between parts.
    private mutating func pass() throws(ArchiveError) {
        var candidate: (boundary: [UInt8], start: Int)?
        while try line.next() {
            if let match = match() {
                apply(match)
                return
            }
            guard !hasParts, !hasFoundBoundary, levels.count == 1, otherBoundary == nil else { continue }
            if let candidate, MIMEHead.isField(line.bytes) { otherBoundary = candidate }
            candidate = nil
            if line.bytes.count > 2, line.bytes.starts(with: "--".utf8) {
                candidate = (Self.trimmed(line.bytes[2...]), line.start)
            }
        }
        if !hasParts, !hasFoundBoundary, levels.count == 1, let (boundary, start) = otherBoundary {
            note(.header, at: start, "the boundary is not the one that the head declares")
            let base = levels[0].base
            levels = []
            levelOfBoundary = [:]
            hasFoundBoundary = true
            open(Level(boundary: boundary, base: base))
            line.seek(to: start)
            return
        }
        state = .end
        note(.truncated, at: line.offset, "the file ends before the last boundary")
    }

    // MARK: - Parts

    /// Reads a part; nil if it is made of parts.
    private mutating func part() throws(ArchiveError) -> MHTMLPart? {
        let start = line.offset
        let (head, end) = try readHead()
        if head.hasOtherLine { note(.header, at: start, "a line of a part's head is no field") }
        let base = levels.last?.base
        let isFirst = !hasParts
        var part = MHTMLPart(offset: start, body: nil, base: base, isFirst: isFirst)
        switch end {
        case .file:
            state = .end
            note(.truncated, at: start, "the file ends in the head of a part")
            if head.isEmpty { return nil }
            self.head = head
            return part
        case .boundary:
            if let match = match() { apply(match) }
            // An empty head and no body: two boundaries in a row.
            if head.isEmpty { return nil }
            part.body = line.start..<line.start
        case .emptyLine:
            if Self.isMultipart(head), let boundary = Self.boundary(of: head) {
                try enter(head, boundary, base, start)
                return nil
            }
            let isPlain = !["base64", "quoted-printable"].contains(head.transferEncoding)
            if isPlain, head.mediaType?.essence == "message/rfc822" { return nil }
            part.body = try passBody(of: start)
            part.isCut = state == .end && !levels.isEmpty
        }
        if !hasPage, head.url("content-location") == nil, head.contentID == nil {
            part.isPage = head.mediaType?.essence == message.rootType
            hasPage = part.isPage || isFirst && base != nil
        }
        hasParts = true
        self.head = head
        return part
    }

    /// Begins with the parts of a part.
    private mutating func enter(
        _ head: MIMEHead,
        _ boundary: [UInt8],
        _ outer: WebURL?,
        _ start: Int
    ) throws(ArchiveError) {
        state = .between
        // Nested parts with the boundary of an outer level cannot be distinguished from the outer parts.
        guard levelOfBoundary[boundary] == nil else { return }
        guard levels.count < Self.maximumDepth else {
            note(.header, at: start, "parts are nested in more than \(Self.maximumDepth) others")
            return
        }
        let base = head.url("content-base") ?? head.url("content-location")
        open(Level(boundary: boundary, base: base.flatMap { MHTMLPart.resolve($0, outer) } ?? outer))
    }

    /// Passes over a part's content; returns where it is.
    private mutating func passBody(of part: Int) throws(ArchiveError) -> Range<Int> {
        let start = line.offset
        var end = start
        while try line.next() {
            if let match = match() {
                apply(match)
                return start..<end
            }
            // The line end before a boundary belongs to that.
            end = line.contentEnd
        }
        state = .end
        note(.truncated, at: part, "the file ends in a part")
        return start..<line.offset
    }
}
