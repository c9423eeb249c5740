public import WebLoader

/// A page in the history of a session.
///
/// [Session history
/// entry](https://html.spec.whatwg.org/multipage/browsing-the-web.html#session-history-entry)
public struct HistoryEntry: Hashable, Sendable, Identifiable {
    /// The entry's number, which no other entry of the session has had.
    public internal(set) var id: Int

    /// The URL of the page, after redirects, with its fragment; without user and password.
    public internal(set) var url: WebURL

    /// The URL that was requested first, without user and password.
    public internal(set) var initialURL: WebURL

    /// The title of the page, 200 characters (Unicode scalars) of it at most; nil if it has none.
    public internal(set) var title: String?

    /// The time at which the page was loaded.
    public internal(set) var date: Timestamp

    /// The method of the page's request, after redirects: "GET" or "POST".
    public internal(set) var httpMethod: String

    /// The referrer, the page that was in view before, which is sent when the page is requested again; `nil` if there
    /// is none.
    public internal(set) var referrer: WebURL?

    /// The key under which the session stores the page and the body of its request; `nil` if nothing is stored.
    public internal(set) var cacheKey: String?

    /// The part of the page that is in view: the match of the URL's text fragment or of a search; `nil` for the top of
    /// the page, or the target of the fragment.
    public internal(set) var view: View?

    /// A part of a page that is in view.
    public struct View: Hashable, Sendable {
        /// The text that was found, 200 characters (Unicode scalars) of it at most.
        public let text: String
        /// A selector of the element that the text begins in; `nil` if that is in a shadow root, or if the selector has
        /// more than 1,024 bytes.
        public let path: String?
        /// The offset of the text in its text node, in bytes of UTF-8.
        public let offset: Int
        /// The position of the text in the source; `nil` if it is unknown.
        public let position: SourcePosition?
    }
}

extension HistoryEntry.View {
    init(_ match: TextMatch) {
        text = match.text.prefix(scalars: HistoryEntry.titleLength)
        path = match.start.path.flatMap { $0.utf8.count <= HistoryEntry.pathSize ? $0 : nil }
        offset = match.start.offset
        position = match.start.position
    }
}

extension HistoryEntry {
    /// Creates an entry that has only a URL; one with the number 0 is in no history.
    init(id: Int = 0, url: WebURL) {
        self.init(
            id: id,
            url: url,
            initialURL: url,
            title: nil,
            date: .now,
            httpMethod: "GET",
            referrer: nil,
            cacheKey: nil,
            view: nil
        )
    }

    /// The maximum length of a stored title, in Unicode scalars: a character may have any number of them.
    static let titleLength = 200

    /// The maximum size of a stored selector, in bytes.
    static let pathSize = 1024

    /// The maximum size of a stored referrer, in bytes: of a longer one, only the origin is sent.
    static let referrerSize = 4096

    /// Returns a title as it is stored.
    static func title(_ title: String?) -> String? { title?.prefix(scalars: titleLength) }

    /// The size of the entry's URLs, which may be of any length, in bytes.
    var size: Int { url.href.utf8.count +| initialURL.href.utf8.count +| (referrer?.href.utf8.count ?? 0) }
}
