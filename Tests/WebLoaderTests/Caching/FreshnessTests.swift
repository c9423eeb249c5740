import HTTPTypes
import Testing

@testable import WebTransport

/// A response's fields, and a figure of RFC 9111 that follows from them.
struct FieldsRow: Sendable, CustomTestStringConvertible {
    let section: String
    let fields: [(String, String)]
    let expected: Int64?

    init(_ section: String, _ fields: [(String, String)], _ expected: Int64?) {
        self.section = section
        self.fields = fields
        self.expected = expected
    }

    var testDescription: String { "\(section): \(fields.map { "\($0): \($1)" })" }
}

struct FreshnessTests {
    @Test(
        "The freshness lifetime is what the server states",
        arguments: [
            FieldsRow("4.2.1", [], nil),
            FieldsRow("4.2.1", [("Cache-Control", "max-age=60")], 60),
            FieldsRow("4.2.1", [("Cache-Control", "max-age=0")], 0),
            FieldsRow("4.2.1", [("Cache-Control", "max-age=60, max-age=10")], 10),
            FieldsRow("4.2.1", [("Cache-Control", "public"), ("Cache-Control", "MAX-AGE=\"5\"")], 5),
            FieldsRow("4.2.1", [("Date", CachingSample.date), ("Expires", CachingSample.minuteLater)], 60),
            FieldsRow(
                "4.2.1, no Date: from when it was received",
                [("Expires", CachingSample.minuteLater)],
                60
            ),
            FieldsRow("4.2.1", [("Date", CachingSample.minuteLater), ("Expires", CachingSample.date)], -60),
            FieldsRow(
                "5.3, max-age beats Expires",
                [("Cache-Control", "max-age=5"), ("Expires", CachingSample.minuteLater)],
                5
            ),
            FieldsRow("5.3, an invalid date is past", [("Expires", "0")], 0),
            FieldsRow("5.3, an invalid date is past", [("Expires", "soon")], 0),
            FieldsRow(
                "5.3, several are invalid",
                [("Expires", CachingSample.minuteLater), ("Expires", CachingSample.minuteLater)],
                0
            ),
            FieldsRow("5.2.2.10, s-maxage is for shared caches", [("Cache-Control", "s-maxage=60")], nil),
            FieldsRow(
                "4.2.2, a tenth of the time since it was modified",
                [("Last-Modified", CachingSample.minuteEarlier), ("Date", CachingSample.date)],
                6
            ),
            FieldsRow(
                "4.2.2, a week at most",
                [("Last-Modified", "Sat, 01 Jan 2000 00:00:00 GMT"), ("Date", CachingSample.date)],
                604_800
            ),
            FieldsRow("4.2.2, nothing of the future", [("Last-Modified", CachingSample.minuteLater)], 0),
            FieldsRow("4.2.2, nothing without Last-Modified", [("Date", CachingSample.date)], nil),
            FieldsRow(
                "4.2.2, not where it is stated",
                [("Last-Modified", CachingSample.minuteEarlier), ("Cache-Control", "max-age=1")],
                1
            ),
            FieldsRow(
                "5.4, Pragma: no-cache",
                [("Last-Modified", CachingSample.minuteEarlier), ("Pragma", "x, No-Cache")],
                nil
            ),
            FieldsRow("5.2.2.1, what is no number is stale", [("Cache-Control", "max-age=x")], 0),
            FieldsRow(
                "1.2.2, beyond 31 bits",
                [("Cache-Control", "max-age=99999999999999999999")],
                2_147_483_648
            ),
        ]
    )
    func lifetime(row: FieldsRow) {
        #expect(
            Freshness(CachingSample.stored(row.fields), now: CachingSample.timestamp(CachingSample.received))
                .lifetime
                == row.expected
        )
    }

    @Test(
        "The age is the larger of what the clocks and Age say, and the time since (4.2.3)",
        arguments: [
            // The request was sent two seconds before: the delay counts with Age, which is 0 where there is none.
            FieldsRow("resident time and the delay", [("Date", CachingSample.date)], 102),
            FieldsRow("no Date", [], 102),
            FieldsRow("apparent age", [("Date", CachingSample.minuteEarlier)], 160),
            FieldsRow("a clock that is ahead", [("Date", CachingSample.minuteLater)], 102),
            FieldsRow("Age", [("Date", CachingSample.date), ("Age", "30")], 132),
            FieldsRow(
                "Age below the apparent age",
                [("Date", CachingSample.minuteEarlier), ("Age", "30")],
                160
            ),
            FieldsRow("5.1, an Age that is no number", [("Date", CachingSample.date), ("Age", "-5")], 102),
            FieldsRow(
                "5.1, the first of several",
                [("Date", CachingSample.date), ("Age", "30"), ("Age", "90")],
                132
            ),
            FieldsRow("5.1, the first of a list", [("Date", CachingSample.date), ("Age", "30, 90")], 132),
            FieldsRow("1.2.2, beyond 31 bits", [("Age", "99999999999999999999")], 2_147_483_648 + 102),
        ]
    )
    func age(row: FieldsRow) {
        let response = CachingSample.stored(row.fields, requested: CachingSample.received - 2)
        #expect(
            Freshness(response, now: CachingSample.timestamp(CachingSample.received + 100)).age
                == row.expected
        )
    }

    @Test func clocksThatGoBackCountForNothing() {
        let response = CachingSample.stored(
            [("Cache-Control", "max-age=60")],
            requested: CachingSample.received + 50
        )
        #expect(Freshness(response, now: CachingSample.timestamp(CachingSample.received - 1000)).age == 0)
    }

    @Test(
        "Freshness is presumed of some statuses only (4.2.2; RFC 9110, 15.1)",
        arguments: [
            (200, true), (203, true), (204, true), (206, true), (300, true), (301, true), (308, true),
            (404, true), (405, true), (410, true), (414, true), (501, true), (201, false), (202, false),
            (302, false), (307, false), (403, false), (500, false), (502, false), (599, false),
        ]
    )
    func presumption(status: Int, isPresumed: Bool) {
        let modified = ("Last-Modified", CachingSample.minuteEarlier)
        let now = CachingSample.timestamp(CachingSample.received)
        let silent = Freshness(CachingSample.stored([modified], status: status), now: now)
        #expect(silent.lifetime == (isPresumed ? 6 : nil))
        let marked = CachingSample.stored([modified, ("Cache-Control", "public")], status: status)
        #expect(Freshness(marked, now: now).lifetime == 6)
    }

    @Test(
        "What was received in the future is stale: the clock has been set back",
        arguments: [(0, true), (5, true), (6, false), (86_400, false)] as [(Int64, Bool)]
    )
    func clockSetBack(seconds: Int64, isFresh: Bool) {
        let response = CachingSample.stored([("Cache-Control", "max-age=60")])
        #expect(
            Freshness(response, now: CachingSample.timestamp(CachingSample.received - seconds)).isFresh
                == isFresh
        )
    }

    @Test func whatIsKnownToHaveChangedIsStale() {
        var response = CachingSample.stored([("Cache-Control", "max-age=60")])
        response.isOutdated = true
        let freshness = Freshness(response, now: response.responseTime)
        #expect(!freshness.isFresh)
        #expect(freshness.forbidsStaleUse)
    }

    @Test(
        "What must not be used stale (4.2.4)",
        arguments: [
            ("max-age=1", false), ("max-age=1, must-revalidate", true), ("no-cache", true),
            ("no-cache=\"set-cookie\"", false), ("proxy-revalidate", false), ("s-maxage=9", false),
        ]
    )
    func staleUse(value: String, isForbidden: Bool) {
        let response = CachingSample.stored([("Cache-Control", value)])
        #expect(Freshness(response, now: response.responseTime).forbidsStaleUse == isForbidden)
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func timesOfAnySizeAreTaken(milliseconds: Int64) {
        var response = CachingSample.stored([("Expires", CachingSample.date), ("Age", "2147483648")])
        response.requestTime = Timestamp(millisecondsSince1970: milliseconds)
        response.responseTime = Timestamp(millisecondsSince1970: ~milliseconds)
        for now in [Int64.min, 0, Int64.max] {
            #expect(Freshness(response, now: Timestamp(millisecondsSince1970: now)).age >= 0)
        }
    }
}
