import Testing
import WebStandards

@testable import WebDocument

/// Dates as people write them.
struct WrittenDateTests {
    private func dates(_ text: String, _ order: DateReader.Order = .dayMonthYear) -> [String] {
        WrittenDateReader.dates(in: Array(text.utf8), order: order).map(\.date.text)
    }

    private static let languages: [(String, String)] = [
        // English.
        ("March 12, 2024", "2024-03-12"), ("12 March 2024", "2024-03-12"), ("Mar. 12th, 2024", "2024-03-12"),
        ("12th of March, 2024", "2024-03-12"), ("Tuesday, March 12, 2024", "2024-03-12"),
        ("Sept 1, 2024", "2024-09-01"),
        ("MARCH 12, 2024", "2024-03-12"), ("2024 March 12", "2024-03-12"), ("12-Mar-2024", "2024-03-12"),
        ("12/Mar/24", "2024-03-12"), ("Mar 12 '24", "2024-03-12"),
        ("Published on May 1, 2024 by J. Doe", "2024-05-01"),
        // German.
        ("12. März 2024", "2024-03-12"), ("Dienstag, 12. Mär. 2024", "2024-03-12"),
        ("1. Jänner 2024", "2024-01-01"),
        // French.
        ("1er mars 2024", "2024-03-01"), ("mardi 12 août 2024", "2024-08-12"),
        ("12 janv. 2024", "2024-01-12"),
        ("le 12 décembre 2024", "2024-12-12"), ("mar. 12 mars 2024", "2024-03-12"),
        // Spanish and Portuguese.
        ("12 de marzo de 2024", "2024-03-12"), ("12 ene. 2024", "2024-01-12"),
        ("12 de agosto del 2024", "2024-08-12"),
        ("12 de março de 2024", "2024-03-12"), ("1º de fevereiro de 2024", "2024-02-01"),
        ("12/fev/2024", "2024-02-12"),
        // Italian and Dutch.
        ("12 gennaio 2024", "2024-01-12"), ("1° luglio 2024", "2024-07-01"), ("12 mei 2024", "2024-05-12"),
        ("di 12 mrt. 2024", "2024-03-12"),
        // Polish, Czech, Slovak.
        ("12 marca 2024 r.", "2024-03-12"), ("1 stycznia 2024", "2024-01-01"), ("12 paź 2024", "2024-10-12"),
        ("12. března 2024", "2024-03-12"), ("1. července 2024", "2024-07-01"), ("12. 3. 2024", "2024-03-12"),
        ("5. mája 2024", "2024-05-05"),
        // Russian, Ukrainian, Bulgarian.
        ("12 марта 2024 г.", "2024-03-12"), ("12 мая 2024", "2024-05-12"), ("1 ЯНВАРЯ 2024", "2024-01-01"),
        ("12 березня 2024", "2024-03-12"), ("12 листопада 2024 року", "2024-11-12"),
        ("12 юли 2024", "2024-07-12"),
        // Turkish, Swedish, Danish, Norwegian, Finnish.
        ("12 Mart 2024 Salı", "2024-03-12"), ("1 EKİM 2024", "2024-10-01"), ("12 Ağustos 2024", "2024-08-12"),
        ("den 12 maj 2024", "2024-05-12"), ("12. marts 2024", "2024-03-12"),
        ("12. desember 2024", "2024-12-12"),
        ("12. maaliskuuta 2024", "2024-03-12"),
        // Hungarian, Romanian, Greek, Vietnamese, Indonesian.
        ("2024. március 12.", "2024-03-12"), ("12 noiembrie 2024", "2024-11-12"),
        ("12 Μαρτίου 2024", "2024-03-12"),
        ("12 tháng 3, 2024", "2024-03-12"), ("12 Agustus 2024", "2024-08-12"),
        // Japanese, Chinese, Korean.
        ("2024年3月12日", "2024-03-12"), ("２０２４年３月１２日（火）", "2024-03-12"), ("2024 年 03 月 12 日", "2024-03-12"),
        ("2024年3月12号", "2024-03-12"), ("2024년 3월 12일", "2024-03-12"), ("2024. 3. 12.", "2024-03-12"),
        // Arabic, Persian digits, Hebrew, Hindi.
        ("12 مارس 2024", "2024-03-12"), ("١٢ مارس ٢٠٢٤", "2024-03-12"),
        ("الثلاثاء، 12 آذار 2024", "2024-03-12"),
        ("12 במרץ 2024", "2024-03-12"), ("12 मार्च 2024", "2024-03-12"),
    ]

    @Test(arguments: languages)
    func datesOfLanguagesAreRead(text: String, date: String) {
        #expect(dates(text) == [date])
    }

    private static let times: [(String, String)] = [
        ("2024-03-12", "2024-03-12"), ("2024-03-12T15:04:05Z", "2024-03-12T15:04:05Z"),
        ("2024-03-12T15:04:05.123+01:00", "2024-03-12T15:04:05+01:00"),
        ("2024-03-12 15:04", "2024-03-12T15:04:00"),
        ("2024/03/12 15:04", "2024-03-12T15:04:00"), ("March 12, 2024 at 3:04 PM", "2024-03-12T15:04:00"),
        ("March 12, 2024 12:04 a.m.", "2024-03-12T00:04:00"),
        ("3:04 p.m. EST, March 12, 2024", "2024-03-12T15:04:00-05:00"),
        ("12. März 2024 um 15:04 Uhr", "2024-03-12T15:04:00"),
        ("12.03.2024, 15.04 Uhr", "2024-03-12T15:04:00"),
        ("12 mars 2024 à 15h04", "2024-03-12T15:04:00"), ("12 mars 2024 kl. 15.04", "2024-03-12T15:04:00"),
        ("12 марта 2024 в 15:04 МСК", "2024-03-12T15:04:00+03:00"),
        ("2024年3月12日 15時04分", "2024-03-12T15:04:00"),
        ("2024年3月12日 下午3:04", "2024-03-12T15:04:00"), ("2024년 3월 12일 오후 3시 4분", "2024-03-12T15:04:00"),
        ("Tue, 12 Mar 2024 15:04:05 GMT", "2024-03-12T15:04:05Z"),
        ("Tue Mar 12 15:04:05 CET 2024", "2024-03-12T15:04:05+01:00"),
        ("Tue Mar 12 2024 15:04:05 GMT+0100", "2024-03-12T15:04:05+01:00"),
        ("15:04, 12 March 2024", "2024-03-12T15:04:00"),
        ("March 12, 2024 25:04", "2024-03-12"), ("March 12, 2024 13:04 PM", "2024-03-12"),
        ("2024-03-12 · 5 min", "2024-03-12"),
    ]

    @Test(arguments: times)
    func timesAreTakenOnlyWhereTheyAreGiven(text: String, date: String) {
        #expect(dates(text) == [date])
    }

    /// A date, the order that is assumed, what is read, and whether that rests on the order.
    private static let orders: [(String, DateReader.Order, String, Bool)] = [
        ("24/12/2024", .monthDayYear, "2024-12-24", false),
        ("12/24/2024", .dayMonthYear, "2024-12-24", false),
        ("03/12/2024", .dayMonthYear, "2024-12-03", true), ("03/12/2024", .monthDayYear, "2024-03-12", true),
        ("03.12.2024", .monthDayYear, "2024-12-03", false), ("03-12-2024", .monthDayYear, "2024-03-12", true),
        ("3/3/2024", .monthDayYear, "2024-03-03", false), ("12/24/24", .dayMonthYear, "2024-12-24", false),
        ("24/03/12", .yearMonthDay, "2024-03-12", true), ("12.03.99", .dayMonthYear, "1999-03-12", false),
        ("2024/03/12", .monthDayYear, "2024-03-12", false),
    ]

    @Test(arguments: orders)
    func numbersAreReadInTheirOrder(text: String, order: DateReader.Order, date: String, isAssumed: Bool) {
        let found = WrittenDateReader.dates(in: Array(text.utf8), order: order)
        #expect(found.map(\.date.text) == [date])
        #expect(found.map(\.date.isOrderAssumed) == [isAssumed])
    }

    @Test(arguments: [
        "", "2024", "March 2024", "12 March", "31 February 2024", "2024-02-30", "29/02/2023", "2024-13-01",
        "0000-00-00", "12 March 9999999999", "99999999999999999999 March 2024", "March 12, 3024",
        "12/03/1024",
        "030-12-03-2024", "555-12-2024", "192.168.1.12", "1.2.3", "10.12.14.3", "Version 10.12.14",
        "v12.03.2024", "$12.03.2024", "12.03.2024€", "#12-03-2024", "12.03.2024.5", "12/03/2024/5",
        "12 led 2024",
        "iPhone 12 pro 2024", "2024-03-12345", "A2024-03-12", "12-3/2024", "12 - 3 - 2024", "3:04 PM",
        "March 12 15:04",
        "1,234,567.89", "ISBN 978-3-16-148410-0", "2024年13月1日", "12 marching 2024",
    ])
    func whatIsNoDateIsNone(text: String) {
        #expect(dates(text).isEmpty)
    }

    @Test func severalDatesOfATextAreFound() {
        #expect(
            dates("Published 12 March 2024 15:04 | Updated March 13, 2024") == [
                "2024-03-12T15:04:00", "2024-03-13",
            ]
        )
    }

    @Test func bytesThatAreNoTextAreNoDate() {
        #expect(WrittenDateReader.dates(in: [0xFF, 0x31, 0xC3], order: .dayMonthYear).isEmpty)
        let digits = [UInt8](repeating: UInt8(ascii: "9"), count: 1 << 20)
        #expect(WrittenDateReader.dates(in: digits, order: .dayMonthYear).isEmpty)
    }

    @Test(arguments: [
        ("2024-03-01", 1, "2024-02-29"), ("2024-01-01", 366, "2022-12-31"), ("2024-03-12", 0, "2024-03-12"),
    ])
    func daysAreCounted(from text: String, days: Int, result: String) throws {
        let date = try #require(
            WrittenDateReader.dates(in: Array(text.utf8), order: .dayMonthYear).first?.date
        )
        let before = try #require(date.before(days: days))
        #expect(before.text == result)
        #expect(before.days(to: date) == days)
    }
}
