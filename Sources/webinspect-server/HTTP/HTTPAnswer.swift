import WebStandards

/// The answer to a request.
struct HTTPAnswer: Sendable {
    var status = 200
    var type: String
    /// Fields besides those that every answer has.
    var fields: [(name: String, value: String)] = []
    var body: Body

    enum Body: Sendable {
        case bytes([UInt8])
        /// Sent piece by piece, for as long as the function runs.
        case stream(@Sendable (HTTPStream) async -> Void)
    }

    static let jsonType = "application/json"
    static let linesType = "application/x-ndjson"

    /// Returns an answer with serialized JSON.
    static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPAnswer {
        HTTPAnswer(status: status, type: jsonType, body: .bytes(bytes))
    }

    static func json(_ value: JSONValue, status: Int = 200) -> HTTPAnswer {
        json(value.serialized(sortingNames: false), status: status)
    }

    /// Returns the answer to a request that failed.
    static func error(_ error: ServeError) -> HTTPAnswer {
        HTTPAnswer(
            status: error.status,
            type: jsonType,
            body: .bytes([UInt8]("{\"error\":".utf8) + error.json + [0x7D])
        )
    }
}

extension ServeError {
    /// The error as JSON: as a reader reported it, or its code and message.
    var json: [UInt8] {
        if let details { return details }
        let value: JSONValue = ["code": .string(code), "message": .string(message)]
        return value.serialized(sortingNames: false)
    }
}
