import Glibc

/// A moment of the wall clock, to the millisecond.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since the start of 1970, UTC.
    public var millisecondsSince1970: Int64

    /// Creates a moment from milliseconds since the start of 1970, UTC.
    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    /// The present, by the system's clock.
    public static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Whole seconds since the start of 1970, UTC, rounded down.
    public var secondsSince1970: Int64 {
        let (seconds, rest) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? seconds - 1 : seconds
    }

    /// Whether the first moment is the earlier one.
    public static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.millisecondsSince1970 < b.millisecondsSince1970
    }
}
