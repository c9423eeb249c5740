/// What a load says of its host.
package enum HostSignal: Equatable, Sendable {
    /// It answered, be it with an error.
    case answered
    /// It asked for fewer loads (429, 503), and for how many seconds, if it said so.
    case throttled(retryAfter: Double?)
    /// It could not be reached, or did not answer in time.
    case unreachable
    /// Nothing: it was not asked.
    case unasked
    /// Nothing: it needed no request, so that its turn is another's.
    case unneeded
}

/// What became of a host by a signal.
package enum HostChange: Equatable, Sendable {
    /// Nothing that lasts.
    case none
    /// It is left alone until a moment of the monotonic clock.
    case waits(until: Double)
    /// It failed too often, and is left alone for long.
    case parked(until: Double)
    /// It failed too often to be tried again.
    case dead
    /// It answers again.
    case recovered
}
