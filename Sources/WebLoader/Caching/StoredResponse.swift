import HTTPTypes

/// A response as the cache keeps it: with the request that it answers and the times that its age comes from.
struct StoredResponse: Sendable {
    /// What it is found by: the URL that was asked for, without its fragment.
    var key: String

    /// The request's fields that the response's Vary names; a name without a value was not in the request.
    var varyingFields: [(name: String, value: String?)]

    /// When the request was sent and the response received, by this machine's clock.
    var requestTime: Timestamp
    var responseTime: Timestamp

    var status: Int
    var httpVersion: String?
    var headerFields: HTTPFields
    var body: [UInt8]

    /// What a URL is found by.
    ///
    /// Credentials go in as a hash, behind a "#", so that they do not stand on the disk.
    static func key(for url: WebURL) -> String {
        let key = url.withoutFragment.withoutCredentials.href
        guard url.includesCredentials else { return key }
        return "\(key)#\(ContentHash.hexadecimal(of: "\(url.username):\(url.password)"))"
    }
}
