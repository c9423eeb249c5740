/// How many bytes a response took on the wire, and what they became.
public struct TransferSize: Hashable, Sendable, Codable {
    /// Status lines and fields, interim responses' and trailers included; of HTTP/2, as HTTP/1.1 would have them.
    public var headers = 0
    /// The body as it was sent, in its content coding, without the marks of chunks and frames.
    public var body = 0
    /// The body, its content coding undone.
    public var decodedBody = 0

    /// Creates sizes of 0.
    public init() {}
}
