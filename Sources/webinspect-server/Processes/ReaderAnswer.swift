import WebStandards

/// The answer of a reader.
struct ReaderAnswer: Sendable, Equatable {
    /// JSON, or an HTML document.
    let bytes: [UInt8]

    /// The answer as JSON.
    func json() throws(ServeError) -> JSONValue {
        do throws(JSONValue.ParsingError) {
            return try JSONValue(parsing: bytes)
        } catch {
            throw ServeError(502, "reader.answer", "a reader has not answered JSON: \(error.message)")
        }
    }
}

extension ServeError {
    /// The client no longer waits for the answer.
    static var cancelled: ServeError { ServeError(499, "cancelled", "the request was cancelled") }
    static var ending: ServeError { ServeError(503, "shutdown", "the server is ending") }

    /// Creates the error that a reader reports for a request that it cannot answer.
    init(reader bytes: [UInt8]) {
        guard let json = try? JSONValue(parsing: bytes), let code = json["code"]?.string,
            let message = json["message"]?.string
        else {
            self.init(502, "reader.answer", "a reader has failed without saying why")
            return
        }
        let status =
            switch code {
            case "cache.miss": 404
            case "busy", "state.busy": 503
            default: ["usage", "input"].contains(code.prefix { $0 != "." }) ? 400 : 422
            }
        self.init(status, code, message, details: bytes)
    }
}
