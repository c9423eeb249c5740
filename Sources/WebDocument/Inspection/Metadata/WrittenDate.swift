/// A date as people write it, read from a text.
struct WrittenDate: Hashable {
    /// A time of day, as far as it is given.
    struct Time: Hashable {
        var hour: Int
        var minute = 0
        var second = 0
        /// The offset from UTC as ISO 8601 has it, `Z` or `+01:00`; nil where none is given.
        var zone: String?
    }

    let year: Int
    let month: Int
    let day: Int

    /// Nil where only the day is given.
    var time: Time?

    /// Whether day and month could be the other way around (3/4/2026), so that the reader's order decided.
    var isOrderAssumed = false

    /// The order of a date of numbers alone, if it is certain: other such dates of the page are in that order.
    var certainOrder: DateReader.Order?

    /// The years that a date on a page may have.
    private static let years = 1900...2100

    /// Creates a date; nil where the calendar does not have it, or it is centuries away.
    init?(year: Int, month: Int, day: Int) {
        guard Self.years ~= year, 1...12 ~= month, day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= days[month - 1] else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day alone, in ISO 8601.
    var dayText: String { "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))" }

    /// The date in ISO 8601, with a time and an offset only where they are given.
    var text: String {
        guard let time else { return dayText }
        let clock = "\(Self.padded(time.hour)):\(Self.padded(time.minute)):\(Self.padded(time.second))"
        return "\(dayText)T\(clock)\(time.zone ?? "")"
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// How many days there are from a fixed day to this one.
    private var dayNumber: Int {
        // Months are counted from March, so that a leap day is the last day of a year.
        let years = month > 2 ? year : year - 1
        let months = (month + 9) % 12
        return years * 365 + years / 4 - years / 100 + years / 400 + (months * 306 + 5) / 10 + day
    }

    /// How many days another date is later than this one; negative where it is earlier.
    func days(to other: WrittenDate) -> Int { other.dayNumber - dayNumber }

    /// The date some days before; nil where that is centuries away.
    func before(days: Int) -> WrittenDate? {
        guard 0...36_500 ~= days else { return nil }
        var (year, month, day) = (year, month, day - days)
        while day < 1 {
            (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
            guard let last = Self.lastDay(year, month) else { return nil }
            day += last
        }
        return WrittenDate(year: year, month: month, day: day)
    }

    private static func lastDay(_ year: Int, _ month: Int) -> Int? {
        [31, 30, 29, 28].first { WrittenDate(year: year, month: month, day: $0) != nil }
    }
}
