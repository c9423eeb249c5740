import WebStandards

/// The head of a record, read: the record, and what its reader needs besides.
struct RecordHead {
    var record: ArchiveRecord
    /// Bytes of the block; nil if the head does not say that.
    var length: Int?
    var isHTTP = false
    var blockDigest: String?
    var segment: Int?
    var segmentOrigin: String?
    var segmentTotal: Int?
    /// The problems of the head, except that of its length.
    var problems: [String] = []
    var lengthProblem: String?

    /// Reads the head of a record of a WARC.
    ///
    /// - Parameter bytes: The version line and the fields, without the empty line.
    @safe init(warc bytes: UnsafeRawBufferPointer) {
        record = ArchiveRecord(kind: "unknown")
        record.fields = unsafe MessageHead(bytes: Array(bytes))
        var reference = ArchiveRecord.Reference()
        var seen: Seen = []
        var hasBadLine = false
        var lines = unsafe FieldLines(bytes)
        _ = unsafe lines.nextLine()
        while let field = unsafe lines.next() {
            guard unsafe !field.name.isEmpty else {
                hasBadLine = true
                continue
            }
            unsafe read(field, &reference, &seen)
        }
        if reference != ArchiveRecord.Reference() { record.refersTo = reference }
        if hasBadLine { problems.append("a line of its head is no field") }
        var missing: [String] = []
        if !seen.contains(.type) { missing.append("WARC-Type") }
        if record.id == nil { missing.append("WARC-Record-ID") }
        if !seen.contains(.date) { missing.append("WARC-Date") }
        let needsURL: [ArchiveRecord.Kind] = [.response, .resource, .request, .revisit, .conversion]
        if record.url == nil, needsURL.contains(record.kind) { missing.append("WARC-Target-URI") }
        if !missing.isEmpty { problems.append("it has no \(missing.joined(separator: ", no "))") }
        if seen.contains(.date), record.date == nil { problems.append("its WARC-Date is no date") }
        if !seen.contains(.length) { lengthProblem = "the record has no Content-Length" }
    }

    private struct Seen: OptionSet {
        let rawValue: Int
        static var type: Seen { Seen(rawValue: 1) }
        static var date: Seen { Seen(rawValue: 2) }
        static var length: Seen { Seen(rawValue: 4) }
    }

    private mutating func read(
        _ field: FieldLines.Field,
        _ reference: inout ArchiveRecord.Reference,
        _ seen: inout Seen
    ) {
        switch unsafe field.name.count {
        case 9:
            if unsafe field.isNamed("warc-type"), !seen.contains(.type) {
                unsafe record.kind = ArchiveRecord.Kind(rawValue: field.text)
                seen.insert(.type)
            } else if unsafe field.isNamed("warc-date"), !seen.contains(.date) {
                unsafe record.date = Timestamp(archiveDate: field.text)
                seen.insert(.date)
            }
        case 12:
            if unsafe field.isNamed("content-type") {
                let type = unsafe field.essence
                isHTTP = type == "application/http"
                if !isHTTP { record.mimeType = type }
            }
        case 14:
            if unsafe field.isNamed("content-length") {
                if !seen.contains(.length) { unsafe readLength(field) }
                seen.insert(.length)
            } else if unsafe field.isNamed("warc-record-id") {
                unsafe record.id = field.reference
            } else if unsafe field.isNamed("warc-refers-to") {
                unsafe reference.id = field.reference
            } else if unsafe field.isNamed("warc-truncated") {
                unsafe record.truncated = field.text
            }
        case 15:
            if unsafe field.isNamed("warc-target-uri") { unsafe record.url = field.reference }
        case 17:
            if unsafe field.isNamed("warc-block-digest") { unsafe blockDigest = field.text }
        case 19:
            if unsafe field.isNamed("warc-payload-digest") {
                unsafe record.payloadDigest = field.text
            } else if unsafe field.isNamed("warc-refers-to-date") {
                unsafe reference.date = Timestamp(archiveDate: field.text)
            } else if unsafe field.isNamed("warc-segment-number") {
                segment = unsafe Int(inBounds: field.text)
            }
        case 22:
            if unsafe field.isNamed("warc-segment-origin-id") { unsafe segmentOrigin = field.reference }
        case 25:
            if unsafe field.isNamed("warc-refers-to-target-uri") {
                unsafe reference.url = field.reference
            } else if unsafe field.isNamed("warc-segment-total-length") {
                segmentTotal = unsafe Int(inBounds: field.text)
            }
        default: break
        }
    }

    private mutating func readLength(_ field: FieldLines.Field) {
        let value = unsafe field.value
        // More than any file has says no more than nothing.
        let isNumber = unsafe value.allSatisfy { $0.isASCIIDigit }
        if isNumber, let number = unsafe Int(bounded: value), number < .largestBounded {
            length = number
            return
        }
        lengthProblem =
            "Content-Length is no length: \(unsafe String(decoding: value.prefix(40), as: UTF8.self))"
    }

    /// Makes the head of a record of an ARC.
    @safe init(arc line: ARCLine, _ bytes: UnsafeRawBufferPointer) {
        let isDescription = line.url.hasPrefix("filedesc:")
        record = ArchiveRecord(kind: isDescription ? .information : .response)
        record.fields = unsafe MessageHead(bytes: Array(bytes))
        record.url = line.url
        record.date = line.date
        record.mimeType = line.mimeType
        length = line.length
        isHTTP = !isDescription
        if length == nil { lengthProblem = "the record's length is no length" }
    }
}
