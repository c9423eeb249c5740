import WebStandards

/// The heads of messages in the form in which archives store them.
///
/// Messages of HTTP/2 and HTTP/3 are written as HTTP/1.1, since no standard defines another form, and readers know no
/// other.
///
/// A body is stored without its transfer coding, so its head must not declare one: readers would expect chunks. Other
/// writers store either both the chunks and the field, or neither; the field alone counts as an error. With the chunks,
/// `warcio check` would report the digest of the payload (for which the standard requires their removal) as wrong,
/// since it does not remove them. So both are removed here, and the field is renamed to X-Orig-Transfer-Encoding, which
/// other writers use too, so that a page from the archive has its original fields. A Content-Length that does not match
/// the body is replaced for the same reason; that of a truncated body stays, and records the original length.
extension ArchivedExchange {
    /// The requested URL, without credentials and fragment.
    var target: String { url.withoutCredentials.withoutFragment.href }

    /// The essence of the response's Content-Type; nil if it has none.
    var mimeType: String? {
        responseValue("content-type").flatMap { MediaType($0)?.essence }
    }

    /// Whether the response is a page with a status of 2xx: HTML by its type, or by its first bytes if it has
    /// no valid type.
    ///
    /// - Throws: ``ArchiveError`` if the file of the body cannot be read.
    package func isPage() throws(ArchiveError) -> Bool {
        guard 200...299 ~= status else { return false }
        let field = responseFields.last { $0.name.isEqualIgnoringASCIICase(to: "Content-Type") }
        let type = field.flatMap { MediaType(bytes: $0.value) }
        guard MIMESniffing.isUndetermined(type) else {
            return type.map { $0.isHTML || $0.essence == "application/xhtml+xml" } ?? false
        }
        var head: [UInt8] = []
        do throws(ArchiveError) {
            head = try DecodedBody(of: self)?.head(MIMESniffing.resourceHeaderLength) ?? []
        } catch {
            guard error.code == .body || error.code == .limit else { throw error }
        }
        let options = responseValue("x-content-type-options").map { [$0] } ?? []
        return MIMESniffing.computedType(
            supplied: type,
            isApacheBug: false,
            noSniff: MIMESniffing.isNoSniff(contentTypeOptionsFields: options),
            header: head.span
        ).isHTML
    }

    /// The value of the first field of a response; nil if there is none.
    private func responseValue(_ name: String) -> String? {
        responseFields.first { String(asciiLowercasing: $0.name.utf8) == name }
            .map { String(decoding: $0.value, as: UTF8.self) }
    }

    /// The value of the first field of a request; nil if there is none.
    func requestValue(_ name: String) -> String? {
        requestFields.first { String(asciiLowercasing: $0.name.utf8) == name }
            .map { String(decoding: $0.value, as: UTF8.self) }
    }

    /// The request's head with the empty line behind it.
    func requestHead() -> [UInt8] {
        let path = url.path.isEmpty ? "/" : url.path
        var head = Self.text(method) + " \(path)".utf8
        if let query = url.query { head += "?\(query)".utf8 }
        head += version == "1.0" ? " HTTP/1.0\r\n".utf8 : " HTTP/1.1\r\n".utf8
        for field in requestFields where !Self.isDropped(field.name, Self.proxyFields) {
            Self.append(field, to: &head)
        }
        head += "\r\n".utf8
        return head
    }

    /// The names of fields that are for the proxy, not for the server; they are not archived.
    private static let proxyFields = ["proxy-authorization", "proxy-connection"]

    /// The response's head with the empty line behind it.
    func responseHead() -> [UInt8] {
        var head = Array(version == "1.0" ? "HTTP/1.0 ".utf8 : "HTTP/1.1 ".utf8)
        head += "\(status) ".utf8
        head += Self.text(reason)
        head += "\r\n".utf8
        var hasLength = false
        for field in responseFields {
            switch String(asciiLowercasing: field.name.utf8) {
            case "transfer-encoding":
                // Other writers use this name too; ``MessageHead`` restores the original.
                Self.append((MessageHead.originalPrefix + field.name, field.value), to: &head)
                guard let count = body?.count, truncated == nil, method != "HEAD", status != 304, !hasLength
                else {
                    continue
                }
                Self.append(("Content-Length", Array("\(count)".utf8)), to: &head)
                hasLength = true
            case "content-length" where hasLength: continue
            case "content-length" where !fits(field.value):
                // One field takes the place of several that do not agree.
                if let count = body?.count {
                    Self.append((field.name, Array("\(count)".utf8)), to: &head)
                }
                hasLength = true
            default: Self.append(field, to: &head)
            }
        }
        head += "\r\n".utf8
        return head
    }

    /// The protocol for WARC-Protocol, by its ALPN name; nil if the head says it.
    var protocolName: String? {
        switch version {
        case "2": "h2"
        case "3": "h3"
        default: nil
        }
    }

    /// Whether the value of a Content-Length can stand before the body.
    private func fits(_ value: [UInt8]) -> Bool {
        // These have none, whatever it says.
        if method == "HEAD" || status == 304 || truncated != nil { return true }
        guard let body else { return true }
        return Int(bounded: value.filter { !$0.isHTTPTabOrSpace }) == body.count
    }

    private static func isDropped(_ name: String, _ names: [String]) -> Bool {
        names.contains(String(asciiLowercasing: name.utf8))
    }

    private static func append(_ field: (name: String, value: [UInt8]), to head: inout [UInt8]) {
        // Names of HTTP/2's own, as ":path", stand for the first line.
        guard !field.name.isEmpty, field.name.utf8.first != UInt8(ascii: ":") else { return }
        head += text(field.name)
        head += ": ".utf8
        head += field.value.map(Self.harmless)
        head += "\r\n".utf8
    }

    private static func text(_ text: String) -> [UInt8] { text.utf8.map(Self.harmless) }

    /// Line ends inside of a line would be others' fields.
    private static func harmless(_ byte: UInt8) -> UInt8 {
        byte == 0x0A || byte == 0x0D || byte == 0 ? 0x20 : byte
    }
}
