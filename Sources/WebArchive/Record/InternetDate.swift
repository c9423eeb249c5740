package import WebStandards

extension Timestamp {
    /// Reads the date of an entry of a HAR (RFC 3339, with white space or without a zone too), or of a message (RFC 5322).
    ///
    /// - Returns: The moment; nil if it is no date. Without a zone it is UTC.
    package init?(internetDate text: String) {
        // A message may name the zone in parentheses behind it.
        let text = text.prefix { $0 != "(" }
        guard text.utf8.count <= 128, let date = try? DateReader.read(String(text), order: nil) else {
            return nil
        }
        self.init(isoDate: Array(date.utf8))
    }

    /// Reads what ``DateReader`` writes.
    private init?(isoDate text: [UInt8]) {
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= text.count else { return nil }
            var value: Int64 = 0
            for byte in text[range] {
                guard byte.isASCIIDigit else { return nil }
                value = value &* 10 &+ Int64(byte &- 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), 1...12 ~= month,
            1...31 ~= day
        else { return nil }
        var seconds = Self.days(year, month, day) &* 86_400
        var milliseconds: Int64 = 0
        if text.count > 10 {
            guard let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
            else {
                return nil
            }
            seconds = seconds &+ hour &* 3600 &+ minute &* 60 &+ second
            var index = 19
            if index < text.count, text[index] == UInt8(ascii: ".") {
                index += 1
                var unit: Int64 = 100
                while index < text.count, text[index].isASCIIDigit {
                    milliseconds = milliseconds &+ unit &* Int64(text[index] &- 0x30)
                    unit /= 10
                    index += 1
                }
            }
            if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
                guard let hours = number(index + 1..<index + 3), let minutes = number(index + 4..<index + 6)
                else {
                    return nil
                }
                let offset = hours &* 3600 &+ minutes &* 60
                seconds = text[index] == UInt8(ascii: "+") ? seconds &- offset : seconds &+ offset
            }
        }
        self.init(millisecondsSince1970: seconds &* 1000 &+ milliseconds)
    }

    /// Days since 1970 of a date of the Gregorian calendar, whose months are counted from March so that leap days are last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month > 2 ? year : year &- 1
        let era = (year >= 0 ? year : year &- 399) / 400
        let yearOfEra = year &- era &* 400
        let dayOfYear = (153 &* (month > 2 ? month &- 3 : month &+ 9) &+ 2) / 5 &+ day &- 1
        return era &* 146_097 &+ yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear &- 719_468
    }
}
