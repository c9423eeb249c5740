package import WebStandards

/// Writes a page and what it needs as one message, part by part, in bounded memory.
///
/// The form is that of Chromium: the main document is the first part, texts are quoted-printable, and all else is Base64.
///
/// [RFC 2557](https://www.rfc-editor.org/rfc/rfc2557)
@safe package struct MHTMLWriter: ~Copyable {
    private let output: ArchiveOutput

    /// The boundary; it contains "=_", which neither of the two encodings produces, so it occurs in no content.
    private static let boundary = "----MultipartBoundary--=_WebLoader----"

    /// Begins a message; the main document is to be its first part.
    ///
    /// - Parameters:
    ///   - url: The page's URL.
    ///   - title: Its title, nil if it has none.
    ///   - date: When it was loaded.
    ///   - type: The MIME type of its main document.
    ///   - output: Receives the bytes.
    /// - Throws: Any error that `output` throws.
    package init(
        url: WebURL,
        title: String?,
        date: Timestamp,
        type: MediaType = .textHTML,
        output: @escaping ArchiveOutput
    ) throws(ArchiveError) {
        unsafe self.output = output
        try write(
            """
            From: <Saved by WebLoader>\r
            Snapshot-Content-Location: \(url.withoutCredentials.href)\r
            Subject: \(EncodedWords.encoded(title ?? ""))\r
            Date: \(HTTPDate(secondsSince1970: date.secondsSince1970).description.dropLast(3))+0000\r
            MIME-Version: 1.0\r
            Content-Type: multipart/related;\r
            \ttype="\(type.essence)";\r
            \tboundary="\(Self.boundary)"\r
            \r

            """
        )
    }

    /// Writes the body of a response.
    ///
    /// - Parameters:
    ///   - exchange: The exchange; its URL is the requested one.
    ///   - id: Its Content-ID, by which frames are named; nil if it needs none.
    /// - Throws: ``ArchiveError/Code/bodyMissing`` if there is no body; ``ArchiveError/Code/body`` if it cannot be
    ///   decoded, after the part was written with the bytes that could be. Any error that the output throws.
    package mutating func append(_ exchange: ArchivedExchange, id: String? = nil) throws(ArchiveError) {
        guard let body = DecodedBody(of: exchange) else {
            throw ArchiveError(.bodyMissing, "there is no body")
        }
        let type = HAREntryDescription.contentType(of: exchange) ?? "application/octet-stream"
        unsafe try append(location: exchange.url.withoutCredentials.href, id: id, type: type) {
            sink throws(ArchiveError) in
            try unsafe body.read(sink)
        }
    }

    /// Writes a part.
    ///
    /// - Parameters:
    ///   - location: Its URL, nil if it has none.
    ///   - id: Its Content-ID without angle brackets; nil if it needs none.
    ///   - type: Its MIME type with parameters.
    ///   - bytes: Its content.
    /// - Throws: Any error that the output throws.
    package mutating func append(
        location: String?,
        id: String? = nil,
        type: String,
        bytes: [UInt8]
    ) throws(ArchiveError) {
        unsafe try append(location: location, id: id, type: type) { sink throws(ArchiveError) in
            _ = unsafe try pass(
                bytes,
                to: { piece throws(ArchiveError) in
                    unsafe try sink(piece)
                    return true
                }
            )
        }
    }

    private func append(
        location: String?,
        id: String?,
        type: String,
        _ read: (ArchiveOutput) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let isText = Self.isText(type)
        var head = "--\(Self.boundary)\r\nContent-Type: \(Self.line(type))\r\n"
        if let id { head += "Content-ID: <\(Self.line(id))>\r\n" }
        head += "Content-Transfer-Encoding: \(isText ? "quoted-printable" : "base64")\r\n"
        if let location { head += "Content-Location: \(Self.line(location))\r\n" }
        try write(head + "\r\n")
        var text = QuotedPrintableEncoder()
        var binary = Base64Encoder(lineLength: 76)
        var bytes: [UInt8] = []
        var failure: ArchiveError?
        do throws(ArchiveError) {
            try unsafe read { piece throws(ArchiveError) in
                bytes.removeAll(keepingCapacity: true)
                if isText {
                    unsafe text.encode(piece, into: &bytes)
                } else {
                    unsafe binary.encode(piece, into: &bytes)
                }
                try write(bytes)
            }
        } catch {
            // The part ends as a part does, with what there is of it.
            guard error.code == .body else { throw error }
            failure = error
        }
        bytes.removeAll(keepingCapacity: true)
        if isText { text.finish(into: &bytes) } else { binary.finish(into: &bytes) }
        try write(bytes)
        try write("\r\n")
        if let failure { throw failure }
    }

    /// Ends the message.
    ///
    /// - Throws: Any error that the output throws.
    package consuming func finish() throws(ArchiveError) { try write("--\(Self.boundary)--\r\n") }

    private static func isText(_ type: String) -> Bool {
        guard let type = MediaType(type) else { return false }
        return type.type == "text" || type.isJavaScript || type.isJSON || type.isXML
    }

    /// Text for one line of a head.
    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
    }

    private func write(_ text: String) throws(ArchiveError) { try write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) throws(ArchiveError) {
        guard !bytes.isEmpty else { return }
        _ = unsafe try pass(
            bytes,
            to: { piece throws(ArchiveError) in
                unsafe try output(piece)
                return true
            }
        )
    }
}
