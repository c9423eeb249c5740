/// Why a request is not answered as it wishes: an HTTP status, and what is said of it.
struct ServeError: Error, Equatable {
    /// The HTTP status, 400 to 599.
    let status: Int
    /// The reason, as a stable identifier.
    let code: String
    /// The reason, for people.
    let message: String
    /// What a reader said of it, a JSON object; nil if the reason is the server's own.
    let details: [UInt8]?

    init(_ status: Int, _ code: String, _ message: String, details: [UInt8]? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
    }
}
