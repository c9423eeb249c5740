/// Parses a date, with or without a time, in the formats that pages use, and writes it as ISO 8601.
///
/// An ambiguous date, such as 3/4/2026, is an error unless the order is given.
package struct DateReader {
    /// The order of day, month and year in numeric dates.
    package enum Order: String, Sendable, CaseIterable {
        case dayMonthYear = "dmy"
        case monthDayYear = "mdy"
        case yearMonthDay = "ymd"
    }

    /// Why a text is not a valid date.
    package struct Failure: Error, Equatable {
        package let message: String
    }

    private let tokens: [DateToken]
    private let order: Order?
    private var index = 0

    private var numbers: [DateToken] = []
    private var month: Int?
    /// How many numbers came before the month's name.
    private var numbersBeforeMonth = 0
    private var time: (hour: Int, minute: Int, second: Int, fraction: String)?
    private var zone: String?

    private init(_ text: String, _ order: Order?) {
        tokens = DateToken.tokens(of: text)
        self.order = order
    }

    /// The date in ISO 8601, with a time and an offset if the text has them: `2026-11-21`,
    /// `2026-11-21T15:04:05+01:00`.
    package static func read(_ text: String, order: Order?) throws(Failure) -> String {
        var reader = DateReader(text, order)
        return try reader.read()
    }

    private mutating func read() throws(Failure) -> String {
        while index < tokens.count {
            switch tokens[index] {
            case .number: try readNumber()
            case .word(let word): try readWord(word)
            case .mark: index += 1
            }
        }
        let (year, month, day) = try date()
        var text = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
        if let time {
            text +=
                "T\(Self.padded(time.hour, 2)):\(Self.padded(time.minute, 2)):\(Self.padded(time.second, 2))"
            text += time.fraction + (zone ?? "")
        }
        return text
    }

    // MARK: - Parts

    private func mark(at index: Int) -> Unicode.Scalar? {
        guard index < tokens.count, case .mark(let mark) = tokens[index] else { return nil }
        return mark
    }

    private func number(at index: Int) -> (digits: String, value: Int)? {
        guard index < tokens.count, case .number(let digits) = tokens[index],
            let value = Int(inBounds: digits)
        else {
            return nil
        }
        return (digits, value)
    }

    private mutating func readNumber() throws(Failure) {
        guard let (digits, value) = number(at: index) else { throw Failure(message: "a number is too long") }
        if mark(at: index + 1) == ":" || isFollowedByHalfOfDay {
            try readTime(hour: value)
            return
        }
        if digits.utf8.count == 8, numbers.isEmpty, month == nil {
            // The basic format: 20261121.
            let all = Array(digits)
            for part in [all[..<4], all[4..<6], all[6...]] { numbers.append(.number(String(part))) }
        } else {
            numbers.append(tokens[index])
        }
        index += 1
    }

    /// Whether the number is followed by "am" or "pm", as in "3 pm".
    private var isFollowedByHalfOfDay: Bool {
        var next = index + 1
        if mark(at: next) == " " { next += 1 }
        guard time == nil, next < tokens.count, case .word(let word) = tokens[next] else { return false }
        return word == "am" || word == "pm"
    }

    private mutating func readTime(hour: Int) throws(Failure) {
        guard time == nil else { throw Failure(message: "there is more than one time") }
        index += 1
        var parts = [hour, 0, 0]
        var hasSeconds = false
        var fraction = ""
        for part in 1...2 {
            guard mark(at: index) == ":", let (_, value) = number(at: index + 1) else { break }
            parts[part] = value
            hasSeconds = part == 2
            index += 2
        }
        if hasSeconds, mark(at: index) == "." || mark(at: index) == ",",
            let (digits, _) = number(at: index + 1)
        {
            fraction = ".\(digits.prefix(9))"
            index += 2
        }
        if mark(at: index) == " ", index + 1 < tokens.count, case .word(let word) = tokens[index + 1],
            word == "am" || word == "pm"
        {
            index += 1
        }
        if index < tokens.count, case .word(let word) = tokens[index], word == "am" || word == "pm" {
            guard 1...12 ~= parts[0] else {
                throw Failure(message: "\(parts[0]) \(word) is not a valid time")
            }
            parts[0] = parts[0] % 12 + (word == "pm" ? 12 : 0)
            index += 1
        }
        guard parts[0] < 24, parts[1] < 60, parts[2] < 61 else {
            throw Failure(message: "\(parts[0]):\(parts[1]):\(parts[2]) is not a valid time")
        }
        time = (parts[0], parts[1], parts[2], fraction)
        try readOffset()
    }

    /// Reads an offset from UTC: "+02:00", "-0500", "+02".
    private mutating func readOffset() throws(Failure) {
        var next = index
        if mark(at: next) == " " { next += 1 }
        guard let sign = mark(at: next), sign == "+" || sign == "-" || sign == "\u{2212}",
            let (digits, value) = number(at: next + 1)
        else { return }
        var (hours, minutes) = (value, 0)
        next += 2
        switch digits.utf8.count {
        case 1, 2:
            if mark(at: next) == ":", let (_, value) = number(at: next + 1) {
                minutes = value
                next += 2
            }
        case 4: (hours, minutes) = (value / 100, value % 100)
        default: return
        }
        guard hours < 24, minutes < 60 else { throw Failure(message: "\(digits) is not a valid UTC offset") }
        index = next
        zone = "\(sign == "+" ? "+" : "-")\(Self.padded(hours, 2)):\(Self.padded(minutes, 2))"
    }

    private mutating func readWord(_ word: String) throws(Failure) {
        index += 1
        if time != nil, zone == nil, let offset = Self.zones[word] {
            zone = offset
            if offset == "Z" { try readOffset() }
            return
        }
        guard let number = MonthNames.month(word) else {
            guard DateWords.isIgnored(word) else {
                throw Failure(message: "\"\(word)\" is not part of a date")
            }
            return
        }
        // "mar" is March, and Tuesday in three languages.
        guard month == nil else { return }
        month = number
        numbersBeforeMonth = numbers.count
    }

    // MARK: - The date

    private func date() throws(Failure) -> (year: Int, month: Int, day: Int) {
        let values = numbers.compactMap { token -> (Int, Int)? in
            guard case .number(let digits) = token, let value = Int(inBounds: digits) else { return nil }
            return (value, digits.utf8.count)
        }
        let parts: (year: (Int, Int), month: Int, day: Int)
        if let month {
            guard values.count == 2 else { throw Failure(message: "the day or the year is missing") }
            let yearIsFirst = values[0].1 > 2
            parts = yearIsFirst ? (values[0], month, values[1].0) : (values[1], month, values[0].0)
        } else {
            guard values.count == 3 else {
                throw Failure(message: "expected three numbers, or the name of a month")
            }
            switch try figureOrder(values) {
            case .yearMonthDay: parts = (values[0], values[1].0, values[2].0)
            case .dayMonthYear: parts = (values[2], values[1].0, values[0].0)
            case .monthDayYear: parts = (values[2], values[0].0, values[1].0)
            }
        }
        // A year of two digits is one from 1969 to 2068, as for POSIX's strptime.
        let (number, digits) = parts.year
        let year = digits <= 2 ? number + (number < 69 ? 2000 : 1900) : number
        guard 1...9999 ~= year, 1...12 ~= parts.month, 1...Self.days(in: parts.month, of: year) ~= parts.day
        else {
            throw Failure(message: "\(year)-\(parts.month)-\(parts.day) is not a valid date")
        }
        return (year, parts.month, parts.day)
    }

    private func figureOrder(_ values: [(value: Int, digits: Int)]) throws(Failure) -> Order {
        if values[0].digits > 2 { return .yearMonthDay }
        if let order { return order }
        let (first, second) = (values[0].value, values[1].value)
        // In dates with full stops the day comes first, in all countries that write dates so.
        if tokens.contains(.mark(".")), !tokens.contains(.mark("/")) { return .dayMonthYear }
        if first > 12, second <= 12 { return .dayMonthYear }
        if second > 12, first <= 12 { return .monthDayYear }
        guard first == second else {
            throw Failure(
                message: "the order of day and month is ambiguous; set it, as in {date: {order: dmy}}"
            )
        }
        return .dayMonthYear
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// The zones of RFC 5322, and the two that are most common in Europe.
    private static let zones = [
        "z": "Z", "utc": "Z", "gmt": "Z", "ut": "Z", "est": "-05:00", "edt": "-04:00", "cst": "-06:00",
        "cdt": "-05:00", "mst": "-07:00", "mdt": "-06:00", "pst": "-08:00", "pdt": "-07:00", "cet": "+01:00",
        "cest": "+02:00",
    ]
}
