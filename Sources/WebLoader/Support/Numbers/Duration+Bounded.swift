extension Double {
    /// A century in seconds, longer than anything waits.
    package static let centuryInSeconds: Double = 3_155_760_000

    /// The number as seconds that can be waited: 0 to a century; 0 for what is not a number.
    package var boundedSeconds: Double {
        isNaN ? 0 : Swift.min(Swift.max(self, 0), Self.centuryInSeconds)
    }
}

extension Duration {
    /// A time from 0 to a century: the nearest to so many seconds; none for what is not a number.
    package init(boundedSeconds seconds: Double) {
        self = .seconds(seconds.boundedSeconds)
    }

    /// The time itself, or the nearest one from 0 to a century.
    package var bounded: Duration {
        Swift.min(Swift.max(self, .zero), .seconds(Int(Double.centuryInSeconds)))
    }

    /// The duration in nanoseconds; 0 for less than none, those of a century for more.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = bounded.components
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// The duration in milliseconds, rounded down; 0 for less than none, those of a century for more.
    var wholeMilliseconds: Int { Int(bounded: wholeNanoseconds / 1_000_000) }
}
