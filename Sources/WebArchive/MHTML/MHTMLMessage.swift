import WebStandards

/// The properties of a message that its parts need, read once from its head.
struct MHTMLMessage: Sendable {
    /// The URL of the page; nil if it has none.
    let url: String?
    /// The message's date; `nil` if it has none.
    let date: Timestamp?
    /// The type of the part that the others belong to: RFC 2387, section 3.1.
    let rootType: String
    /// The Content-ID of that part; `nil` if the head does not name it, which makes it the first part: section 3.2.
    let start: String?

    init(_ head: MIMEHead) {
        url = head.url("snapshot-content-location") ?? head.url("content-location")
        date = head.text("date").flatMap { Timestamp(internetDate: $0) }
        let type = head.mediaType
        rootType = type?[parameter: "type"].map { String(asciiLowercasing: Array($0.utf8)) } ?? "text/html"
        start = type?[parameter: "start"].flatMap { start in
            if start.hasPrefix("<"), start.hasSuffix(">") { return String(start.dropFirst().dropLast()) }
            return start.isEmpty ? nil : start
        }
    }
}
