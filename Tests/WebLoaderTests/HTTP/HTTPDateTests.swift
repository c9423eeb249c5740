import Testing

@testable import WebStandards

struct HTTPDateTests {
    /// 1 January 2026, 00:00:00.
    private let now: Int64 = 1_767_225_600

    private func seconds(_ field: String) -> Int64? {
        HTTPDate(field, now: now)?.secondsSince1970
    }

    @Test(
        "The three formats are understood, names in any case",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun Nov 06 08:49:37 1994", 784_111_777),
            ("SUN, 06 nOV 1994 08:49:37 gmt", 784_111_777), ("sUNDAY, 06-NOV-94 08:49:37 gMT", 784_111_777),
            ("\t Sun, 06 Nov 1994 08:49:37 GMT ", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Tue Feb 29 12:00:00 2000", 951_825_600),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            // The day of the week is not checked.
            ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ] as [(String, Int64)]
    )
    func parses(field: String, expected: Int64) {
        #expect(seconds(field) == expected)
    }

    @Test(
        "Anything else is no date",
        arguments: [
            "", "0", "-1", "784111777", "Sun", "06 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun,06 Nov 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 EST",
            "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 06 Nov 1994 08:49:37 GMT+1", "Sun, 06 Nov 1994 08:49:37 GMT, x",
            "Son, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 November 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Thu, 31 Nov 1994 08:49:37 GMT",
            "Wed, 29 Feb 1900 00:00:00 GMT", "Tue, 29 Feb 2026 00:00:00 GMT", "Sat, 01 Jan 0000 00:00:00 GMT",
            "Sun, 06 Nov 19945 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun Nov   6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 94",
            "Sun, \u{FF10}6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT\0",
        ]
    )
    func refuses(field: String) {
        #expect(HTTPDate(field, now: now) == nil)
    }

    @Test(
        "A year of two digits is the last one that is not more than fifty years ahead",
        arguments: [
            ("Thursday, 18-Aug-50 02:01:18 GMT", 2050), ("Wednesday, 01-Jan-76 00:00:00 GMT", 2076),
            ("Thursday, 01-Jan-76 00:00:01 GMT", 1976), ("Friday, 31-Dec-76 00:00:00 GMT", 1976),
            ("Friday, 31-Dec-75 23:59:59 GMT", 2075), ("Friday, 31-Dec-99 23:59:59 GMT", 1999),
            ("Friday, 31-Dec-00 23:59:59 GMT", 2000), ("Friday, 31-Dec-26 23:59:59 GMT", 2026),
        ]
    )
    func twoDigitYears(field: String, year: Int) throws {
        let date = try #require(HTTPDate(field, now: now))
        #expect(date.description.contains(" \(year) "))
    }

    @Test("A year of two digits follows the clock into the next century")
    func twoDigitYearsLater() throws {
        // 1 January 2080.
        let date = try #require(HTTPDate("Monday, 05-Feb-10 00:00:00 GMT", now: 3_471_292_800))
        #expect(date.description == "Wed, 05 Feb 2110 00:00:00 GMT")
    }

    @Test("No clock makes parsing trap", arguments: [.min, -1, 0, .max] as [Int64])
    func extremeClocks(now: Int64) {
        _ = HTTPDate("Monday, 29-Feb-04 00:00:00 GMT", now: now)
        #expect(HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT", now: now)?.secondsSince1970 == 784_111_777)
        #expect(
            HTTPDate(HTTPDate(secondsSince1970: now).description, now: 0) == HTTPDate(secondsSince1970: now)
        )
    }

    @Test("Dates are formatted as IMF-fixdate")
    func formats() {
        let cases: [(Int64, String)] = [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (.min, "Mon, 01 Jan 0001 00:00:00 GMT"), (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ]
        for (seconds, expected) in cases {
            #expect(HTTPDate(secondsSince1970: seconds).description == expected)
        }
    }

    @Test("Every day of the years 1 to 9999 has a date, and no two the same")
    func everyDay() throws {
        var month = 1
        var day = 1
        var year = 1
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var seconds: Int64 = -62_135_596_800
        // A step of 61 days keeps it short and meets every day of the month and of the week.
        while year <= 9999 {
            let field = HTTPDate(secondsSince1970: seconds).description
            let parts = field.split(separator: " ")
            try #require(parts.count == 6)
            try #require(
                Int(parts[1]) == day && Int(parts[3]) == year,
                "\(field), not \(day).\(month).\(year)"
            )
            try #require(HTTPDate(field, now: 0)?.secondsSince1970 == seconds)
            seconds += 61 * 86400
            day += 61
            while true {
                let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
                let length = lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)
                if day <= length { break }
                day -= length
                month += 1
                if month == 13 { (month, year) = (1, year + 1) }
            }
        }
    }

    @Test("Dates are ordered by time")
    func ordered() {
        #expect(HTTPDate(secondsSince1970: -5) < HTTPDate(secondsSince1970: 3))
        #expect(HTTPDate(String(repeating: "x", count: 1 << 20), now: now) == nil)
    }
}
