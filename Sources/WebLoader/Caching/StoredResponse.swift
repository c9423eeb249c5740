import HTTPTypes

/// A response as the cache keeps it: with the request that it answers and the times that its age comes from.
struct StoredResponse: Sendable {
    /// What it is found by: the URL that was asked for, without its fragment.
    var key: String

    /// The request's fields that the response's Vary names; a name without a value was not in the request.
    var varyingFields: [VaryingFields.Field]

    /// When the request was sent and the response received, by this machine's clock.
    var requestTime: Timestamp
    var responseTime: Timestamp

    /// The status; 206 for a part, whose place Content-Range has.
    var status: Int
    var httpVersion: String?
    var headerFields: HTTPFields
    var body: StoredBody

    /// Whether HTTP forbids that it be kept, and the user asked for it: it is there for offline use alone.
    var isKeptForOfflineUse = false

    /// Whether it is known to have changed at its origin, so that it is stale whatever its age.
    var isOutdated = false

    /// The address that all of it came from; nil where it came through a proxy, from several, or nobody noted it.
    var remoteAddress: String?

    /// What a URL is found by.
    ///
    /// Credentials go in as a hash, behind a "#", so that they do not stand on the disk.
    static func key(for url: WebURL) -> String {
        let key = url.withoutFragment.withoutCredentials.href
        guard url.includesCredentials else { return key }
        let credentials = "\(key)\0\(url.username):\(url.password)"
        return "\(key)#\(SHA256.halfHexadecimal(of: Array(credentials.utf8)))"
    }

    /// The address that what is made of this and of a newer answer came from.
    func address(with newer: String?) -> String? { remoteAddress == newer ? newer : nil }

    /// Whether it has something to validate it by.
    var hasValidator: Bool { headerFields[.eTag] != nil || headerFields[.lastModified] != nil }

    /// Its ETag, nil if there is none that is to the letter.
    var entityTag: EntityTag? { headerFields[.eTag].flatMap { EntityTag($0) } }

    /// The part that it holds, by what came of it; nil where it holds all.
    var part: ContentRange? {
        guard status == 206, let field = headerFields[.contentRange], let range = ContentRange(field),
            body.count > 0
        else { return nil }
        let end = min(range.positions.upperBound, range.positions.lowerBound +| Int64(body.count))
        return ContentRange(
            positions: range.positions.lowerBound..<end,
            completeLength: range.completeLength
        )
    }
}
