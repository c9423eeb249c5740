import HTTPTypes
import Testing

@testable import WebTransport

struct PreconditionTests {
    @Test(
        "The caller has it already (4.3.2; RFC 9110, 13.1.2 and 13.1.3)",
        arguments: [
            ("If-None-Match", "\"x\"", true), ("If-None-Match", "W/\"x\"", true),
            ("If-None-Match", "*", true),
            ("If-None-Match", "\"a\", \"x\"", true), ("If-None-Match", "\"a\"", false),
            ("If-None-Match", "x", false),
            ("If-Modified-Since", CachingSample.date, true),
            ("If-Modified-Since", CachingSample.minuteEarlier, true),
            ("If-Modified-Since", CachingSample.minuteLater, true), ("If-Modified-Since", "soon", false),
            ("If-Modified-Since", "Tue, 14 Nov 2023 22:12:19 GMT", false),
        ]
    )
    func conditions(name: String, value: String, isNotModified: Bool) throws {
        let request = try CachingSample.request(.useProtocolCachePolicy, [(name, value)])
        let stored = CachingSample.stored([
            ("ETag", "\"x\""), ("Last-Modified", CachingSample.minuteEarlier), ("Date", CachingSample.date),
        ])
        #expect(Precondition.isNotModified(request, stored) == isNotModified)
        // Of what is no success, conditions say nothing.
        let missing = CachingSample.stored([("ETag", "\"x\"")], status: 404)
        #expect(!Precondition.isNotModified(request, missing))
    }

    @Test("A tag that is no match counts more than a date that is (RFC 9110, 13.1.3)")
    func both() throws {
        let fields = [("If-None-Match", "\"a\""), ("If-Modified-Since", CachingSample.date)]
        let request = try CachingSample.request(.useProtocolCachePolicy, fields)
        #expect(
            !Precondition.isNotModified(
                request,
                CachingSample.stored([("Last-Modified", CachingSample.minuteEarlier)])
            )
        )
    }

    @Test(
        "Without Last-Modified, Date or the time of receipt counts (4.3.2)",
        arguments: [
            ([("Date", CachingSample.date)], CachingSample.date, true),
            ([("Date", CachingSample.date)], CachingSample.minuteEarlier, false),
            ([], CachingSample.date, true), ([], CachingSample.minuteEarlier, false),
        ] as [([(String, String)], String, Bool)]
    )
    func withoutLastModified(fields: [(String, String)], since: String, isNotModified: Bool) throws {
        let request = try CachingSample.request(.useProtocolCachePolicy, [("If-Modified-Since", since)])
        #expect(Precondition.isNotModified(request, CachingSample.stored(fields)) == isNotModified)
    }
}
