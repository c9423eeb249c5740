/// A date and a time of a microformat, which may stand in several elements.
///
/// <https://microformats.org/wiki/value-class-pattern#Date_and_time_parsing>
struct MicroformatDateTime {
    /// As in "2024-05-01" or "2024-122".
    private(set) var date: String?

    /// On a clock of 24 hours, as in "09:30".
    private var time: String?

    /// As in "+0200" or "Z".
    private var zone: String?

    /// The separator of the date and the time.
    private var separator = " "

    /// Adds the parts that a text has: a date, a time, a time zone, or several of them.
    ///
    /// Anything else is ignored, and so are parts that exist already.
    mutating func add(_ text: String) {
        var scanner = Scanner(text)
        let date = scanner.date()
        let separator = date == nil ? nil : scanner.separator()
        let time = date == nil || separator != nil ? scanner.time() : nil
        // Only with a date is the time zone part of the same date and time, and as it is written.
        let zone = date == nil || time != nil ? scanner.zone(asWritten: date != nil) : nil
        guard scanner.isAtEnd, separator == nil || time != nil else { return }
        if let separator {
            guard self.date == nil, self.time == nil else { return }
            self.separator = separator
        }
        let isTimeNew = self.time == nil
        if self.date == nil { self.date = date }
        if isTimeNew { self.time = time }
        if self.zone == nil, isTimeNew || time == nil { self.zone = zone }
    }

    /// The date and the time.
    ///
    /// - Parameter impliedDate: The date, if there is only a time.
    /// - Returns: The text; nil where there is neither.
    func text(_ impliedDate: String?) -> String? {
        guard let time else { return date }
        let zoned = time + (zone ?? "")
        guard let date = date ?? impliedDate else { return zoned }
        return date + separator + zoned
    }
}

/// Reads parts of dates and times, and stays where it is if there is no such part.
private struct Scanner {
    private var rest: Substring.UTF8View

    /// No date and time is longer.
    private static let maximumLength = 64

    init(_ text: String) {
        let text = text.trimmingASCIIWhitespace
        // A text that is too long is invalid.
        rest = text.utf8.count <= Self.maximumLength ? Substring(text).utf8 : Substring("?").utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// `YYYY-MM-DD`, or `YYYY-DDD`.
    mutating func date() -> String? {
        attempt { scanner in
            guard let year = scanner.digits(4...4), scanner.take("-"), let next = scanner.digits(2...3) else {
                return nil
            }
            guard next.utf8.count == 2 else { return "\(year)-\(next)" }
            guard scanner.take("-"), let day = scanner.digits(2...2) else { return nil }
            return "\(year)-\(next)-\(day)"
        }
    }

    /// Reads the separator of a date and a time.
    mutating func separator() -> String? {
        if take("T") || take("t") { return "T" }
        return take(" ") ? " " : nil
    }

    /// `HH:MM:SS`, `HH:MM`, either with am or pm, or an hour with these, on a clock of 24 hours.
    mutating func time() -> String? {
        attempt { scanner in
            guard let digits = scanner.digits(1...2), var hour = Int(bounded: digits) else { return nil }
            var rest = ""
            if scanner.take(":") {
                guard let minutes = scanner.sixtieth() else { return nil }
                rest = ":" + minutes
                if scanner.take(":") {
                    guard let seconds = scanner.sixtieth() else { return nil }
                    rest += ":" + seconds
                    if scanner.take(".") {
                        guard let fraction = scanner.digits(1...9) else { return nil }
                        rest += "." + fraction
                    }
                }
            }
            if let isAfternoon = scanner.isAfternoon() {
                guard 1...12 ~= hour else { return nil }
                hour = hour % 12 + (isAfternoon ? 12 : 0)
            } else if rest.isEmpty {
                return nil
            }
            guard hour <= 24 else { return nil }
            return (hour < 10 ? "0" : "") + "\(hour)" + (rest.isEmpty ? ":00" : rest)
        }
    }

    /// Whether it is pm; nil for neither am nor pm.
    private mutating func isAfternoon() -> Bool? {
        attempt { scanner in
            _ = scanner.take(" ")
            let isAfternoon = scanner.take("p") || scanner.take("P")
            guard isAfternoon || scanner.take("a") || scanner.take("A") else { return nil }
            let hasDots = scanner.take(".")
            guard scanner.take("m") || scanner.take("M"), !hasDots || scanner.take(".") else { return nil }
            return isAfternoon
        }
    }

    /// `Z`, `+HH`, `+HHMM` or `+HH:MM`, or the same with a minus.
    ///
    /// - Parameter asWritten: Whether to keep a colon.
    /// - Returns: The zone, hours in two digits; `nil` if there is none.
    mutating func zone(asWritten: Bool) -> String? {
        attempt { scanner in
            _ = scanner.take(" ")
            if scanner.take("Z") || scanner.take("z") { return "Z" }
            guard let sign = scanner.take("+") ? "+" : scanner.take("-") ? "-" : nil,
                let digits = scanner.digits(1...4)
            else { return nil }
            // The hours may have one digit.
            let zone = sign + (digits.utf8.count % 2 == 0 ? "" : "0") + digits
            guard digits.utf8.count <= 2, scanner.take(":") else { return zone }
            guard let minutes = scanner.sixtieth() else { return nil }
            return zone + (asWritten ? ":" : "") + minutes
        }
    }

    /// Minutes, or seconds with a leap second.
    private mutating func sixtieth() -> String? {
        digits(2...2).flatMap { $0 <= "60" ? $0 : nil }
    }

    private mutating func attempt<Part>(_ read: (inout Scanner) -> Part?) -> Part? {
        var scanner = self
        guard let part = read(&scanner) else { return nil }
        self = scanner
        return part
    }

    private mutating func digits(_ counts: ClosedRange<Int>) -> String? {
        let digits = rest.prefix(counts.upperBound).prefix(while: \.isASCIIDigit)
        guard counts.contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return String(Substring(digits))
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
