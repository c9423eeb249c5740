import WebStandards

/// The head of a message or of one of its parts ([RFC 2045](https://www.rfc-editor.org/rfc/rfc2045),
/// [RFC 5322, section 2.2](https://www.rfc-editor.org/rfc/rfc5322#section-2.2)).
struct MIMEHead {
    /// A field, as it was written, folds still in it.
    private struct Field {
        /// In lower case.
        let name: String
        var lines: [[UInt8]]
    }

    private var fields: [Field] = []
    /// The bytes, behind an empty start line.
    private(set) var head: [UInt8] = [0x0D, 0x0A]
    /// Whether a line was neither a field nor the continuation of one.
    private(set) var hasOtherLine = false
    /// Whether lines were left out, because they are too many bytes.
    private(set) var isTooLong = false

    private static let maximumSize = 1 << 20

    var isEmpty: Bool { fields.isEmpty }

    /// The head as records have it.
    var messageHead: MessageHead { MessageHead(bytes: head) }

    /// Adds a line without its end, which is not empty.
    mutating func add(_ line: [UInt8]) {
        guard line.count <= Self.maximumSize - head.count else {
            isTooLong = true
            return
        }
        head += line
        head += [0x0D, 0x0A]
        if line[0] == 0x20 || line[0] == 0x09 {
            if fields.isEmpty {
                hasOtherLine = true
            } else {
                fields[fields.count - 1].lines.append(Self.trimmed(line[...]))
            }
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            hasOtherLine = true
            return
        }
        let name = String(asciiLowercasing: Self.trimmed(line[..<colon]))
        fields.append(Field(name: name, lines: [Self.trimmed(line[(colon + 1)...])]))
    }

    /// Whether a line looks like a field.
    static func isField(_ line: [UInt8]) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
        return line[..<colon].allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
    }

    /// Whether there is a field of a name.
    func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

    /// The first field of a name, whose folds have become spaces; nil without one.
    func text(_ name: String) -> String? {
        guard let field = fields.first(where: { $0.name == name }) else { return nil }
        return String(decoding: Array(field.lines.joined(separator: [0x20])), as: UTF8.self)
    }

    /// The first field of a name that is a URL: a long one is folded anywhere, and may be written in encoded words.
    ///
    /// [RFC 2557, section 4.4.2](https://www.rfc-editor.org/rfc/rfc2557#section-4.4.2)
    func url(_ name: String) -> String? {
        guard let field = fields.first(where: { $0.name == name }) else { return nil }
        var text = String(decoding: Array(field.lines.joined()), as: UTF8.self)
        if text.hasPrefix("=?") { text = EncodedWords.decoded(self.text(name) ?? text) }
        if text.hasPrefix("<"), text.hasSuffix(">") { text = String(text.dropFirst().dropLast()) }
        return text.isEmpty ? nil : text
    }

    /// The content's type; nil if there is none, or it cannot be read.
    var mediaType: MediaType? { text("content-type").flatMap { MediaType($0) } }

    /// The content's transfer encoding, in lower case; empty if there is none.
    var transferEncoding: String {
        let text = text("content-transfer-encoding") ?? ""
        return String(asciiLowercasing: Array(text.prefix { $0 != ";" }.utf8)).trimmingASCIIWhitespace
    }

    /// The content's ID without angle brackets; nil without one.
    var contentID: String? {
        guard let text = url("content-id"), !text.isEmpty else { return nil }
        return text
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) { line.removeLast() }
        return Array(line)
    }
}
