import HTTPTypes
import Testing

@testable import WebLoader

/// The second at which stored responses of these tests were received: Tue, 14 Nov 2023 22:13:20 GMT.
private let received: Int64 = 1_700_000_000
private let date = "Tue, 14 Nov 2023 22:13:20 GMT"
private let minuteEarlier = "Tue, 14 Nov 2023 22:12:20 GMT"
private let minuteLater = "Tue, 14 Nov 2023 22:14:20 GMT"

private func timestamp(_ seconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: seconds * 1000)
}

private func stored(
    _ fields: [(String, String)],
    requested: Int64 = received,
    received: Int64 = received,
    varying: [(name: String, value: String?)] = []
) -> StoredResponse {
    StoredResponse(
        key: "http://a.test/",
        varyingFields: varying,
        requestTime: timestamp(requested),
        responseTime: timestamp(received),
        status: 200,
        httpVersion: "1.1",
        headerFields: HTTPFields(lines: fields),
        body: [1]
    )
}

private func request(
    _ policy: CachePolicy = .useProtocolCachePolicy,
    _ fields: [(String, String)] = [],
    method: String = "GET"
) throws -> WebRequest {
    var request = WebRequest(url: try WebURL("http://a.test/"), cachePolicy: policy)
    request.headerFields = HTTPFields(lines: fields)
    request.httpMethod = method
    return request
}

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

struct CacheFreshnessTests {
    @Test(
        "The freshness lifetime is what the server states",
        arguments: [
            FieldsRow("4.2.1", [], nil),
            FieldsRow("4.2.1", [("Cache-Control", "max-age=60")], 60),
            FieldsRow("4.2.1", [("Cache-Control", "max-age=0")], 0),
            FieldsRow("4.2.1", [("Cache-Control", "max-age=60, max-age=10")], 10),
            FieldsRow("4.2.1", [("Cache-Control", "public"), ("Cache-Control", "MAX-AGE=\"5\"")], 5),
            FieldsRow("4.2.1", [("Date", date), ("Expires", minuteLater)], 60),
            FieldsRow("4.2.1, no Date: from when it was received", [("Expires", minuteLater)], 60),
            FieldsRow("4.2.1", [("Date", minuteLater), ("Expires", date)], -60),
            FieldsRow(
                "5.3, max-age beats Expires",
                [("Cache-Control", "max-age=5"), ("Expires", minuteLater)],
                5
            ),
            FieldsRow("5.3, an invalid date is past", [("Expires", "0")], 0),
            FieldsRow("5.3, an invalid date is past", [("Expires", "soon")], 0),
            FieldsRow("5.3, several are invalid", [("Expires", minuteLater), ("Expires", minuteLater)], 0),
            FieldsRow("5.2.2.10, s-maxage is for shared caches", [("Cache-Control", "s-maxage=60")], nil),
            FieldsRow("4.2.2, nothing is presumed", [("Last-Modified", minuteEarlier), ("Date", date)], nil),
            FieldsRow("5.2.2.1, what is no number is stale", [("Cache-Control", "max-age=x")], 0),
            FieldsRow(
                "1.2.2, beyond 31 bits",
                [("Cache-Control", "max-age=99999999999999999999")],
                2_147_483_648
            ),
        ]
    )
    func lifetime(row: FieldsRow) {
        #expect(CacheDecision.freshnessLifetime(stored(row.fields)) == row.expected)
    }

    @Test(
        "The age is the larger of what the clocks and Age say, and the time since (4.2.3)",
        arguments: [
            // The request was sent two seconds before: the delay counts with Age, which is 0 where there is none.
            FieldsRow("resident time and the delay", [("Date", date)], 102),
            FieldsRow("no Date", [], 102),
            FieldsRow("apparent age", [("Date", minuteEarlier)], 160),
            FieldsRow("a clock that is ahead", [("Date", minuteLater)], 102),
            FieldsRow("Age", [("Date", date), ("Age", "30")], 132),
            FieldsRow("Age below the apparent age", [("Date", minuteEarlier), ("Age", "30")], 160),
            FieldsRow("5.1, an Age that is no number", [("Date", date), ("Age", "-5")], 102),
            FieldsRow("5.1, the first of several", [("Date", date), ("Age", "30"), ("Age", "90")], 132),
            FieldsRow("1.2.2, beyond 31 bits", [("Age", "99999999999999999999")], 2_147_483_648 + 102),
        ]
    )
    func age(row: FieldsRow) {
        let response = stored(row.fields, requested: received - 2)
        #expect(CacheDecision.currentAge(response, now: timestamp(received + 100)) == row.expected)
    }

    @Test func clocksThatGoBackCountForNothing() {
        let response = stored([("Cache-Control", "max-age=60")], requested: received + 50)
        #expect(CacheDecision.currentAge(response, now: timestamp(received - 1000)) == 0)
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func timesOfAnySizeAreTaken(milliseconds: Int64) {
        var response = stored([("Expires", date), ("Age", "2147483648")])
        response.requestTime = Timestamp(millisecondsSince1970: milliseconds)
        response.responseTime = Timestamp(millisecondsSince1970: ~milliseconds)
        for now in [Int64.min, 0, Int64.max] {
            #expect(CacheDecision.currentAge(response, now: Timestamp(millisecondsSince1970: now)) >= 0)
        }
        _ = CacheDecision.freshnessLifetime(response)
    }
}

/// A stored response, or none, and what is decided by one policy.
struct DecisionRow: Sendable, CustomTestStringConvertible {
    let section: String
    let policy: CachePolicy
    let fields: [(String, String)]?
    let expected: CacheDecision

    init(_ section: String, _ policy: CachePolicy, _ fields: [(String, String)]?, _ expected: CacheDecision) {
        self.section = section
        self.policy = policy
        self.fields = fields
        self.expected = expected
    }

    var testDescription: String {
        "\(section), \(policy.name): \(fields.map { "\($0.map { "\($0): \($1)" })" } ?? "nothing stored")"
    }
}

struct CacheDecisionTests {
    private static let fresh = [("Cache-Control", "max-age=60"), ("ETag", "\"x\"")]
    private static let freshWithoutValidator = [("Cache-Control", "max-age=60")]
    private static let stale = [("Cache-Control", "max-age=10"), ("Last-Modified", date)]
    private static let staleWithoutValidator = [("Cache-Control", "max-age=10")]
    private static let demanding = [("Cache-Control", "max-age=60, no-cache"), ("ETag", "\"x\"")]

    private func decide(
        _ request: WebRequest,
        _ stored: StoredResponse?,
        after seconds: Int64 = 30
    ) -> CacheDecision {
        CacheDecision.decide(request, stored: stored, now: timestamp(received + seconds))
    }

    @Test(
        "Each policy decides by what is stored",
        arguments: [
            DecisionRow("4", .useProtocolCachePolicy, nil, .fetch(.notStored)),
            DecisionRow("4.2", .useProtocolCachePolicy, fresh, .use(fresh: true, .fresh)),
            DecisionRow("4.2", .useProtocolCachePolicy, freshWithoutValidator, .use(fresh: true, .fresh)),
            DecisionRow("4.3", .useProtocolCachePolicy, stale, .validate(.stale)),
            DecisionRow("4.3", .useProtocolCachePolicy, staleWithoutValidator, .fetch(.noValidator)),
            DecisionRow("5.2.2.4", .useProtocolCachePolicy, demanding, .validate(.responseDemandsValidation)),
            DecisionRow("4.2.2", .useProtocolCachePolicy, [("ETag", "\"x\"")], .validate(.stale)),
            DecisionRow("4.2.2", .useProtocolCachePolicy, [], .fetch(.noValidator)),

            DecisionRow("reload", .reloadIgnoringLocalCacheData, nil, .fetch(.policyReloads)),
            DecisionRow("reload", .reloadIgnoringLocalCacheData, fresh, .fetch(.policyReloads)),
            DecisionRow("reload", .reloadIgnoringLocalCacheData, stale, .fetch(.policyReloads)),
            DecisionRow(
                "reload",
                .reloadIgnoringLocalCacheData,
                staleWithoutValidator,
                .fetch(.policyReloads)
            ),

            DecisionRow("reload", .reloadIgnoringLocalAndRemoteCacheData, nil, .fetch(.policyReloads)),
            DecisionRow("reload", .reloadIgnoringLocalAndRemoteCacheData, fresh, .fetch(.policyReloads)),
            DecisionRow("reload", .reloadIgnoringLocalAndRemoteCacheData, stale, .fetch(.policyReloads)),

            DecisionRow("any age", .returnCacheDataElseLoad, nil, .fetch(.notStored)),
            DecisionRow("any age", .returnCacheDataElseLoad, fresh, .use(fresh: true, .fresh)),
            DecisionRow("any age", .returnCacheDataElseLoad, stale, .use(fresh: false, .policyAllowsStale)),
            DecisionRow(
                "any age",
                .returnCacheDataElseLoad,
                staleWithoutValidator,
                .use(fresh: false, .policyAllowsStale)
            ),

            DecisionRow("offline", .returnCacheDataDontLoad, nil, .miss(.notStored)),
            DecisionRow("offline", .returnCacheDataDontLoad, fresh, .use(fresh: true, .fresh)),
            DecisionRow("offline", .returnCacheDataDontLoad, stale, .use(fresh: false, .policyAllowsStale)),
            DecisionRow(
                "offline",
                .returnCacheDataDontLoad,
                staleWithoutValidator,
                .use(fresh: false, .policyAllowsStale)
            ),
            DecisionRow("offline", .returnCacheDataDontLoad, demanding, .use(fresh: true, .fresh)),

            DecisionRow("4.3", .reloadRevalidatingCacheData, nil, .fetch(.notStored)),
            DecisionRow("4.3", .reloadRevalidatingCacheData, fresh, .validate(.policyValidates)),
            DecisionRow("4.3", .reloadRevalidatingCacheData, freshWithoutValidator, .fetch(.noValidator)),
            DecisionRow("4.3", .reloadRevalidatingCacheData, stale, .validate(.policyValidates)),
        ]
    )
    func policies(row: DecisionRow) throws {
        #expect(decide(try request(row.policy), row.fields.map { stored($0) }) == row.expected)
    }

    @Test(
        "A response is fresh while its age is below its lifetime (4.2)",
        arguments: [(0, true), (59, true), (60, false), (61, false)] as [(Int64, Bool)]
    )
    func boundary(seconds: Int64, isFresh: Bool) throws {
        let expected = isFresh ? CacheDecision.use(fresh: true, .fresh) : .validate(.stale)
        #expect(decide(try request(), stored(Self.fresh), after: seconds) == expected)
    }

    @Test(
        "The request's Cache-Control counts (5.2.1)",
        arguments: [
            ("no-store", .fetch(.requestForbids)), ("no-cache", .validate(.requestForbids)),
            ("max-stale", .use(fresh: true, .fresh)), ("x", .use(fresh: true, .fresh)),
        ] as [(String, CacheDecision)]
    )
    func requestDirectives(value: String, expected: CacheDecision) throws {
        let request = try request(.useProtocolCachePolicy, [("Cache-Control", value)])
        #expect(decide(request, stored(Self.fresh)) == expected)
    }

    @Test(
        "Only GET and HEAD are answered (4)",
        arguments: [
            ("GET", .use(fresh: true, .fresh)), ("HEAD", .use(fresh: true, .fresh)),
            ("POST", .fetch(.methodNotCached)), ("PUT", .fetch(.methodNotCached)),
            ("get", .fetch(.methodNotCached)),
        ] as [(String, CacheDecision)]
    )
    func methods(method: String, expected: CacheDecision) throws {
        #expect(decide(try request(method: method), stored(Self.fresh)) == expected)
        if case .fetch(let reason) = expected {
            #expect(
                decide(try request(.returnCacheDataDontLoad, method: method), stored(Self.fresh))
                    == .miss(reason)
            )
        }
    }

    @Test(arguments: [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ])
    func conditionsOfTheCallersAreTheServers(name: String) throws {
        let fields = [(name, "x")]
        #expect(
            decide(try request(.useProtocolCachePolicy, fields), stored(Self.fresh))
                == .fetch(.conditionalRequest)
        )
        #expect(
            decide(try request(.returnCacheDataDontLoad, fields), stored(Self.fresh))
                == .miss(.conditionalRequest)
        )
    }

    @Test(
        "A response that varies is for requests with the same fields (4.1)",
        arguments: [
            ("Accept", "a", "a", true), ("Accept", "a", "b", false), ("accept", nil, nil, true),
            ("Accept", nil, "a", false), ("Accept", "a", nil, false), ("X, Accept", "a", "a", true),
            ("X, Accept", "a", "b", false), (" , ,", "a", "b", true), ("Accept\t", "a", "b", false),
            ("no name", "a", "b", true),
        ] as [(String, String?, String?, Bool)]
    )
    func vary(vary: String, old: String?, new: String?, matches: Bool) throws {
        var response = stored(Self.fresh + [("Vary", vary)])
        let before = try request(.useProtocolCachePolicy, old.map { [("Accept", $0)] } ?? [])
        response.varyingFields = CacheDecision.varyingFields(before, response.headerFields)
        let after = try request(.useProtocolCachePolicy, new.map { [("Accept", $0)] } ?? [])
        #expect(decide(after, response) == (matches ? .use(fresh: true, .fresh) : .fetch(.variesOtherwise)))
        var offline = after
        offline.cachePolicy = .returnCacheDataDontLoad
        #expect(decide(offline, response) == (matches ? .use(fresh: true, .fresh) : .miss(.variesOtherwise)))
    }

    @Test(arguments: ["*", "Accept, *"])
    func whatVariesByMoreThanFieldsIsValidated(vary: String) throws {
        var response = stored(Self.fresh + [("Vary", vary)])
        let request = try request(.useProtocolCachePolicy, [("Accept", "a")])
        response.varyingFields = CacheDecision.varyingFields(request, response.headerFields)
        #expect(decide(request, response) == .validate(.variesOtherwise))
        response.headerFields[.eTag] = nil
        #expect(decide(request, response) == .fetch(.noValidator))
    }

    // MARK: - Validating

    @Test func validationAsksWithBothValidators() throws {
        let fields = [("ETag", "W/\"x\""), ("Last-Modified", date)]
        let asked = CacheDecision.validation(
            of: stored(fields),
            try request(.useProtocolCachePolicy, [("X", "y")])
        )
        #expect(
            asked.headerFields.map { "\($0.name.canonicalName): \($0.value)" }.sorted() == [
                "if-modified-since: \(date)", "if-none-match: W/\"x\"", "x: y",
            ]
        )
    }

    @Test func a304UpdatesTheFieldsAndTheTimes() throws {
        let old = stored([
            ("ETag", "\"x\""), ("Cache-Control", "max-age=1"), ("Age", "50"), ("Content-Length", "1"),
            ("Content-Encoding", "gzip"), ("X-Kept", "k"), ("X-Two", "a"), ("X-Two", "b"),
        ])
        let answer = WebResponse.answering(
            try request(),
            304,
            [
                ("Cache-Control", "max-age=9"), ("Content-Length", "0"), ("Content-Encoding", "br"),
                ("Connection", "close"), ("Transfer-Encoding", "chunked"), ("Content-Range", "x"),
                ("X-Two", "c"),
                ("X-New", "n"), ("X-New", "m"), ("Date", minuteLater),
            ]
        )
        let updated = CacheDecision.updated(
            old,
            by: answer,
            requestTime: timestamp(received + 60),
            responseTime: timestamp(received + 61)
        )
        #expect(
            updated.headerFields.map { "\($0.name.canonicalName)=\($0.value)" }.sorted() == [
                "cache-control=max-age=9", "content-encoding=gzip", "content-length=1", "date=\(minuteLater)",
                "etag=\"x\"", "x-kept=k", "x-new=m", "x-new=n", "x-two=c",
            ]
        )
        #expect(updated.body == old.body)
        #expect(updated.requestTime == timestamp(received + 60))
        #expect(updated.responseTime == timestamp(received + 61))
    }
}

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
            StoringRow("3.3, a part", 206, [("Cache-Control", "max-age=60")], false),
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
            StoringRow("3", 302, [("Expires", minuteLater)], true),
            StoringRow("3", 500, [("Cache-Control", "public")], true),
            StoringRow("3", 500, [("Cache-Control", "private")], true),
            StoringRow("3", 302, [("Cache-Control", "no-cache")], false),
        ]
    )
    func byStatusAndFields(row: StoringRow) throws {
        let request = try request()
        let reason = CacheDecision.reasonNotToStore(request, .answering(request, row.status, row.fields))
        #expect((reason == nil) == row.isStored, "\(reason ?? "")")
    }

    @Test(
        "What a request may say against it (3)",
        arguments: [
            ("GET", [], true), ("HEAD", [], false), ("POST", [], false),
            ("GET", [("Cache-Control", "no-store")], false), ("GET", [("Cache-Control", "no-cache")], true),
            ("GET", [("Range", "bytes=0-1")], false), ("GET", [("If-None-Match", "x")], false),
        ] as [(String, [(String, String)], Bool)]
    )
    func byRequest(method: String, fields: [(String, String)], isStored: Bool) throws {
        var request = try request(.useProtocolCachePolicy, fields, method: method)
        let response = WebResponse.answering(request, 200, [("Cache-Control", "max-age=60")])
        #expect((CacheDecision.reasonNotToStore(request, response) == nil) == isStored)
        request.storesResponse = false
        #expect(CacheDecision.reasonNotToStore(request, response) != nil)
    }
}
