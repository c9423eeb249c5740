import HTTPTypes
import Testing

@testable import WebTransport

struct PartialContentTests {
    private static let tag = ("ETag", "\"x\"")

    private func part(_ range: String, _ body: String, _ fields: [(String, String)] = [tag]) -> StoredResponse
    {
        CachingSample.stored([("Content-Range", range)] + fields, status: 206, body: body)
    }

    @Test(
        "Parts are answered from what holds them (3.3)",
        arguments: [
            (nil, nil, .whole), ("bytes=2-4", nil, .part(2..<5)), ("bytes=-2", nil, .part(8..<10)),
            ("bytes=10-", nil, .unsatisfiable), ("bytes=2-4", "\"x\"", .part(2..<5)),
            ("bytes=2-4", "\"y\"", .whole),
            ("bytes=2-4", "W/\"x\"", .whole), ("bytes=2-4", CachingSample.date, .whole),
            ("lines=1-2", nil, .whole),
        ] as [(String?, String?, PartialContent.Answer)]
    )
    func ofTheWhole(range: String?, condition: String?, expected: PartialContent.Answer) throws {
        var request = try CachingSample.request()
        request.headerFields[.range] = range
        request.headerFields[.ifRange] = condition
        #expect(PartialContent.answer(request, CachingSample.stored([Self.tag])) == expected)
        request.httpMethod = "HEAD"
        #expect(PartialContent.answer(request, CachingSample.stored([Self.tag])) == .whole)
    }

    @Test func codedBytesHaveOtherPositions() throws {
        let request = try CachingSample.request(.useProtocolCachePolicy, [("Range", "bytes=2-4")])
        #expect(PartialContent.answer(request, CachingSample.stored([("Content-Encoding", "gzip")])) == nil)
    }

    @Test(
        "A part answers what lies in it, and nothing else (3.3)",
        arguments: [
            (nil, nil), ("bytes=4-6", 4..<7), ("bytes=3-6", nil), ("bytes=5-", nil), ("bytes=4-8", 4..<9),
            ("bytes=4-9", nil), ("bytes=-6", nil),
        ] as [(String?, Range<Int64>?)]
    )
    func ofAPart(range: String?, positions: Range<Int64>?) throws {
        var request = try CachingSample.request()
        request.headerFields[.range] = range
        // One byte less than it says has come.
        let answer = PartialContent.answer(request, part("bytes 4-9/10", "45678"))
        #expect(answer == positions.map { .part($0) })
    }

    @Test(
        arguments: [
            ("bytes 9223372036854775806-9223372036854775806/*", nil),
            ("bytes 9223372036854775800-9223372036854775807/*", nil),
            ("bytes 0-99999999999999999999/*", nil),
            ("bytes 9007199254740990-9007199254740991/*", 9_007_199_254_740_990..<9_007_199_254_740_992),
        ] as [(String, Range<Int64>?)]
    )
    func positionsEndAt2To53(range: String, positions: Range<Int64>?) {
        #expect(part(range, "0123456789").part?.positions == positions)
    }

    @Test(
        "Parts of one representation make one (3.4)",
        arguments: [
            ("bytes 0-4/10", "01234", "bytes 5-9/10", "56789", "0123456789", nil),
            ("bytes 5-9/10", "56789", "bytes 0-4/10", "01234", "0123456789", nil),
            ("bytes 0-4/10", "01234", "bytes 3-6/10", "3456", "0123456", "bytes 0-6/10"),
            ("bytes 2-8/10", "2345678", "bytes 4-5/10", "45", "2345678", "bytes 2-8/10"),
            ("bytes 4-5/10", "45", "bytes 2-8/10", "2345678", "2345678", "bytes 2-8/10"),
            ("bytes 0-1/*", "01", "bytes 2-3/*", "23", "0123", "bytes 0-3/*"),
            ("bytes 0-1/*", "01", "bytes 2-3/4", "23", "0123", nil),
        ] as [(String, String, String, String, String, String?)]
    )
    func combining(a: String, aBody: String, b: String, bBody: String, body: String, range: String?) throws {
        let combined = try #require(
            try PartialContent.combined(part(a, aBody), part(b, bBody), maximumSize: 100)
        )
        #expect(combined.body.all == Array(body.utf8))
        #expect(combined.headerFields[.contentRange] == range)
        #expect(combined.status == (range == nil ? 200 : 206))
        #expect(combined.headerFields[.contentLength] == String(body.utf8.count))
    }

    @Test(
        "What does not fit stays apart (3.4)",
        arguments: [
            ("bytes 0-1/10", [tag], "bytes 3-4/10", [tag]),
            ("bytes 0-1/10", [tag], "bytes 2-3/10", [("ETag", "\"y\"")]),
            ("bytes 0-1/10", [("ETag", "W/\"x\"")], "bytes 2-3/10", [("ETag", "W/\"x\"")]),
            ("bytes 0-1/10", [], "bytes 2-3/10", []), ("bytes 0-1/10", [tag], "bytes 2-3/10", []),
            (
                "bytes 0-1/10", [("Last-Modified", CachingSample.date), ("Date", CachingSample.date)],
                "bytes 2-3/10",
                [("Last-Modified", CachingSample.date), ("Date", CachingSample.date)]
            ),
        ] as [(String, [(String, String)], String, [(String, String)])]
    )
    func notCombining(a: String, aFields: [(String, String)], b: String, bFields: [(String, String)]) throws {
        let combined = try PartialContent.combined(
            part(a, "01", aFields),
            part(b, "23", bFields),
            maximumSize: 100
        )
        #expect(combined == nil)
    }

    @Test func noMoreIsPutTogetherThanFits() throws {
        let parts = (part("bytes 0-4/10", "01234"), part("bytes 5-9/10", "56789"))
        #expect(try PartialContent.combined(parts.0, parts.1, maximumSize: 9) == nil)
    }
}
