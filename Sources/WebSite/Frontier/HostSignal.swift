/// The signal of a load about its host.
package enum HostSignal: Equatable, Sendable {
    /// The host answered, possibly with an error.
    case answered
    /// The host asked for fewer loads (429, 503), with the number of seconds to wait, if it named one.
    case throttled(retryAfter: Double?)
    /// The host could not be reached, or did not answer in time.
    case unreachable
    /// No signal: the host was not contacted.
    case unasked
    /// No signal: no request was needed, so that another URL of the host may take its turn.
    case unneeded
}

/// The change of a host's state by a signal.
package enum HostChange: Equatable, Sendable {
    /// No lasting change.
    case none
    /// The host is not contacted until this monotonic time.
    case waits(until: Double)
    /// The host failed too often, and is not contacted for a long time.
    case parked(until: Double)
    /// The host failed too often to be tried again.
    case dead
    /// The host answers again.
    case recovered
}
