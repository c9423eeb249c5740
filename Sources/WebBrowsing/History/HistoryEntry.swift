public import WebLoader

/// A page in the history of a session.
///
/// [Session history
/// entry](https://html.spec.whatwg.org/multipage/browsing-the-web.html#session-history-entry)
public struct HistoryEntry: Hashable, Sendable, Identifiable {
    /// Its number, which no other entry of the session has had.
    public internal(set) var id: Int

    /// The URL of the page, after redirects, with its fragment; without user and password.
    public internal(set) var url: WebURL

    /// The URL that was asked for first, without user and password.
    public internal(set) var initialURL: WebURL

    /// The title of the page, 200 characters (Unicode scalars) of it at most; nil if it has none.
    public internal(set) var title: String?

    /// When the page came.
    public internal(set) var date: Timestamp

    /// The method by which it was asked for, after redirects: "GET" or "POST".
    public internal(set) var httpMethod: String

    /// The page that was in view before, which is told to the server when it is asked again; nil for none.
    public internal(set) var referrer: WebURL?

    /// The name under which the session keeps the page, and the body of its request; nil if nothing is kept.
    public internal(set) var cacheKey: String?

    /// The part of the page that is in view: what the URL's text fragment or a search found; nil for its top, or what the
    /// fragment names.
    public internal(set) var view: View?

    /// A part of a page that is in view.
    public struct View: Hashable, Sendable {
        /// The text that was found, 200 characters (Unicode scalars) of it at most.
        public let text: String
        /// A selector of the element that it begins in; nil for one in a shadow root, or of more than 1,024 bytes.
        public let path: String?
        /// How many bytes of UTF-8 are before it in the text node.
        public let offset: Int
        /// Where it begins in the source; nil where that is not known.
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
    /// An entry of which no more is known than its URL; with the number 0 it is in no history.
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

    /// The characters of a title that are kept: scalars, of which one may have any number on it.
    static let titleLength = 200

    /// Bytes that a selector may have to be kept.
    static let pathSize = 1024

    /// Bytes that a referrer may have to be kept: a longer one is not sent either, but its origin.
    static let referrerSize = 4096

    /// A title as it is kept.
    static func title(_ title: String?) -> String? { title?.prefix(scalars: titleLength) }

    /// The bytes of what may be of any length in it.
    var size: Int { url.href.utf8.count +| initialURL.href.utf8.count +| (referrer?.href.utf8.count ?? 0) }
}
