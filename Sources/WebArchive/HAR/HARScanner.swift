import WebStandards

/// Finds the entries of a HAR, one after the other, without retaining the bytes before them.
struct HARScanner: ~Copyable {
    /// The result of one step of the scan.
    enum Step {
        case entry(JSONCapture)
        /// The list of pages.
        case pages(JSONCapture)
        /// Another member, which was skipped.
        case other
        case end
    }

    /// Where it is: how many brackets are open, and whose.
    private enum Place {
        case start, top, log, entries, end
    }

    private(set) var cursor: FileCursor
    private var place: Place
    /// Whether a value has been read since the last comma.
    private var isBehindValue = false

    /// Whether there is an object `log` at the top.
    private(set) var hasLog = false
    /// Whether there is a list of entries in it.
    private(set) var hasEntries = false
    /// Whether the file ends too early.
    private(set) var isCut = false
    /// The findings that have not been taken yet.
    private(set) var findings: [ArchiveFinding] = []

    /// The most bytes of an entry, without its body, that are copied.
    private static let maximumSize = 16 << 20

    /// The most findings that are retained between two calls of ``takeFindings()``.
    private static let maximumFindings = 1000

    /// Begins at the start of the file, or at an entry.
    init(_ file: ArchiveFile, entry offset: Int? = nil) {
        cursor = FileCursor(file, at: offset ?? 0)
        place = offset == nil ? .start : .entries
        hasLog = offset != nil
        hasEntries = hasLog
    }

    /// The findings so far; none as long as it may be no HAR.
    mutating func takeFindings() -> [ArchiveFinding] {
        guard hasLog else { return [] }
        defer { findings = [] }
        return findings
    }

    /// The next step, which is `end` for ever in the end.
    mutating func next() throws(ArchiveError) -> Step {
        while true {
            switch place {
            case .start: try start()
            case .top: if let step = try member(ofLog: false) { return step }
            case .log: if let step = try member(ofLog: true) { return step }
            case .entries: if let step = try entry() { return step }
            case .end: return .end
            }
        }
    }

    private mutating func note(_ code: ArchiveFinding.Code, at offset: Int, _ message: String) {
        guard findings.count < Self.maximumFindings else { return }
        findings.append(ArchiveFinding(code, offset: offset, message))
    }

    private mutating func start() throws(ArchiveError) {
        _ = try cursor.skip("\u{FEFF}")
        place = .end
        guard try skipToValue() == UInt8(ascii: "{") else { return }
        cursor.advance()
        place = .top
    }

    /// The next byte that is no white space.
    private mutating func skipToValue() throws(ArchiveError) -> UInt8? {
        while let byte = try cursor.peek() {
            guard byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else { return byte }
            cursor.advance()
        }
        return nil
    }

    /// Skips commas, notes missing or superfluous ones, and returns the next byte of a list or an object.
    private mutating func skipToItem(end: UInt8) throws(ArchiveError) -> UInt8? {
        var commas = 0
        while let byte = try skipToValue() {
            guard byte == UInt8(ascii: ",") else {
                if commas != (isBehindValue && byte != end ? 1 : 0) {
                    note(.header, at: cursor.offset, "a comma is missing or too many")
                }
                isBehindValue = false
                return byte
            }
            commas = min(commas + 1, 2)
            cursor.advance()
        }
        return nil
    }

    private mutating func endEarly() {
        place = .end
        isCut = true
        if hasLog { note(.truncated, at: cursor.offset, "the file ends in the middle of the log") }
    }

    // MARK: - Objects

    /// Reads a member of the outermost object, or of the log; nil if there is nothing to say of it.
    private mutating func member(ofLog isLog: Bool) throws(ArchiveError) -> Step? {
        switch try skipToItem(end: UInt8(ascii: "}")) {
        case nil:
            endEarly()
            return nil
        case UInt8(ascii: "}"):
            cursor.advance()
            isBehindValue = true
            if isLog { place = .top } else { try finish() }
            return nil
        case UInt8(ascii: "\""): break
        default:
            note(.header, at: cursor.offset, "the name of a member is missing")
            return try skip(isLog)
        }
        let name = try captured(maximumSize: 1024)
        guard name.isWhole, try skipToValue() != nil else {
            endEarly()
            return nil
        }
        guard try cursor.skip(":"), let first = try skipToValue() else {
            note(.header, at: cursor.offset, "a colon or a value is missing")
            return .other
        }
        let text = (try? JSONValue(parsing: name.bytes))?.string
        if !isLog, text == "log", first == UInt8(ascii: "{") {
            cursor.advance()
            hasLog = true
            place = .log
            return nil
        }
        if isLog, text == "entries", first == UInt8(ascii: "[") {
            cursor.advance()
            hasEntries = true
            place = .entries
            return nil
        }
        return try skip(isLog, name: text)
    }

    /// Skips a value that is not an entry, and checks that it is JSON.
    private mutating func skip(_ isLog: Bool, name: String? = nil) throws(ArchiveError) -> Step {
        let value = try captured(maximumSize: Self.maximumSize)
        isBehindValue = true
        guard value.isWhole else {
            endEarly()
            return .other
        }
        // A file that is no HAR is not checked.
        if hasLog, !value.isTooLong, value.isTooDeep || (try? JSONValue(parsing: value.bytes)) == nil {
            note(.header, at: value.range.lowerBound, "the value of \"\(name ?? "?")\" is no JSON")
        }
        return isLog && name == "pages" ? .pages(value) : .other
    }

    /// Behind the outermost object.
    private mutating func finish() throws(ArchiveError) {
        place = .end
        if hasLog, try skipToValue() != nil {
            note(.header, at: cursor.offset, "something is behind the end")
        }
    }

    // MARK: - Entries

    private mutating func entry() throws(ArchiveError) -> Step? {
        switch try skipToItem(end: UInt8(ascii: "]")) {
        case nil:
            endEarly()
            return nil
        case UInt8(ascii: "]"):
            cursor.advance()
            isBehindValue = true
            place = .log
            return nil
        case UInt8(ascii: "}"):
            note(.header, at: cursor.offset, "a bracket closes nothing")
            cursor.advance()
            isBehindValue = true
            return .other
        default: break
        }
        let entry = try captured(maximumSize: Self.maximumSize, isEntry: true)
        isBehindValue = entry.nextEntry == nil
        guard entry.isWhole else {
            place = .end
            note(.truncated, at: entry.range.lowerBound, "the file ends in the middle of an entry")
            return nil
        }
        return .entry(entry)
    }

    private mutating func captured(
        maximumSize: Int,
        isEntry: Bool = false
    ) throws(ArchiveError) -> JSONCapture {
        var capturer = JSONCapturer(at: cursor.offset, maximumSize: maximumSize, isEntry: isEntry)
        let capture = try capturer.run(&cursor)
        // A misplaced colon or bracket is skipped too.
        if capture.range.isEmpty { cursor.advance() }
        return capture
    }
}
