import HTTPTypes
import Testing

@testable import WebTransport

/// A request and its response, and whether that may be kept.
struct StoringRow: Sendable, CustomTestStringConvertible {
    let section: String
    let status: Int
    let fields: [(String, String)]
    let isStored: Bool

    init(_ section: String, _ status: Int, _ fields: [(String, String)], _ isStored: Bool) {
        self.section = section
        self.status = status
        self.fields = fields
        self.isStored = isStored
    }

    var testDescription: String { "\(section): \(status) \(fields.map { "\($0): \($1)" })" }
}

struct CacheStoringTests {
    @Test(
        "What may be kept (3)",
        arguments: [
            StoringRow("3", 200, [], true), StoringRow("3", 200, [("Cache-Control", "max-age=60")], true),
            StoringRow("5.2.2.5", 200, [("Cache-Control", "no-store")], false),
            StoringRow("5.2.2.5", 200, [("Cache-Control", "max-age=60, NO-STORE")], false),
            StoringRow("5.2.2.4", 200, [("Cache-Control", "no-cache")], true),
            StoringRow("5.2.2.7, a private cache", 200, [("Cache-Control", "private")], true),
            StoringRow("3.3, a part of what", 206, [("Cache-Control", "max-age=60")], false),
            StoringRow("3.3, a part", 206, [("Content-Range", "bytes 0-9/20")], true),
            StoringRow(
                "3.3, a part in a coding",
                206,
                [("Content-Range", "bytes 0-9/20"), ("Content-Encoding", "br")],
                false
            ),
            StoringRow("5.2.2.3", 200, [("Cache-Control", "no-store, must-understand, max-age=1")], true),
            StoringRow("5.2.2.3", 599, [("Cache-Control", "must-understand, max-age=1")], false),
            StoringRow("5.2.2.3", 299, [("Cache-Control", "must-understand, max-age=1")], false),
            StoringRow("5.2.2.3", 299, [("Cache-Control", "max-age=1")], true),
            StoringRow(
                "an unsatisfied range is of its request",
                416,
                [("Cache-Control", "max-age=60")],
                false
            ),
            StoringRow("3, not final", 304, [("Cache-Control", "max-age=60")], false),
            StoringRow("15.1 of RFC 9110", 203, [], true), StoringRow("15.1 of RFC 9110", 204, [], true),
            StoringRow("15.1 of RFC 9110", 300, [], true), StoringRow("15.1 of RFC 9110", 301, [], true),
            StoringRow("15.1 of RFC 9110", 308, [], true), StoringRow("15.1 of RFC 9110", 404, [], true),
            StoringRow("15.1 of RFC 9110", 405, [], true), StoringRow("15.1 of RFC 9110", 410, [], true),
            StoringRow("15.1 of RFC 9110", 414, [], true), StoringRow("15.1 of RFC 9110", 501, [], true),
            StoringRow("3, only when it says so", 201, [], false), StoringRow("3", 302, [], false),
            StoringRow("3", 303, [], false), StoringRow("3", 307, [], false), StoringRow("3", 400, [], false),
            StoringRow("3", 403, [], false), StoringRow("3", 500, [], false), StoringRow("3", 503, [], false),
            StoringRow("3", 302, [("Cache-Control", "max-age=60")], true),
            StoringRow("3", 302, [("Expires", CachingSample.minuteLater)], true),
            StoringRow("3", 500, [("Cache-Control", "public")], true),
            StoringRow("3", 500, [("Cache-Control", "private")], true),
            StoringRow("3", 302, [("Cache-Control", "no-cache")], false),
        ]
    )
    func byStatusAndFields(row: StoringRow) throws {
        let request = try CachingSample.request()
        let reason = CacheDecision.refusalToStore(request, .answering(request, row.status, row.fields))
        #expect((reason == nil) == row.isStored, "\(reason?.explanation ?? "")")
    }

    @Test(
        "What a request may say against it (3)",
        arguments: [
            ("GET", [], true), ("HEAD", [], false), ("POST", [], false),
            ("GET", [("Cache-Control", "no-store")], false), ("GET", [("Cache-Control", "no-cache")], true),
            ("GET", [("Range", "bytes=0-1")], true), ("GET", [("If-None-Match", "x")], true),
        ] as [(String, [(String, String)], Bool)]
    )
    func byRequest(method: String, fields: [(String, String)], isStored: Bool) throws {
        var request = try CachingSample.request(.useProtocolCachePolicy, fields, method: method)
        let response = WebResponse.answering(request, 200, [("Cache-Control", "max-age=60")])
        #expect((CacheDecision.refusalToStore(request, response) == nil) == isStored)
        request.storesResponse = false
        #expect(CacheDecision.refusalToStore(request, response) != nil)
    }

    @Test(
        "A POST's response is what a GET gets, where it says so (RFC 9110, 9.3.3)",
        arguments: [
            ([("Cache-Control", "max-age=9"), ("Content-Location", "/")], 200, true),
            ([("Expires", CachingSample.minuteLater), ("Content-Location", "http://a.test/#x")], 201, true),
            ([("Content-Location", "/")], 200, false), ([("Cache-Control", "max-age=9")], 200, false),
            ([("Cache-Control", "max-age=9"), ("Content-Location", "/other")], 200, false),
            ([("Cache-Control", "max-age=9"), ("Content-Location", "http://[")], 200, false),
            ([("Cache-Control", "max-age=9"), ("Content-Location", "/")], 404, false),
            ([("Cache-Control", "max-age=9, no-store"), ("Content-Location", "/")], 200, false),
        ] as [([(String, String)], Int, Bool)]
    )
    func posts(fields: [(String, String)], status: Int, isStored: Bool) throws {
        let request = try CachingSample.request(method: "POST")
        let response = WebResponse.answering(request, status, fields)
        #expect((CacheDecision.refusalToStore(request, response) == nil) == isStored)
    }

    @Test(
        "What is kept for offline use though HTTP forbids it",
        arguments: [
            (200, [("Cache-Control", "no-store")], true), (302, [], true),
            (307, [("Cache-Control", "no-store")], true),
            (201, [], true),
            (206, [("Cache-Control", "no-store"), ("Content-Range", "bytes 0-9/20")], false),
            (404, [("Cache-Control", "no-store")], false), (403, [], false), (503, [], false),
            (304, [], false),
        ] as [(Int, [(String, String)], Bool)]
    )
    func offline(status: Int, fields: [(String, String)], isKept: Bool) throws {
        var request = try CachingSample.request()
        let response = WebResponse.answering(request, status, fields)
        let refusal = try #require(CacheDecision.refusalToStore(request, response))
        #expect(!CacheDecision.mayKeepForOfflineUse(request, response, refusal))
        request.keepsForOfflineUse = true
        #expect(CacheDecision.mayKeepForOfflineUse(request, response, refusal) == isKept)
        request.httpMethod = "POST"
        #expect(CacheDecision.refusalToStore(request, response) == .method)
        #expect(!CacheDecision.mayKeepForOfflineUse(request, response, .method))
    }

    @Test("Fields about the connection are not stored (3.1)")
    func fields() {
        let fields = HTTPFields(lines: [
            ("A", "1"), ("Connection", "close, X-One"), ("Connection", " x-two\t"), ("x-ONE", "1"),
            ("X-Two", "2"),
            ("Keep-Alive", "timeout=5"), ("Proxy-Connection", "x"), ("TE", "x"),
            ("Transfer-Encoding", "chunked"),
            ("Upgrade", "h2c"), ("Proxy-Authenticate", "x"), ("Proxy-Authentication-Info", "x"),
            ("Proxy-Authorization", "x"), ("Set-Cookie", "a=b"), ("A", "2"),
        ])
        #expect(
            CacheDecision.storedFields(fields).map { "\($0.name.rawName)=\($0.value)" } == [
                "A=1", "Set-Cookie=a=b", "A=2",
            ]
        )
    }
}
