import HTTPTypes
import Testing

@testable import WebTransport

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
    private static let stale = [("Cache-Control", "max-age=10"), ("Last-Modified", CachingSample.date)]
    private static let staleWithoutValidator = [("Cache-Control", "max-age=10")]
    private static let presumed = [
        ("Date", CachingSample.date), ("Last-Modified", "Sat, 01 Jan 2000 00:00:00 GMT"),
    ]
    private static let demanding = [("Cache-Control", "max-age=60, no-cache"), ("ETag", "\"x\"")]

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
            DecisionRow("4.2.2", .useProtocolCachePolicy, presumed, .use(fresh: true, .presumedFresh)),

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
            DecisionRow("4.3", .reloadRevalidatingCacheData, freshWithoutValidator, .fetch(.policyValidates)),
            DecisionRow("4.3", .reloadRevalidatingCacheData, stale, .validate(.policyValidates)),
        ]
    )
    func policies(row: DecisionRow) throws {
        #expect(
            CachingSample.decide(
                try CachingSample.request(row.policy),
                row.fields.map { CachingSample.stored($0) }
            )
                == row.expected
        )
    }

    @Test(
        "A response is fresh while its age is below its lifetime (4.2)",
        arguments: [(0, true), (59, true), (60, false), (61, false)] as [(Int64, Bool)]
    )
    func boundary(seconds: Int64, isFresh: Bool) throws {
        let expected = isFresh ? CacheDecision.use(fresh: true, .fresh) : .validate(.stale)
        #expect(
            CachingSample.decide(
                try CachingSample.request(),
                CachingSample.stored(Self.fresh),
                after: seconds
            ) == expected
        )
    }

    @Test(
        "The request's Cache-Control counts (5.2.1)",
        arguments: [
            ("no-store", .fetch(.requestForbids)), ("no-cache", .validate(.requestForbids)),
            ("max-stale", .use(fresh: true, .fresh)), ("x", .use(fresh: true, .fresh)),
            ("max-age=30", .use(fresh: true, .fresh)), ("max-age=29", .validate(.requestForbids)),
            ("max-age=29, max-stale", .use(fresh: true, .fresh)), ("max-age=0", .validate(.requestForbids)),
            ("min-fresh=30", .use(fresh: true, .fresh)), ("min-fresh=31", .validate(.requestForbids)),
            ("only-if-cached", .use(fresh: true, .fresh)),
            ("only-if-cached, no-cache", .miss(.requestForbids)),
        ] as [(String, CacheDecision)]
    )
    func requestDirectives(value: String, expected: CacheDecision) throws {
        let request = try CachingSample.request(.useProtocolCachePolicy, [("Cache-Control", value)])
        #expect(CachingSample.decide(request, CachingSample.stored(Self.fresh)) == expected)
    }

    @Test(
        "What may be used stale (5.2.1.2, and RFC 5861, section 3)",
        arguments: [
            ("max-age=10", "max-stale", .use(fresh: false, .requestAllowsStale)),
            ("max-age=10", "max-stale=20", .use(fresh: false, .requestAllowsStale)),
            ("max-age=10", "max-stale=19", .validate(.stale)),
            ("max-age=10, must-revalidate", "max-stale", .validate(.stale)),
            ("max-age=10, stale-while-revalidate=20", "", .use(fresh: false, .staleWhileRevalidate)),
            ("max-age=10, stale-while-revalidate=19", "", .validate(.stale)),
            ("max-age=10, stale-while-revalidate=60, must-revalidate", "", .validate(.stale)),
            ("max-age=10, stale-while-revalidate=60", "max-age=60", .validate(.stale)),
            ("max-age=10, stale-while-revalidate=60", "min-fresh=1", .validate(.stale)),
            ("max-age=10, stale-while-revalidate=60, no-cache", "", .validate(.responseDemandsValidation)),
            ("max-age=10", "only-if-cached", .miss(.stale)),
        ] as [(String, String, CacheDecision)]
    )
    func staleUse(response: String, request: String, expected: CacheDecision) throws {
        let stored = CachingSample.stored([("Cache-Control", response), ("ETag", "\"x\"")])
        let request = try CachingSample.request(
            .useProtocolCachePolicy,
            request.isEmpty ? [] : [("Cache-Control", request)]
        )
        #expect(CachingSample.decide(request, stored) == expected)
    }

    @Test(
        "What may be used when the server fails (4.2.4, and RFC 5861, section 4)",
        arguments: [
            ("max-age=10", "", .disconnected, nil), ("max-age=10", "max-age=60", nil, nil),
            ("max-age=10", "no-cache", nil, nil), ("max-age=10", "no-store", nil, nil),
            ("max-age=10, must-revalidate", "", nil, nil), ("no-cache", "", nil, nil),
            ("max-age=10, stale-if-error=20", "", .staleIfError, .staleIfError),
            ("max-age=10, stale-if-error=19", "", .disconnected, nil),
            ("max-age=10, stale-if-error=60, must-revalidate", "", nil, nil),
            ("max-age=10", "stale-if-error=20", .staleIfError, .staleIfError),
            ("max-age=10", "stale-if-error=19, max-age=0", nil, nil),
        ] as [(String, String, CacheDecision.Reason?, CacheDecision.Reason?)]
    )
    func failures(
        response: String,
        request: String,
        disconnected: CacheDecision.Reason?,
        error: CacheDecision.Reason?
    ) throws {
        let stored = CachingSample.stored([("Cache-Control", response)])
        var asked = try CachingSample.request(
            .useProtocolCachePolicy,
            request.isEmpty ? [] : [("Cache-Control", request)]
        )
        let now = CachingSample.timestamp(CachingSample.received + 30)
        #expect(CacheDecision.reasonToUse(stored, after: .disconnected, asked, now: now) == disconnected)
        #expect(CacheDecision.reasonToUse(stored, after: .error, asked, now: now) == error)
        // Who reloads wants what the server has.
        for policy in [CachePolicy.reloadIgnoringLocalCacheData, .reloadRevalidatingCacheData] {
            asked.cachePolicy = policy
            #expect(CacheDecision.reasonToUse(stored, after: .disconnected, asked, now: now) == nil)
        }
    }

    @Test("A reload does not ask about what does not change (RFC 8246, section 2)")
    func immutable() throws {
        let stored = CachingSample.stored([("Cache-Control", "max-age=60, immutable"), ("ETag", "\"x\"")])
        let request = try CachingSample.request(.reloadRevalidatingCacheData)
        #expect(CachingSample.decide(request, stored) == .use(fresh: true, .immutable))
        #expect(CachingSample.decide(request, stored, after: 60) == .validate(.policyValidates))
    }

    @Test(arguments: CachePolicy.allCases)
    func whatIsKeptAgainstTheServersWishIsForOfflineUseAlone(policy: CachePolicy) throws {
        var stored = CachingSample.stored(Self.fresh)
        stored.isKeptForOfflineUse = true
        let decision = CachingSample.decide(try CachingSample.request(policy), stored)
        switch policy {
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
            #expect(decision == .use(fresh: true, .fresh))
        case .useProtocolCachePolicy, .reloadRevalidatingCacheData:
            #expect(decision == .fetch(.keptForOfflineUse))
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
            #expect(decision == .fetch(.policyReloads))
        }
        let now = CachingSample.timestamp(CachingSample.received)
        let asked = try CachingSample.request(policy)
        #expect(CacheDecision.reasonToUse(stored, after: .disconnected, asked, now: now) == nil)
    }

    @Test("Pragma: no-cache counts where there is no Cache-Control (5.4)")
    func pragma() throws {
        let old = try CachingSample.request(.useProtocolCachePolicy, [("Pragma", "no-cache")])
        #expect(CachingSample.decide(old, CachingSample.stored(Self.fresh)) == .validate(.requestForbids))
        let both = try CachingSample.request(
            .useProtocolCachePolicy,
            [("Pragma", "no-cache"), ("Cache-Control", "max-age=60")]
        )
        #expect(CachingSample.decide(both, CachingSample.stored(Self.fresh)) == .use(fresh: true, .fresh))
    }

    @Test(arguments: CacheDecision.Reason.allCases)
    func everyReasonHasItsWords(reason: CacheDecision.Reason) {
        #expect(!reason.explanation.isEmpty)
        #expect(reason.rawValue.allSatisfy { $0.isLowercase || $0 == "-" })
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
        #expect(
            CachingSample.decide(try CachingSample.request(method: method), CachingSample.stored(Self.fresh))
                == expected
        )
        if case .fetch(let reason) = expected {
            #expect(
                CachingSample.decide(
                    try CachingSample.request(.returnCacheDataDontLoad, method: method),
                    CachingSample.stored(Self.fresh)
                )
                    == .miss(reason)
            )
        }
    }

    @Test(
        "What the origin alone can judge goes to it (4.3.2)",
        arguments: [
            ("If-Match", "\"x\""), ("If-Unmodified-Since", "x"), ("Range", "bytes=0-1, 3-4"),
            ("Range", "lines=1-2"),
        ]
    )
    func conditionsForTheOrigin(name: String, value: String) throws {
        let fields = [(name, value)]
        #expect(
            CachingSample.decide(
                try CachingSample.request(.useProtocolCachePolicy, fields),
                CachingSample.stored(Self.fresh)
            )
                == .fetch(.conditionalRequest)
        )
        #expect(
            CachingSample.decide(
                try CachingSample.request(.returnCacheDataDontLoad, fields),
                CachingSample.stored(Self.fresh)
            )
                == .miss(.conditionalRequest)
        )
    }

    @Test(
        "Conditions on what is stored, and ranges of it, are answered (4.3.2, 3.3)",
        arguments: [
            ("If-None-Match", "\"y\""), ("If-Modified-Since", CachingSample.date), ("If-Range", "\"x\""),
            ("Range", "bytes=0-1"), ("Range", "bytes=-1"),
        ]
    )
    func conditionsForTheCache(name: String, value: String) throws {
        let request = try CachingSample.request(.useProtocolCachePolicy, [(name, value)])
        #expect(CachingSample.decide(request, CachingSample.stored(Self.fresh)) == .use(fresh: true, .fresh))
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
        var response = CachingSample.stored(Self.fresh + [("Vary", vary)])
        let before = try CachingSample.request(.useProtocolCachePolicy, old.map { [("Accept", $0)] } ?? [])
        response.varyingFields = VaryingFields.of(before, response.headerFields)
        let after = try CachingSample.request(.useProtocolCachePolicy, new.map { [("Accept", $0)] } ?? [])
        #expect(
            CachingSample.decide(after, response)
                == (matches ? .use(fresh: true, .fresh) : .fetch(.variesOtherwise))
        )
        var offline = after
        offline.cachePolicy = .returnCacheDataDontLoad
        #expect(
            CachingSample.decide(offline, response)
                == (matches ? .use(fresh: true, .fresh) : .miss(.variesOtherwise))
        )
    }

    @Test(arguments: ["*", "Accept, *"])
    func whatVariesByMoreThanFieldsIsValidated(vary: String) throws {
        var response = CachingSample.stored(Self.fresh + [("Vary", vary)])
        let request = try CachingSample.request(.useProtocolCachePolicy, [("Accept", "a")])
        response.varyingFields = VaryingFields.of(request, response.headerFields)
        #expect(CachingSample.decide(request, response) == .validate(.variesOtherwise))
        response.headerFields[.eTag] = nil
        #expect(CachingSample.decide(request, response) == .fetch(.variesOtherwise))
    }
}
