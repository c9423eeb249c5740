import HTTPTypes

/// A response in the cache, with the request fields that selected it and the times to compute its age.
package struct StoredResponse: Sendable {
    /// The key: the requested URL without its fragment.
    var key: String

    /// The request's fields that the response's Vary names; a name without a value was not in the request.
    var varyingFields: [VaryingFields.Field]

    /// When the request was sent and the response received, by this machine's clock.
    var requestTime: Timestamp
    var responseTime: Timestamp

    /// The status; 206 for a part, whose position is in Content-Range.
    var status: Int
    var httpVersion: String?
    var headerFields: HTTPFields
    var body: StoredBody

    /// Whether HTTP forbids storing it, but the user asked to keep it: for offline use only.
    var isKeptForOfflineUse = false

    /// Whether the user asked to keep it, whatever HTTP says: it is evicted after all that nobody asked for.
    var isKeptOnRequest = false

    /// Whether it is known to have changed at its origin, so that it is stale whatever its age.
    var isOutdated = false

    /// The address that all of it came from; nil for a proxy, several addresses, or an unknown one.
    var remoteAddress: String?

    /// The key of a URL.
    ///
    /// Credentials are added as a hash after "#", so that they are not stored on disk.
    package static func key(for url: WebURL) -> String {
        let key = url.withoutFragment.withoutCredentials.href
        guard url.includesCredentials else { return key }
        let credentials = "\(key)\0\(url.username):\(url.password)"
        return "\(key)#\(SHA256.halfHexadecimal(of: Array(credentials.utf8)))"
    }

    /// Whether another response is selected by the same fields with the same values.
    func isSameVariant(as other: StoredResponse) -> Bool {
        varyingFields.elementsEqual(other.varyingFields) { $0.name == $1.name && $0.value == $1.value }
    }

    /// The address of a response combined from this one and a newer one: nil if the addresses differ.
    func address(with newer: String?) -> String? { remoteAddress == newer ? newer : nil }

    /// Whether it has a validator.
    var hasValidator: Bool { headerFields[.eTag] != nil || headerFields[.lastModified] != nil }

    /// Its ETag, nil if it is missing or malformed.
    var entityTag: EntityTag? { headerFields[.eTag].flatMap { EntityTag($0) } }

    /// The part that it contains, as far as its body was received; nil if it is not partial.
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
