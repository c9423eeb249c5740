package import WebStandards

/// A file without a head of HTTP, as a writer takes it.
package struct ArchivedResource: Sendable {
    /// The URL as written in an archive.
    package var url: String
    package var date: Timestamp
    /// Its media type as written; nil if not known.
    package var type: String?
    package var body: ArchivedBody

    package init(url: String, date: Timestamp, type: String? = nil, body: ArchivedBody) {
        self.url = url
        self.date = date
        self.type = type
        self.body = body
    }
}
