@testable import WebLoader

/// The URLs of all histories: few, so that stored responses are requested again.
enum HistoryURL {
    static let origins = [
        "http://a.test", "https://a.test", "http://b.test", "https://b.test", "https://sub.a.test",
        "http://sub.a.test", "http://a.test:8080", "http://127.0.0.1", "https://a.test.",
    ]
    static let paths = ["/", "/a", "/b", "/c", "/d", "/a/b", "/a?q", "/%61"]

    /// Returns one of the URLs.
    static func make(_ source: ByteSource) -> WebURL {
        var text = source.pick(origins) + source.pick(paths)
        switch source.number(below: 12) {
        case 9: text += "#fragment"
        case 10: text += "#other"
        case 11: text = text.replacing("://", with: source.isOne(of: 2) ? "://u:p@" : "://u:q@")
        default: break
        }
        guard let url = try? WebURL(text) else { violation("\(text) is no URL") }
        return url
    }
}
