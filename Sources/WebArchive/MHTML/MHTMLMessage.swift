import WebStandards

/// What the head of a message says of its parts: read once, however long it is and however many they are.
struct MHTMLMessage: Sendable {
    /// The URL of the page; nil if it has none.
    let url: String?
    /// When it was made; nil if it does not say.
    let date: Timestamp?
    /// The type of the part that the others belong to: RFC 2387, section 3.1.
    let rootType: String
    /// The Content-ID of that part; nil if it does not say, and then it is the first: section 3.2.
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
