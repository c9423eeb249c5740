/// The value of a number or time control, as a number.
///
/// <https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#dates-and-times>
struct InputValue {
    /// Milliseconds since 1970 for dates, since midnight for times; months for months.
    let number: Double

    /// Parses a value; nil if it is not a valid value of the type.
    init?(_ text: String, _ type: InputType) {
        var scanner = Scanner(bytes: Array(text.utf8))
        let value: Double?
        switch type {
        case .date: value = scanner.date()
        case .month: value = scanner.month().map { Double(($0.year - 1970) * 12 + $0.month - 1) }
        case .week: value = scanner.week()
        case .time: value = scanner.time()
        case .dateAndTime: value = scanner.dateAndTime()
        default:
            value = Self.isFloat(scanner.bytes) ? Double(text) : nil
            scanner.index = scanner.bytes.count
        }
        guard let value, value.isFinite, scanner.index == scanner.bytes.count else { return nil }
        number = value
    }

    static func stepScale(of type: InputType) -> Double {
        switch type {
        case .date: 86_400_000
        case .week: 604_800_000
        case .time, .dateAndTime: 1000
        default: 1
        }
    }

    static func defaultStep(of type: InputType) -> Double {
        switch type {
        case .time, .dateAndTime: 60_000
        default: stepScale(of: type)
        }
    }

    /// Where steps begin if nothing says so: for weeks a Monday, the 29th of December 1969.
    static func defaultStepBase(of type: InputType) -> Double { type == .week ? -259_200_000 : 0 }

    /// Whether it is a valid floating-point number of HTML.
    ///
    /// <https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-floating-point-number>
    private static func isFloat(_ bytes: [UInt8]) -> Bool {
        guard let last = bytes.last, last.isASCIIDigit, let first = bytes.first else { return false }
        guard first.isASCIIDigit || first == UInt8(ascii: "-") || first == UInt8(ascii: ".") else {
            return false
        }
        // No hexadecimal numbers, infinities and the like.
        return bytes.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
    }

    /// Reads the parts of dates and times.
    private struct Scanner {
        let bytes: [UInt8]
        var index = 0

        mutating func take(_ byte: UInt8) -> Bool {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        /// Reads a number of exactly `count` digits, or of at least as many.
        mutating func digits(_ count: Int, orMore: Bool = false) -> Int? {
            let start = index
            var value = 0
            while index < bytes.count, bytes[index].isASCIIDigit, orMore || index - start < count {
                value.appendDigit(bytes[index])
                index += 1
            }
            return index - start >= count ? min(value, 10_000_000) : nil
        }

        mutating func month() -> (year: Int, month: Int)? {
            guard let year = digits(4, orMore: true), year > 0, year <= 275_760, take(UInt8(ascii: "-")),
                let month = digits(2), (1...12).contains(month)
            else { return nil }
            return (year, month)
        }

        mutating func date() -> Double? {
            guard let (year, month) = month(), take(UInt8(ascii: "-")), let day = digits(2), day >= 1,
                day <= InputValue.days(inMonth: month, of: year)
            else { return nil }
            return Double(InputValue.days(year, month, day)) * 86_400_000
        }

        mutating func week() -> Double? {
            guard let year = digits(4, orMore: true), year > 0, year <= 275_760, take(UInt8(ascii: "-")),
                take(UInt8(ascii: "W")), let week = digits(2), week >= 1
            else { return nil }
            let first = Self.firstMonday(of: year)
            guard first + week * 7 <= Self.firstMonday(of: year + 1) else { return nil }
            return Double(first + (week - 1) * 7) * 86_400_000
        }

        /// The day on which the first week of a year begins: the one that has the 4th of January in it.
        private static func firstMonday(of year: Int) -> Int {
            let fourth = InputValue.days(year, 1, 4)
            // Day 0 is a Thursday.
            return fourth - ((fourth + 3) % 7 + 7) % 7
        }

        mutating func time() -> Double? {
            guard let hour = digits(2), hour < 24, take(UInt8(ascii: ":")), let minute = digits(2),
                minute < 60
            else { return nil }
            var milliseconds = Double(hour * 60 + minute) * 60_000
            guard take(UInt8(ascii: ":")) else { return milliseconds }
            guard let second = digits(2), second < 60 else { return nil }
            milliseconds += Double(second) * 1000
            guard take(UInt8(ascii: ".")) else { return milliseconds }
            let start = index
            guard let fraction = digits(1, orMore: true), index - start <= 3 else { return nil }
            let scale = [1.0, 100, 10, 1]
            return milliseconds + Double(fraction) * scale[index - start]
        }

        mutating func dateAndTime() -> Double? {
            guard let date = date(), take(UInt8(ascii: "T")) || take(UInt8(ascii: " ")), let time = time()
            else {
                return nil
            }
            return date + time
        }
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 in the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era &* 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
