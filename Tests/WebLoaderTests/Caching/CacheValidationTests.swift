import HTTPTypes
import Testing

@testable import WebTransport

struct CacheValidationTests {
    @Test func validationAsksWithBothValidators() throws {
        let fields = [("ETag", "W/\"x\""), ("Last-Modified", CachingSample.date)]
        let asked = CacheDecision.validation(
            of: CachingSample.stored(fields),
            try CachingSample.request(.useProtocolCachePolicy, [("X", "y")])
        )
        #expect(
            asked.headerFields.map { "\($0.name.canonicalName): \($0.value)" }.sorted() == [
                "if-modified-since: \(CachingSample.date)", "if-none-match: W/\"x\"", "x: y",
            ]
        )
    }

    @Test func a304UpdatesTheFieldsAndTheTimes() throws {
        let old = CachingSample.stored([
            ("ETag", "\"x\""), ("Cache-Control", "max-age=1"), ("Age", "50"), ("Content-Length", "1"),
            ("Content-Encoding", "gzip"), ("X-Kept", "k"), ("X-Two", "a"), ("X-Two", "b"),
        ])
        let answer = WebResponse.answering(
            try CachingSample.request(),
            304,
            [
                ("Cache-Control", "max-age=9"), ("Content-Length", "0"), ("Content-Encoding", "br"),
                ("Connection", "close"), ("Transfer-Encoding", "chunked"), ("Content-Range", "x"),
                ("X-Two", "c"),
                ("X-New", "n"), ("X-New", "m"), ("Date", CachingSample.minuteLater),
            ]
        )
        let updated = CacheDecision.updated(
            old,
            by: answer,
            requestTime: CachingSample.timestamp(CachingSample.received + 60),
            responseTime: CachingSample.timestamp(CachingSample.received + 61)
        )
        #expect(
            updated.headerFields.map { "\($0.name.canonicalName)=\($0.value)" }.sorted() == [
                "cache-control=max-age=9", "content-encoding=gzip", "content-length=1",
                "date=\(CachingSample.minuteLater)",
                "etag=\"x\"", "x-kept=k", "x-new=m", "x-new=n", "x-two=c",
            ]
        )
        #expect(updated.body.all == old.body.all)
        #expect(updated.requestTime == CachingSample.timestamp(CachingSample.received + 60))
        #expect(updated.responseTime == CachingSample.timestamp(CachingSample.received + 61))
    }

    @Test(
        "The caller's own tags go along (4.3.1)",
        arguments: [
            (nil, "\"x\""), ("\"a\"", "\"a\", \"x\""), ("\"x\"", "\"x\""), ("\"a\", \"x\"", "\"a\", \"x\""),
            ("*", "*"), ("W/\"x\"", "W/\"x\", \"x\""),
        ] as [(String?, String)]
    )
    func ownTags(own: String?, sent: String) throws {
        let request = try CachingSample.request(
            .useProtocolCachePolicy,
            own.map { [("If-None-Match", $0)] } ?? []
        )
        let asked = CacheDecision.validation(of: CachingSample.stored([("ETag", "\"x\"")]), request)
        #expect(asked.headerFields[.ifNoneMatch] == sent)
    }

    @Test(
        "A 304 is of the representation that it names (4.3.4)",
        arguments: [
            (nil, true), ("\"x\"", true), ("W/\"x\"", true), ("W/\"y\"", false), ("y", true),
            ("\"y\"", false),
        ] as [(String?, Bool)]
    )
    func confirmation(tag: String?, isConfirmed: Bool) throws {
        let answer = WebResponse.answering(try CachingSample.request(), 304, tag.map { [("ETag", $0)] } ?? [])
        #expect(
            CacheDecision.isConfirmed(CachingSample.stored([("ETag", "\"x\"")]), by: answer) == isConfirmed
        )
    }

    @Test(
        "A HEAD's response speaks of what is stored (4.3.5)",
        arguments: [
            (200, [], .holds), (200, [("ETag", "\"x\"")], .holds), (200, [("ETag", "\"y\"")], .changed),
            (200, [("Content-Length", "10")], .holds), (200, [("Content-Length", "11")], .changed),
            (200, [("Last-Modified", CachingSample.date)], .holds), (404, [("ETag", "\"y\"")], .none),
        ] as [(Int, [(String, String)], CacheDecision.HeadFinding)]
    )
    func head(status: Int, fields: [(String, String)], expected: CacheDecision.HeadFinding) throws {
        let request = try CachingSample.request(method: "HEAD")
        let stored = CachingSample.stored([("ETag", "\"x\""), ("Content-Length", "10")])
        let answer = WebResponse.answering(request, status, fields)
        #expect(CacheDecision.finding(of: answer, request, about: stored) == expected)
    }
}
