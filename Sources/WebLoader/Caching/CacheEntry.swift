package import HTTPTypes

/// A stored response as a person looks at it.
package struct CacheEntry: Sendable {
    /// What it is found by.
    let key: String

    /// The file that it is in.
    package let path: String

    /// Bytes of that file, nil where that was not asked.
    package let fileSize: Int?

    /// When it was used or written last, in seconds since 1970, to the hour; nil where that was not asked.
    package let lastUse: Int?

    private let response: StoredResponse

    init(_ response: StoredResponse, path: String, fileSize: Int?, lastUse: Int?) {
        key = response.key
        self.path = path
        self.fileSize = fileSize
        self.lastUse = lastUse
        self.response = response
    }

    /// The URL; credentials, where it had any, are a hash behind a "#".
    package var url: String { key }

    /// The status; 206 for a part.
    package var status: Int { response.status }

    /// The fields as they are stored.
    package var headerFields: HTTPFields { response.headerFields }

    /// When it was received, or last validated.
    package var received: Timestamp { response.responseTime }

    /// Whether the server forbids that it be kept, and `--keep` kept it.
    package var isKeptForOfflineUse: Bool { response.isKeptForOfflineUse }

    /// The request's fields that it is for, by the response's Vary; a nil value for what was not sent.
    ///
    /// What may be a secret is kept as a digest, and not shown.
    package var varyingFields: [(name: String, value: String?)] {
        response.varyingFields.map { name, value in
            guard let value, !value.isEmpty, !VaryingFields.isPublic(name) else { return (name, value) }
            return (name, "(kept as a digest)")
        }
    }

    /// Bytes of the body.
    package var bodySize: Int { response.body.count }

    /// Whether it is fresh, how old it is and for how long it is fresh, in seconds; nil where it does not say.
    package func freshness(now: Timestamp) -> (isFresh: Bool, age: Int64, lifetime: Int64?) {
        let freshness = Freshness(response, now: now)
        return (freshness.isFresh, freshness.age, freshness.lifetime)
    }

    /// What would be done with it for a plain request under a policy.
    package func use(for url: WebURL, _ policy: CachePolicy, now: Timestamp) -> Use {
        switch CacheDecision.decide(WebRequest(url: url, cachePolicy: policy), stored: response, now: now) {
        case .use(_, let reason): Use(isUsed: true, reason: reason.rawValue, explanation: reason.explanation)
        case .validate(let reason), .fetch(let reason), .miss(let reason):
            Use(isUsed: false, reason: reason.rawValue, explanation: reason.explanation)
        }
    }

    /// Whether it would answer without the server being asked, and why.
    package struct Use: Equatable, Sendable {
        package let isUsed: Bool
        /// A stable word.
        package let reason: String
        /// In words.
        package let explanation: String
    }

    /// Hands out the body, a piece at a time.
    package func forEachPieceOfBody<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure)
    {
        var position = 0
        while position < response.body.count {
            // It was found to be whole; what cannot be read since is left out.
            guard let piece = try? response.body.bytes(position..<position + ContentHash.pieceLength),
                !piece.isEmpty
            else { return }
            try body(piece)
            position += piece.count
        }
    }
}
