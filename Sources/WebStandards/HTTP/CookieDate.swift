/// The date of a cookie, parsed leniently as in browsers: any text with a time, a day, a month and a year.
///
/// [RFC 6265, section 5.1.1](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.1)
package struct CookieDate: Equatable {
    package let secondsSince1970: Int64

    /// Reads a date; nil if a part is missing.
    package init?(_ text: String) {
        var time: (Int64, Int64, Int64)?
        var day: Int64?
        var month: Int64?
        var year: Int64?
        for token in Array(text.utf8).split(whereSeparator: Self.isDelimiter) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = Self.number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = Self.number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if 70...99 ~= year { year &+= 1900 }
        if 0...69 ~= year { year &+= 2000 }
        guard year >= 1601, time.0 <= 23, time.1 <= 59, time.2 <= 59,
            let seconds = HTTPDate.seconds(
                year: year,
                month: month,
                day: day,
                time: time.0 &* 3600 &+ time.1 &* 60 &+ time.2
            )
        else { return nil }
        secondsSince1970 = seconds
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// A number with an allowed count of digits; anything but a digit may follow.
    private static func number(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int64? {
        let count = token.prefix { $0.isASCIIDigit }.count
        guard digits.contains(count) else { return nil }
        return token.prefix(count).reduce(0) { $0 &* 10 &+ Int64($1 &- 0x30) }
    }

    private static func time(_ token: ArraySlice<UInt8>) -> (Int64, Int64, Int64)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy(\.isASCIIDigit), parts[1].allSatisfy(\.isASCIIDigit),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func month(_ token: ArraySlice<UInt8>) -> Int64? {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        let name = String(asciiLowercasing: token.prefix(3))
        return names.firstIndex(of: name).map { Int64($0) &+ 1 }
    }
}
