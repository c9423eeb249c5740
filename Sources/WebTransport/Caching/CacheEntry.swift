package import HTTPTypes

/// A stored response, for display.
package struct CacheEntry: Sendable {
    /// The key of the entry.
    let key: String

    /// The file that it is in.
    package let path: String

    /// The size of that file in bytes, nil if not requested.
    package let fileSize: Int?

    /// When it was last used or written, in seconds since 1970, to the hour; nil if not requested.
    package let lastUse: Int?

    private let response: StoredResponse

    init(_ response: StoredResponse, path: String, fileSize: Int?, lastUse: Int?) {
        key = response.key
        self.path = path
        self.fileSize = fileSize
        self.lastUse = lastUse
        self.response = response
    }

    /// The URL; credentials, if it had any, are appended as a hash after "#".
    package var url: String { key }

    /// The status; 206 for a part.
    package var status: Int { response.status }

    /// The fields as they are stored.
    package var headerFields: HTTPFields { response.headerFields }

    /// When it was received, or last validated.
    package var received: Timestamp { response.responseTime }

    /// Whether the server forbids storing it, and it was kept because of `--keep`.
    package var isKeptForOfflineUse: Bool { response.isKeptForOfflineUse }

    /// The request fields that selected it, by the response's Vary; the value is nil for a field not sent.
    ///
    /// Values that may be secret are stored as a digest, and not shown.
    package var varyingFields: [(name: String, value: String?)] {
        response.varyingFields.map { name, value in
            guard let value, !value.isEmpty, !VaryingFields.isPublic(name) else { return (name, value) }
            return (name, "(stored as a digest)")
        }
    }

    /// The size of the body in bytes.
    package var bodySize: Int { response.body.count }

    /// Whether it is fresh, its age and its freshness lifetime in seconds; a nil lifetime is unknown.
    package func freshness(now: Timestamp) -> (isFresh: Bool, age: Int64, lifetime: Int64?) {
        let freshness = Freshness(response, now: now)
        return (freshness.isFresh, freshness.age, freshness.lifetime)
    }

    /// How a plain request with a policy would use it.
    package func use(for url: WebURL, _ policy: CachePolicy, now: Timestamp) -> Use {
        switch CacheDecision.decide(WebRequest(url: url, cachePolicy: policy), stored: response, now: now) {
        case .use(_, let reason): Use(isUsed: true, reason: reason.rawValue, explanation: reason.explanation)
        case .validate(let reason), .fetch(let reason), .miss(let reason):
            Use(isUsed: false, reason: reason.rawValue, explanation: reason.explanation)
        }
    }

    /// Whether the entry would be used without asking the server, and why.
    package struct Use: Equatable, Sendable {
        package let isUsed: Bool
        /// The reason, as a stable identifier.
        package let reason: String
        /// In words.
        package let explanation: String
    }

    /// Calls `body` with the entry's body, piece by piece.
    package func forEachPieceOfBody<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure)
    {
        var position = 0
        while position < response.body.count {
            // It was verified before; a piece that can no longer be read ends it.
            guard let piece = try? response.body.bytes(position..<position + ContentHash.pieceLength),
                !piece.isEmpty
            else { return }
            try body(piece)
            position += piece.count
        }
    }
}
