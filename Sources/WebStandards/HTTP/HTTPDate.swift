/// A date of an HTTP field, such as Expires: a whole second of the years 1 to 9999, in UTC.
///
/// [RFC 9110, section 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)
package struct HTTPDate: Hashable, Comparable, Sendable {
    /// Seconds since 1 January 1970, negative before; leap seconds do not count.
    package let secondsSince1970: Int64

    /// 1 January of the year 1 to the last second of the year 9999.
    private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Creates a date; a number outside of the years 1 to 9999 becomes the nearest date in that range.
    package init(secondsSince1970 seconds: Int64) {
        secondsSince1970 = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Parses a field value in one of the three formats of HTTP dates, or returns nil.
    ///
    /// Letters match in any case, as RFC 9111 (section 4.2) requires of caches; otherwise the format must be
    /// exact, including the zone `GMT`, and the day must exist. The day of the week need not be correct.
    ///
    /// - Parameters:
    ///   - field: the value; spaces and tabs around it are left out.
    ///   - now: seconds since 1970, to interpret a year of two digits: as the last year that is not more than
    ///     fifty years ahead.
    package init?(_ field: String, now: Int64) {
        // The longest date has 33 bytes: much longer fields need not be parsed.
        guard field.utf8.count <= 64 else { return nil }
        var scanner = FieldScanner(field)
        scanner.trim(while: \.isHTTPTabOrSpace)
        guard
            let parsed = Self.imfFixdate(scanner) ?? Self.rfc850Date(scanner, now: now)
                ?? Self.asctimeDate(scanner)
        else { return nil }
        self.init(secondsSince1970: parsed)
    }

    package static func < (lhs: HTTPDate, rhs: HTTPDate) -> Bool {
        lhs.secondsSince1970 < rhs.secondsSince1970
    }
}

// MARK: - The three formats

extension HTTPDate {
    private static let dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    private static let longDayNames = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func imfFixdate(_ initial: FieldScanner) -> Int64? {
        var scanner = initial
        guard scanner.name(of: dayNames) != nil, scanner.literal(", "),
            let day = scanner.number(digits: 2), scanner.literal(" "),
            let month = scanner.name(of: monthNames), scanner.literal(" "),
            let year = scanner.number(digits: 4), scanner.literal(" "),
            let time = scanner.timeOfDay(), scanner.literal(" GMT"), scanner.isAtEnd
        else { return nil }
        return seconds(year: year, month: month &+ 1, day: day, time: time)
    }

    /// The format of RFC 850, such as `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850Date(_ initial: FieldScanner, now: Int64) -> Int64? {
        var scanner = initial
        guard scanner.name(of: longDayNames) != nil, scanner.literal(", "),
            let day = scanner.number(digits: 2), scanner.literal("-"),
            let month = scanner.name(of: monthNames), scanner.literal("-"),
            let yearOfCentury = scanner.number(digits: 2), scanner.literal(" "),
            let time = scanner.timeOfDay(), scanner.literal(" GMT"), scanner.isAtEnd
        else { return nil }
        // Fifty years from now is the last moment that may be meant.
        let now = HTTPDate(secondsSince1970: now).secondsSince1970
        let daysUntilToday = floorDivide(now, 86400)
        let today = CivilDate(daysSince1970: daysUntilToday)
        let timeOfToday = now &- daysUntilToday &* 86400
        let isLaterInYear = (month &+ 1, day, time) > (today.month, today.day, timeOfToday)
        let lastYear = isLaterInYear ? today.year &+ 49 : today.year &+ 50
        let yearsBack = lastYear &- yearOfCentury
        let year = lastYear &- (yearsBack &- floorDivide(yearsBack, 100) &* 100)
        return seconds(year: year, month: month &+ 1, day: day, time: time)
    }

    /// The format of asctime, such as `Sun Nov  6 08:49:37 1994`.
    private static func asctimeDate(_ initial: FieldScanner) -> Int64? {
        var scanner = initial
        guard scanner.name(of: dayNames) != nil, scanner.literal(" "),
            let month = scanner.name(of: monthNames), scanner.literal(" "),
            let day = scanner.literal(" ") ? scanner.number(digits: 1) : scanner.number(digits: 2),
            scanner.literal(" "), let time = scanner.timeOfDay(), scanner.literal(" "),
            let year = scanner.number(digits: 4), scanner.isAtEnd
        else { return nil }
        return seconds(year: year, month: month &+ 1, day: day, time: time)
    }
}

// MARK: - Arithmetic

extension HTTPDate {
    /// The seconds since 1970 of a moment, or nil for a day that does not exist or a year outside of 1 to
    /// 9999.
    static func seconds(year: Int64, month: Int64, day: Int64, time: Int64) -> Int64? {
        guard (1...9999).contains(year) else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        let days = date.daysSince1970
        // A day after the end of its month is converted to one of the next month.
        guard day >= 1, CivilDate(daysSince1970: days) == date else { return nil }
        return days &* 86400 &+ time
    }

    /// The largest integer not above the quotient; `divisor` is positive.
    package static func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let quotient = dividend / divisor
        return dividend % divisor < 0 ? quotient &- 1 : quotient
    }

    /// A day of the proleptic Gregorian calendar.
    ///
    /// Years are counted from March here, so that the leap day is the last of its year, in eras of 400
    /// years with 146,097 days each.
    package struct CivilDate: Equatable {
        package let year: Int64
        package let month: Int64
        package let day: Int64

        package init(year: Int64, month: Int64, day: Int64) {
            self.year = year
            self.month = month
            self.day = day
        }

        package init(daysSince1970 days: Int64) {
            // Day 0 of the eras is 1 March of the year 0.
            let shifted = days &+ 719_468
            let era = floorDivide(shifted, 146_097)
            let dayOfEra = shifted &- era &* 146_097
            let yearOfEra = (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36524 &- dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
            // Months from March: 153 days in each five.
            let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
            day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
            month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
            year = yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0)
        }

        package var daysSince1970: Int64 {
            let yearFromMarch = month <= 2 ? year &- 1 : year
            let era = floorDivide(yearFromMarch, 400)
            let yearOfEra = yearFromMarch &- era &* 400
            let monthFromMarch = month > 2 ? month &- 3 : month &+ 9
            let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ day &- 1
            return era &* 146_097 &+ yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
                &- 719_468
        }
    }
}

// MARK: - Formatting

extension HTTPDate: CustomStringConvertible {
    /// The date as IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var description: String {
        let days = Self.floorDivide(secondsSince1970, 86400)
        let time = secondsSince1970 &- days &* 86400
        let date = CivilDate(daysSince1970: days)
        // 1 January 1970 was a Thursday, the fourth of the names.
        let dayName = Self.dayNames[Int(bounded: days &+ 3 &- Self.floorDivide(days &+ 3, 7) &* 7)]
        let monthName = Self.monthNames[Int(bounded: date.month &- 1)]
        let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        let day = Self.padded(date.day, 2)
        return "\(dayName), \(day) \(monthName) \(Self.padded(date.year, 4)) \(clock) GMT"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

// MARK: - Parts

extension FieldScanner {
    /// Skips `text`, letters in any case, and returns whether it was there.
    fileprivate mutating func literal(_ text: String) -> Bool {
        var probe = self
        for byte in text.utf8 {
            guard let next = probe.current, next.asciiLowercased == byte.asciiLowercased else { return false }
            probe.advance()
        }
        self = probe
        return true
    }

    /// Skips one of `names` and returns its index.
    fileprivate mutating func name(of names: [String]) -> Int64? {
        for (index, name) in names.enumerated() where literal(name) { return Int64(index) }
        return nil
    }

    /// Skips `count` digits and returns their value.
    fileprivate mutating func number(digits count: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard let byte = current, byte.isASCIIDigit else { return nil }
            value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
            advance()
        }
        return value
    }

    /// Skips `08:49:37` and returns the seconds since midnight; a leap second counts as the next midnight.
    fileprivate mutating func timeOfDay() -> Int64? {
        guard let hour = number(digits: 2), literal(":"),
            let minute = number(digits: 2), literal(":"),
            let second = number(digits: 2),
            hour <= 23, minute <= 59, second <= 59 || (hour == 23 && minute == 59 && second == 60)
        else { return nil }
        return hour &* 3600 &+ minute &* 60 &+ second
    }
}
