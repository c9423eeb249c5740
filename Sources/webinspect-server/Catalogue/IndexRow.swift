import WebStandards

/// A reader's description of an entry of the cache.
enum IndexRow: Equatable, Sendable {
    case page(IndexedPage)
    /// An entry that cannot be read.
    case damaged(stem: String, stamp: String, reason: String)

    /// The longest URL in bytes, the longest title in scalars, the longest other texts in bytes.
    static let longest = (url: 8192, title: 300, text: 200)

    /// Parses a row of a reader's answer; `nil` if it does not name its entry.
    ///
    /// An entry whose URL is invalid or too long is treated as damaged, so that it is not requested again and again.
    init?(_ json: JSONValue) {
        guard let stem = json["stem"]?.string, Self.isStem(stem),
            let stamp = json["stamp"]?.string, Self.isStamp(stamp)
        else { return nil }
        if let page = IndexedPage(json, stem: stem, stamp: stamp) {
            self = .page(page)
        } else {
            let reason = json["damaged"]?.string ?? "it has no URL that can be shown"
            self = .damaged(stem: stem, stamp: stamp, reason: reason.prefix(scalars: Self.longest.text))
        }
    }

    /// Whether a text is the name of an entry's files, or of a folder.
    static func isStem(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2D }
    }

    /// Whether a text is a valid stamp, which distinguishes two states of an entry.
    private static func isStamp(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { 0x20 < $0 && $0 < 0x7F }
    }

    /// Whether a text is short enough for a URL, and has no character that is invalid in URLs.
    static func isURL(_ text: String) -> Bool {
        (1...longest.url).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}

/// An entry of the cache as it is listed.
struct IndexedPage: Equatable, Sendable {
    var stem: String
    /// When its file was written and how large it is.
    var stamp: String
    var url: String
    /// The host's name; empty if the URL has none.
    var host: String
    var title: String?
    var status: Int?
    var type: String?
    var bytes: Int?
    /// When it was received and until when it is fresh, in milliseconds since 1970.
    var received: Int64?
    var expires: Int64?
    var isPage: Bool
    var isKeptForOfflineUse: Bool

    /// Parses a row; `nil` without a valid URL.
    fileprivate init?(_ json: JSONValue, stem: String, stamp: String) {
        guard let url = json["url"]?.string, IndexRow.isURL(url) else { return nil }
        self.stem = stem
        self.stamp = stamp
        self.url = url
        host = Self.host(of: url)
        title = json["title"]?.string?.prefix(scalars: IndexRow.longest.title)
        if title?.isEmpty ?? false { title = nil }
        status = Self.number(json["status"]).flatMap { 100...999 ~= $0 ? $0 : nil }
        type = json["type"]?.string?.prefix(scalars: IndexRow.longest.text).lowercased()
        bytes = Self.number(json["bytes"]).map { max(0, $0) }
        received = Self.moment(json["received_ms"])
        expires = Self.moment(json["expires_ms"])
        isPage = json["is_page"] == .bool(true)
        isKeptForOfflineUse = json["kept"] == .bool(true)
    }

    /// Returns the name of a URL's host, by which pages are grouped into sections; empty if it has none.
    static func host(of url: String) -> String { (try? WebURL(url))?.hostname ?? "" }

    private static func number(_ json: JSONValue?) -> Int? {
        switch json {
        case .integer(let number): Int(bounded: number)
        case .number(let number): Int(bounded: number)
        default: nil
        }
    }

    private static func moment(_ json: JSONValue?) -> Int64? {
        number(json).map { Timestamp(millisecondsSince1970: Int64($0)).millisecondsSince1970 }
    }
}
