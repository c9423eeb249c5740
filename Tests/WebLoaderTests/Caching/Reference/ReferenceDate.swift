/// Dates of HTTP fields, read word by word.
///
/// [RFC 9110, section 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)
enum ReferenceDate {
    /// Seconds since 1970 of a date in one of the three formats; nil for anything else.
    static func parse(_ text: String, now: Int64) -> Int64? {
        let text = ReferenceDirectives.trimmed(Substring(text))
        let words = text.split(separator: " ").map(String.init)
        // One space between words, but for asctime's before a day of one digit.
        var spaced = words
        if words.count == 5, words[2].count == 1 { spaced[2] = " " + spaced[2] }
        guard text == spaced.joined(separator: " ") else { return nil }
        // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
        if words.count == 6, isName(words[0], days.map { $0 + "," }), words[5].uppercased() == "GMT",
            let day = number(words[1], digits: 2), let month = month(words[2]),
            let year = number(words[3], digits: 4)
        {
            return seconds(year, month, day, words[4])
        }
        // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
        if words.count == 4, isName(words[0], longDays.map { $0 + "," }), words[3].uppercased() == "GMT" {
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let day = number(parts[0], digits: 2), let month = month(parts[1]),
                let ofCentury = number(parts[2], digits: 2)
            else { return nil }
            // "more than 50 years in the future [is] the most recent year in the past that had the same last two digits"
            var year = ofCentury
            while let next = seconds(year + 100, month, 1, "00:00:00"), next <= now + 51 * 366 * 86400 {
                year += 100
            }
            guard let guess = seconds(year, month, day, words[2]) else { return nil }
            return isMoreThanFiftyYears(guess, after: now) ? seconds(year - 100, month, day, words[2]) : guess
        }
        // asctime: Sun Nov  6 08:49:37 1994
        if words.count == 5, isName(words[0], days), let month = month(words[1]),
            let day = number(words[2], digits: words[2].count), words[2].count <= 2,
            let year = number(words[4], digits: 4)
        {
            return seconds(year, month, day, words[3])
        }
        return nil
    }

    /// A moment as an IMF-fixdate.
    static func format(_ seconds: Int64) -> String {
        let (year, month, day, time) = civil(seconds)
        let name = days[Int((floorDays(seconds) % 7 + 7 + 3) % 7)]
        return "\(name), \(two(day)) \(months[Int(month) - 1]) \(year) \(clock(time)) GMT"
    }

    /// A moment in RFC 850's format.
    static func formatRFC850(_ seconds: Int64) -> String {
        let (year, month, day, time) = civil(seconds)
        let name = longDays[Int((floorDays(seconds) % 7 + 7 + 3) % 7)]
        return "\(name), \(two(day))-\(months[Int(month) - 1])-\(two(year % 100)) \(clock(time)) GMT"
    }

    /// A moment in asctime's format.
    static func formatASCTime(_ seconds: Int64) -> String {
        let (year, month, day, time) = civil(seconds)
        let name = days[Int((floorDays(seconds) % 7 + 7 + 3) % 7)]
        return "\(name) \(months[Int(month) - 1]) \(day < 10 ? " " : "")\(day) \(clock(time)) \(year)"
    }

    // MARK: - Parts

    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// "Recipients of a timestamp in caches": names in any case (RFC 9111, section 4.2).
    private static func isName(_ word: String, _ names: [String]) -> Bool {
        names.contains { $0.lowercased() == word.lowercased() }
    }

    private static func month(_ word: String) -> Int64? {
        months.firstIndex { $0.lowercased() == word.lowercased() }.map { Int64($0) + 1 }
    }

    private static func number(_ word: String, digits: Int) -> Int64? {
        guard word.count == digits, word.allSatisfy({ "0123456789".contains($0) }) else { return nil }
        return Int64(word)
    }

    private static func isMoreThanFiftyYears(_ date: Int64, after now: Int64) -> Bool {
        let (year, month, day, time) = civil(now)
        let (ofDate, monthOfDate, dayOfDate, timeOfDate) = civil(date)
        return (ofDate, monthOfDate, dayOfDate, timeOfDate) > (year + 50, month, day, time)
    }

    // MARK: - The calendar, a year and a month at a time

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
        [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
    }

    private static func seconds(_ year: Int64, _ month: Int64, _ day: Int64, _ time: String) -> Int64? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map {
            number(String($0), digits: 2)
        }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24,
            minute < 60, second < 60 || (hour, minute, second) == (23, 59, 60),
            year >= 1, day >= 1, day <= length(ofMonth: month, year)
        else { return nil }
        var days: Int64 = 0
        for other in min(year, 1970)..<max(year, 1970) { days += isLeap(other) ? 366 : 365 }
        if year < 1970 { days = -days }
        for other in 1..<month { days += length(ofMonth: other, year) }
        return ((days + day - 1) * 24 + hour) * 3600 + minute * 60 + second
    }

    private static func floorDays(_ seconds: Int64) -> Int64 {
        (seconds - ((seconds % 86400) + 86400) % 86400) / 86400
    }

    private static func civil(_ seconds: Int64) -> (year: Int64, month: Int64, day: Int64, time: Int64) {
        var days = floorDays(seconds)
        let time = seconds - days * 86400
        var (year, month): (Int64, Int64) = (1970, 1)
        while days < 0 {
            year -= 1
            days += isLeap(year) ? 366 : 365
        }
        while days >= (isLeap(year) ? 366 : 365) {
            days -= isLeap(year) ? 366 : 365
            year += 1
        }
        while days >= length(ofMonth: month, year) {
            days -= length(ofMonth: month, year)
            month += 1
        }
        return (year, month, days + 1, time)
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func clock(_ time: Int64) -> String {
        "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
    }
}
