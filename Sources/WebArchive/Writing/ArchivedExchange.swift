package import WebStandards

/// A request and its response, as a writer takes them.
package struct ArchivedExchange: Sendable {
    /// The URL that was asked.
    package var url: WebURL
    /// When the request was begun.
    package var date: Timestamp
    /// The peer's address, without port; nil if not known.
    package var address: String?
    /// As libcurl has it: "1.0", "1.1", "2", "3".
    package var version: String
    package var method: String
    /// All that were sent, in order; empty if not known.
    package var requestFields: [(name: String, value: [UInt8])]
    package var requestBody: [UInt8]
    package var status: Int
    package var reason: String
    /// All lines of the response's fields, as they came, in order.
    package var responseFields: [(name: String, value: [UInt8])]
    /// The body with its content coding, without its transfer coding; nil if it is not known.
    package var body: ArchivedBody?
    /// Why the body was cut off ("length", "time", "disconnect", "unspecified"); nil if it is whole.
    package var truncated: String?
    /// For HAR's timings; nil if not measured.
    package var timing: LoadTiming?
    /// The URL that led here, by a redirect or a link; nil if not known.
    package var via: WebURL?

    package init(url: WebURL, date: Timestamp, status: Int) {
        self.url = url
        self.date = date
        self.status = status
        version = "1.1"
        method = "GET"
        requestFields = []
        requestBody = []
        reason = ""
        responseFields = []
    }
}
