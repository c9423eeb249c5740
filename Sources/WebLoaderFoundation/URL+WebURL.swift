public import Foundation
public import WebStandards

extension WebURL {
    /// The URL that a browser makes of the text of Foundation's.
    ///
    /// - Throws: ``/WebStandards/WebURLError``: for a relative URL, and for what only RFC 3986 takes for one.
    public init(_ url: URL) throws(WebURLError) {
        try self.init(url.absoluteString)
    }
}

extension URL {
    /// Foundation's URL with the same text; nil if RFC 3986 does not take that for one.
    public init?(_ url: WebURL) {
        self.init(string: url.href)
    }
}

extension Date {
    /// The same moment, to the millisecond.
    public init(_ timestamp: Timestamp) {
        self.init(timeIntervalSince1970: Double(timestamp.millisecondsSince1970) / 1000)
    }
}

extension Timestamp {
    /// The same moment, to the millisecond; the nearest one that it can hold for dates beyond.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(millisecondsSince1970: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }
}
