import WebStandards

/// The head of HTTP that a response of a HAR stands for.
enum HARMessage {
    /// A head of HTTP/1: what is there of a later version is translated.
    ///
    /// - Parameters:
    ///   - response: The member `response` of an entry.
    ///   - status: Its status; nil if it has none.
    ///   - type: The value of Content-Type; nil for what the response has.
    /// - Returns: The head.
    static func head(of response: JSONValue, status: Int?, contentType type: String? = nil) -> MessageHead {
        let isOld = response["httpVersion"]?.string?.isEqualIgnoringASCIICase(to: "HTTP/1.0") ?? false
        var bytes = Array("HTTP/1.\(isOld ? 0 : 1) \(status ?? 0) ".utf8)
        bytes += Self.line(response["statusText"]?.string ?? "")
        bytes += "\r\n".utf8
        if let type { bytes += "Content-Type: \(type)\r\n".utf8 }
        guard case .array(let fields)? = response["headers"] else { return MessageHead(bytes: bytes) }
        for field in fields {
            guard let name = field["name"]?.string, isName(name), let value = field["value"]?.string else {
                continue
            }
            if type != nil, name.isEqualIgnoringASCIICase(to: "Content-Type") { continue }
            // Browsers put several fields of one name, as Set-Cookie, into one value, a line each.
            for value in value.utf8.split(separator: 0x0A, omittingEmptySubsequences: !value.isEmpty) {
                bytes += name.utf8
                bytes += ": ".utf8
                bytes += line(value)
                bytes += "\r\n".utf8
            }
        }
        return MessageHead(bytes: bytes)
    }

    /// The head without the fields that say how the body was sent: it is there without coding.
    static func withoutCodings(_ head: MessageHead) -> [UInt8] {
        var bytes = Array(head.startLine.utf8)
        bytes += "\r\n".utf8
        for field in head.fields
        where !field.name.isEqualIgnoringASCIICase(to: "Transfer-Encoding")
            && !field.name.isEqualIgnoringASCIICase(to: "Content-Encoding")
            && !field.name.isEqualIgnoringASCIICase(to: "Content-Length")
        {
            bytes += "\(field.name): \(field.value)\r\n".utf8
        }
        return bytes + "\r\n".utf8
    }

    /// Whether it can be the name of a field; HTTP/2's pseudo-fields, which begin with a colon, cannot.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ":") }
    }

    /// Text for one line.
    private static func line(_ text: some StringProtocol) -> [UInt8] { line(text.utf8) }

    private static func line(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.map { $0 == 0x0A || $0 == 0x0D || $0 == 0 ? 0x20 : $0 }
    }
}
