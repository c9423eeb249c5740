import WebStandards

/// A part of a message that has content of its own.
struct MHTMLPart {
    /// Where its head begins.
    var offset: Int
    /// Where its content is, encoded for transfer; nil if the file ends in its head.
    var body: Range<Int>?
    /// The base URL of its Content-Location; `nil` if it is not known.
    var base: WebURL?
    /// Whether it is the first, which has the message's URL if it has none of its own.
    var isFirst = false
    /// Whether it is the page of a message that gives it no URL.
    var isPage = false
    /// Whether the file ends in it.
    var isCut = false

    /// The part as a record.
    ///
    /// - Parameters:
    ///   - head: Its head.
    ///   - message: The message's properties.
    /// - Returns: The record.
    func record(_ head: MIMEHead, of message: MHTMLMessage) -> ArchiveRecord {
        var record = ArchiveRecord(kind: .resource)
        record.offset = offset
        record.length = body.map { $0.upperBound - offset }
        record.fields = head.messageHead
        record.mimeType = head.text("content-type").flatMap { type in
            let essence = type.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
            return essence.isEmpty ? nil : String(asciiLowercasing: Array(essence.utf8))
        }
        let date = head.text("date")
        record.date = date == nil ? message.date : date.flatMap { Timestamp(internetDate: $0) }
        record.url = url(head)
        if isFirst, record.url == nil { record.url = message.url ?? base?.href }
        // Content-Location is optional, also of the page: RFC 2557, sections 4.2 and 5.
        if isPage, record.url == nil { record.url = (base ?? Self.noBase)?.href }
        return record
    }

    /// The base of a message without a URL of its own: RFC 2557, section 5.
    private static let noBase = try? WebURL("thismessage:/")

    private func url(_ head: MIMEHead) -> String? {
        if let location = head.url("content-location") {
            let base = self.base(head)
            guard let url = try? WebURL(location) else {
                let base = base ?? Self.noBase
                return base.flatMap { try? $0.resolving(location) }?.href ?? location
            }
            // The scheme is written in any case, and looked for in lower case.
            return url.scheme == "cid" ? "cid:" + location.drop { $0 != ":" }.dropFirst() : location
        }
        return head.contentID.map { "cid:" + $0 }
    }

    /// Returns the base URL of the part's own URL.
    private func base(_ head: MIMEHead) -> WebURL? {
        head.url("content-base").flatMap { Self.resolve($0, base) } ?? base
    }

    /// A URL that may be relative to another one.
    static func resolve(_ url: String, _ base: WebURL?) -> WebURL? {
        if let base { return try? base.resolving(url) }
        return try? WebURL(url)
    }
}
