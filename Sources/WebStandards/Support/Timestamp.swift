import Glibc
// Which module declares `timespec` depends on what the compiler has loaded before.
import SwiftOverlayShims

/// A moment of the wall clock, to the millisecond, in the years 0 to 9999.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since the start of 1970, UTC: -62,167,219,200,000 to 253,402,300,799,999.
    ///
    /// A number outside of this range becomes the nearest one inside.
    public var millisecondsSince1970: Int64 {
        didSet { millisecondsSince1970 = Self.bounded(millisecondsSince1970) }
    }

    /// Creates a moment from milliseconds since the start of 1970, UTC; before the year 0 or after 9999, the nearest
    /// one in these years.
    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = Self.bounded(millisecondsSince1970)
    }

    /// Creates a moment from seconds since the start of 1970, UTC, in the same way.
    init(secondsSince1970 seconds: Int) {
        millisecondsSince1970 = Int64(Self.bounded(seconds: seconds)) &* 1000
    }

    /// Decodes a moment; a moment out of range becomes the nearest one in range.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(millisecondsSince1970: try container.decode(Int64.self, forKey: .millisecondsSince1970))
    }

    private enum CodingKeys: String, CodingKey {
        case millisecondsSince1970
    }

    /// The current time of the system's clock.
    public static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let seconds = Int64(bounded(seconds: time.tv_sec))
        return Timestamp(millisecondsSince1970: seconds &* 1000 &+ Int64(time.tv_nsec / 1_000_000))
    }

    /// Whole seconds since the start of 1970, UTC, rounded down.
    public var secondsSince1970: Int64 {
        let (seconds, rest) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? seconds &- 1 : seconds
    }

    /// The seconds of the first of January of the year 0 to the last second of 9999, since 1970.
    static let seconds = -62_167_219_200...253_402_300_799

    /// The nearest number of seconds since 1970 in the years 0 to 9999.
    static func bounded(seconds: Int) -> Int {
        min(max(seconds, Self.seconds.lowerBound), Self.seconds.upperBound)
    }

    /// The nearest number of milliseconds since 1970 in the years 0 to 9999.
    private static func bounded(_ milliseconds: Int64) -> Int64 {
        min(max(milliseconds, Int64(seconds.lowerBound) &* 1000), Int64(seconds.upperBound) &* 1000 &+ 999)
    }

    /// Whether the first moment is the earlier one.
    public static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.millisecondsSince1970 < b.millisecondsSince1970
    }
}
