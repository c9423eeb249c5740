extension Double {
    /// A century in seconds, longer than anything waits.
    static let centuryInSeconds: Double = 3_155_760_000

    /// The number as seconds for a wait: 0 to a century; 0 for NaN.
    package var boundedSeconds: Double {
        isNaN ? 0 : Swift.min(Swift.max(self, 0), Self.centuryInSeconds)
    }
}

extension Duration {
    /// Creates the duration from 0 to a century that is nearest to `seconds`, in whole nanoseconds; zero for NaN.
    ///
    /// A positive number of seconds gives at least a nanosecond, since zero means no limit in some places.
    package init(boundedSeconds seconds: Double) {
        let seconds = seconds.boundedSeconds
        self = .nanoseconds(seconds > 0 ? max(1, Int64((seconds * 1e9).rounded())) : 0)
    }

    /// The time itself, or the nearest one from 0 to a century.
    package var bounded: Duration {
        Swift.min(Swift.max(self, .zero), .seconds(Int(Double.centuryInSeconds)))
    }

    /// The duration in seconds, from minus to plus a century, for calculating: 0.3 for 300 milliseconds.
    package var inSeconds: Double {
        let century = Duration.seconds(Int(Double.centuryInSeconds))
        let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero - century), century).components
        return Double(seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000) / 1e9
    }

    /// The duration in nanoseconds; at least 0, at most a century.
    package var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = bounded.components
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// The duration in milliseconds, rounded down; at least 0, at most a century.
    package var wholeMilliseconds: Int { Int(bounded: wholeNanoseconds / 1_000_000) }
}
