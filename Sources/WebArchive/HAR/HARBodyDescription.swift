import WebStandards

/// The description of a body in a HAR, and the form in which the body is written.
struct HARBodyDescription {
    /// The body; nil if it is not known, or cannot be decoded.
    let decoded: DecodedBody?
    /// Whether the body is written as text, from which a reader gets the same bytes.
    let isText: Bool
    private let size: Int
    private let comment: String?

    /// Reads the body once, to determine its size and whether it is text.
    ///
    /// - Throws: ``ArchiveError/Code/unreadable`` if its file cannot be read.
    init(of exchange: ArchivedExchange) throws(ArchiveError) {
        let reason = exchange.truncated.map { "the body was cut off: \($0)" }
        guard let decoded = DecodedBody(of: exchange) else {
            (self.decoded, isText, size, comment) = (nil, false, -1, reason)
            return
        }
        var size = 0
        var text = TextCheck()
        do throws(ArchiveError) {
            try unsafe decoded.read { piece throws(ArchiveError) in
                size += piece.count
                unsafe text.add(piece)
            }
        } catch {
            guard error.code == .body else { throw error }
            (self.decoded, isText, self.size, comment) = (nil, false, -1, error.message)
            return
        }
        self.decoded = decoded
        self.size = size
        comment = reason
        isText = text.isText(in: Self.encoding(of: exchange))
    }

    /// The members of `content` before its text.
    func members(mimeType: String) -> [UInt8] {
        var members: [JSONValue.Member] = [
            JSONValue.Member("size", JSONValue(size)), JSONValue.Member("mimeType", .string(mimeType)),
        ]
        if let comment { members.append(JSONValue.Member("comment", .string(comment))) }
        return Array(JSONValue.object(members).serialized(sortingNames: false).dropFirst().dropLast())
    }

    /// The encoding in which a reader will take the text to have been.
    private static func encoding(of exchange: ArchivedExchange) -> TextEncoding? {
        HAREntryDescription.contentType(of: exchange)
            .flatMap { MediaType($0)?[parameter: "charset"] }
            .flatMap { TextEncoding(label: $0) }
    }
}

/// Looks piece by piece whether bytes are text.
private struct TextCheck {
    private var isASCII = true
    private var isUTF8 = true
    /// Whether there are bytes that texts do not have, or with which ISO-2022-JP changes its meaning.
    private var hasControl = false
    /// The beginning of a character whose end is in the next piece.
    private var rest: [UInt8] = []

    mutating func add(_ piece: UnsafeRawBufferPointer) {
        guard isUTF8, !hasControl else { return }
        var bytes = rest
        unsafe bytes.append(contentsOf: piece)
        rest = []
        for byte in bytes {
            if byte >= 0x80 { isASCII = false }
            if byte == 0 || byte == 0x0E || byte == 0x0F || byte == 0x1B { hasControl = true }
        }
        // At most three bytes of a character are there before its last one.
        if let lead = bytes.suffix(3).lastIndex(where: { $0 >= 0xC0 }) {
            let length = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : 2
            if bytes.count - lead < length {
                rest = Array(bytes[lead...])
                bytes.removeLast(bytes.count - lead)
            }
        }
        isUTF8 = TextDecoder.isValidUTF8(bytes.span)
    }

    func isText(in encoding: TextEncoding?) -> Bool {
        guard isUTF8, !hasControl, rest.isEmpty else { return false }
        guard let encoding, encoding != .utf8 else { return true }
        return isASCII && encoding.outputEncoding == encoding
    }
}
