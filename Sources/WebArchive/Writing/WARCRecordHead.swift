import WebStandards

/// The head of a WARC record, line by line.
struct WARCRecordHead {
    /// The ID, with angle brackets.
    let id: String
    private var lines: String

    /// Begins the head of a record with a new ID.
    init(_ kind: ArchiveRecord.Kind, date: Timestamp) {
        id = "<urn:uuid:\(Self.newID())>"
        lines =
            "WARC/1.1\r\nWARC-Type: \(kind.rawValue)\r\nWARC-Record-ID: \(id)\r\nWARC-Date: \(date.archiveText)\r\n"
    }

    /// Adds a field, unless there is no value.
    mutating func add(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        lines += "\(name): \(value)\r\n"
    }

    /// The head's bytes, with the fields of its block and the empty line.
    ///
    /// - Throws: ``ArchiveError/Code/recordTooLong`` if no reader would take so many.
    consuming func bytes(type: String, length: Int) throws(ArchiveError) -> [UInt8] {
        let bytes = Array("\(lines)Content-Type: \(type)\r\nContent-Length: \(length)\r\n\r\n".utf8)
        guard bytes.count <= WARCReader.longestHead else {
            throw ArchiveError(.recordTooLong, "the head of the record would have \(bytes.count) bytes")
        }
        return bytes
    }

    /// A random UUID of version 4.
    private static func newID() -> String {
        let high = UInt64.random(in: 0 ... .max) & ~0xF000 | 0x4000
        let low = UInt64.random(in: 0 ... .max) & ~(3 << 62) | 1 << 63
        let (first, second) = (high.hexadecimal(), low.hexadecimal())
        func part(_ text: String, _ range: Range<Int>) -> Substring {
            text.dropFirst(range.lowerBound).prefix(range.count)
        }
        return
            "\(part(first, 0..<8))-\(part(first, 8..<12))-\(part(first, 12..<16))-\(part(second, 0..<4))-\(part(second, 4..<16))"
    }
}

extension Timestamp {
    /// The moment as WARC 1.1 has it, to the millisecond if it is not a whole second.
    package var archiveText: String {
        let text = text
        let milliseconds = millisecondsSince1970 &- secondsSince1970 &* 1000
        guard milliseconds > 0 else { return text }
        let digits = String(milliseconds)
        let zeros = String(repeating: "0", count: 3 - digits.utf8.count)
        return "\(text.dropLast()).\(zeros)\(digits)Z"
    }
}
