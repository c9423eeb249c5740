public import HTTPTypes
import WebStandards

/// The head of a message as it was written: a start line, and all fields in their original order.
///
/// It is parsed on demand, since most records of an archive are only skipped. Looking up a field takes time linear in
/// the head's size.
public struct MessageHead: Sendable, Equatable {
    /// A field, as text.
    public struct Field: Sendable, Equatable {
        /// The name as written.
        public let name: String
        /// The value without white space around it, folded lines joined by a space.
        public let value: String
    }

    /// The bytes up to the empty line, without it.
    package let bytes: [UInt8]

    /// Creates a head without anything.
    public init() { bytes = [] }

    /// Creates a head of the bytes before the empty line.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The first line without its line end, such as "HTTP/1.1 200 OK".
    public var startLine: String { String(decoding: firstLine, as: UTF8.self) }

    private var firstLine: ArraySlice<UInt8> {
        var line = bytes.prefix { $0 != 0x0A }
        if line.last == 0x0D { line.removeLast() }
        return line
    }

    /// The method of a request, as written; empty if there is none.
    package var method: String { String(decoding: firstLine.prefix { $0 != 0x20 }, as: UTF8.self) }

    /// The status of a response: the number of three digits behind the version; nil if there is none.
    public var status: Int? {
        let rest = firstLine.drop { $0 != 0x20 }.drop { $0 == 0x20 }
        let digits = rest.prefix { $0 != 0x20 }
        guard digits.count == 3, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return digits.reduce(into: 0) { $0.appendDigit($1) }
    }

    /// All fields in order; lines without a colon are left out.
    public var fields: [Field] {
        var fields: [Field] = []
        forEachField { name, value in
            fields.append(
                Field(name: String(decoding: name, as: UTF8.self), value: Self.unfolded(value))
            )
            return true
        }
        return fields
    }

    /// All fields in order, as bytes.
    package var lines: [(name: String, value: [UInt8])] {
        var lines: [(name: String, value: [UInt8])] = []
        forEachField { name, value in
            lines.append((String(decoding: name, as: UTF8.self), Array(Self.unfoldedBytes(value))))
            return true
        }
        return lines
    }

    /// The value of the first field of a name, whose case does not matter; nil if there is none.
    public subscript(name: String) -> String? {
        let name = Array(name.utf8)
        var found: String?
        forEachField { other, value in
            guard Self.isSame(other, name) else { return true }
            found = Self.unfolded(value)
            return false
        }
        return found
    }

    /// The value of the first field with a name as the text of a URL, with invalid UTF-8 percent-encoded; `nil` if
    /// there is no such field.
    package func urlText(of name: StaticString) -> String? {
        let name = name.withUTF8Buffer { unsafe Array($0) }
        var found: String?
        forEachField { other, value in
            guard Self.isSame(other, name) else { return true }
            found = String(urlBytes: Self.unfoldedBytes(value))
            return false
        }
        return found
    }

    /// The values of the fields of a name, whose case does not matter, so many at the most.
    func values(_ name: StaticString, maximumCount: Int) -> [String] {
        let name = name.withUTF8Buffer { unsafe Array($0) }
        var found: [String] = []
        forEachField { other, value in
            if Self.isSame(other, name) { found.append(Self.unfolded(value)) }
            return found.count < maximumCount
        }
        return found
    }

    /// The fields as `HTTPFields`.
    ///
    /// Fields whose name is not a token are omitted, as by browsers, and so are those after the first 10,000.
    public var httpFields: HTTPFields {
        var fields = HTTPFields()
        forEachField { name, value in
            if let name = HTTPField.Name(String(decoding: name, as: UTF8.self)) {
                fields.append(received: HTTPField(name: name, bytes: Self.unfoldedBytes(value)))
            }
            return fields.count < HTTPFields.maximumCount
        }
        return fields
    }

    /// The prefix of the names of fields that no longer match the archived body, such as those of a removed coding.
    package static let originalPrefix = "X-Orig-"

    /// The fields as HTTP had them before they were archived.
    package var originalHTTPFields: HTTPFields {
        let fields = httpFields
        let prefix = Array(Self.originalPrefix.utf8)
        func originalName(_ name: HTTPField.Name) -> HTTPField.Name? {
            let name = name.rawName.utf8
            guard name.count > prefix.count, Self.isSame(Array(name.prefix(prefix.count))[...], prefix) else {
                return nil
            }
            return HTTPField.Name(String(decoding: name.dropFirst(prefix.count), as: UTF8.self))
        }
        guard fields.contains(where: { originalName($0.name) != nil }) else { return fields }
        let names = Set(fields.lazy.map(\.name))
        var original = HTTPFields(
            received: fields.lazy.map { field in
                guard let own = originalName(field.name), !names.contains(own) else { return field }
                return HTTPField(name: own, bytes: Array(field.value.utf8))
            }
        )
        // The length was put there in place of the chunks.
        if !fields.contains(.transferEncoding), original.contains(.transferEncoding) {
            original[.contentLength] = nil
        }
        return original
    }

    /// Passes each field's name and value, folds still in it, until the closure has enough.
    private func forEachField(_ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool) {
        guard var start = bytes.firstIndex(of: 0x0A).map({ $0 + 1 }) else { return }
        while start < bytes.count {
            var end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            // A line that begins with white space continues the one before.
            while end + 1 < bytes.count, bytes[end + 1] == 0x20 || bytes[end + 1] == 0x09 {
                end = bytes[(end + 1)...].firstIndex(of: 0x0A) ?? bytes.count
            }
            let line = bytes[start..<end]
            start = end + 1
            guard let colon = line.firstIndex(of: 0x3A) else { continue }
            let name = Self.trimmed(line[..<colon])
            guard !name.isEmpty else { continue }
            guard body(name, Self.trimmed(line[(colon + 1)...])) else { return }
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var (start, end) = (bytes.startIndex, bytes.endIndex)
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        while end > start, isBlank(bytes[start]) { start += 1 }
        return bytes[start..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isSame(_ bytes: ArraySlice<UInt8>, _ name: [UInt8]) -> Bool {
        bytes.count == name.count && zip(bytes, name).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

    private static func unfolded(_ value: ArraySlice<UInt8>) -> String {
        String(decoding: unfoldedBytes(value), as: UTF8.self)
    }

    /// A value whose line ends, with the white space around them, have become a space.
    private static func unfoldedBytes(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard value.contains(0x0A) else { return value }
        var result: [UInt8] = []
        for line in value.split(separator: 0x0A) {
            if !result.isEmpty { result.append(0x20) }
            result += trimmed(line)
        }
        return result[...]
    }
}
