/// The times from the start of a request to the ends of its phases; `nil` for a phase that did not take place.
public struct LoadTiming: Hashable, Sendable {
    /// Until the name was resolved.
    public var nameLookup: Duration?
    /// Until the connection was established.
    public var connect: Duration?
    /// Until TLS was established.
    public var tls: Duration?
    /// Until the first byte of the response.
    public var firstByte: Duration?
    /// Until the last byte of the response.
    public var total: Duration?

    /// Creates timing without any phase.
    public init() {}
}
