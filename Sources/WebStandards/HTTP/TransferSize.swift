/// The sizes of a response in bytes, on the wire and decoded.
public struct TransferSize: Hashable, Sendable, Codable {
    /// Status lines and fields, those of interim responses and trailers included; for HTTP/2, as in HTTP/1.1.
    public var headers = 0
    /// The body as it was sent, with its content coding, without the framing of chunks and frames.
    public var body = 0
    /// The body after content decoding.
    public var decodedBody = 0

    /// Creates sizes of 0.
    public init() {}
}
