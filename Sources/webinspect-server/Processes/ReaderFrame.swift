import WebStandards

/// A frame from a reader: a line with its kind, the number of the request and a length, and as many bytes.
struct ReaderFrame: Equatable {
    enum Kind: String {
        /// JSON, before the answer.
        case event
        /// JSON, or HTML.
        case answer
        /// JSON: a code and a message.
        case error
    }

    let kind: Kind
    let id: Int
    let content: [UInt8]
}

/// Parses frames from bytes as they arrive.
struct ReaderFrameParser {
    /// The error for bytes that are not a frame, in words.
    struct Malformed: Error {
        let message: String
    }

    /// The maximum bytes of a frame, and of its first line.
    static let maximumLength = 256 << 20
    static let maximumHeadLength = 100

    private struct Head {
        let kind: ReaderFrame.Kind
        let id: Int
        let length: Int
    }

    private var line: [UInt8] = []
    private var head: Head?
    private var content: [UInt8] = []

    /// Whether nothing of a next frame has arrived.
    var isAtStart: Bool { line.isEmpty && head == nil }

    /// Returns the next frame; `nil` once all bytes are taken.
    mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(Malformed) -> ReaderFrame? {
        if head == nil { head = try nextHead(&bytes) }
        guard let head else { return nil }
        let part = bytes.prefix(head.length - content.count)
        content += part
        bytes = bytes.dropFirst(part.count)
        guard content.count == head.length else { return nil }
        defer {
            self.head = nil
            content = []
        }
        return ReaderFrame(kind: head.kind, id: head.id, content: content)
    }

    private mutating func nextHead(_ bytes: inout ArraySlice<UInt8>) throws(Malformed) -> Head? {
        let end = bytes.firstIndex(of: 0x0A)
        line += bytes[..<(end ?? bytes.endIndex)]
        bytes = bytes[(end.map { $0 + 1 } ?? bytes.endIndex)...]
        guard line.count <= Self.maximumHeadLength else {
            throw Malformed(message: "a line that is too long")
        }
        guard end != nil else { return nil }
        defer { line = [] }
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3,
            let kind = ReaderFrame.Kind(rawValue: String(decoding: parts[0], as: UTF8.self)),
            let id = Int(bounded: parts[1]), let length = Int(bounded: parts[2]), length >= 0
        else { throw Malformed(message: "a line that begins no frame") }
        guard length <= Self.maximumLength else {
            throw Malformed(message: "an answer of \(length) bytes; \(Self.maximumLength) are allowed")
        }
        content.reserveCapacity(length)
        return Head(kind: kind, id: id, length: length)
    }
}
