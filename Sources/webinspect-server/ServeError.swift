/// The failure of a request: an HTTP status, a code and a message.
struct ServeError: Error, Equatable {
    /// The HTTP status, 400 to 599.
    let status: Int
    /// The reason, as a stable identifier.
    let code: String
    /// The reason, for people.
    let message: String
    /// The error as a reader reported it, a JSON object; `nil` if it is the server's own.
    let details: [UInt8]?

    init(_ status: Int, _ code: String, _ message: String, details: [UInt8]? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
    }
}
