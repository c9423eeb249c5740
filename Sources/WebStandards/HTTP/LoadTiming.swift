/// How long the phases of one request took, in seconds from its start; nil for a phase that did not take place.
public struct LoadTiming: Hashable, Sendable, Codable {
    /// Until the name was resolved.
    public var nameLookup: Double?
    /// Until the connection was established.
    public var connect: Double?
    /// Until TLS was established.
    public var tls: Double?
    /// Until the first byte of the response.
    public var firstByte: Double?
    /// Until the last byte of the response.
    public var total: Double?

    /// Creates timing without any phase.
    public init() {}
}
