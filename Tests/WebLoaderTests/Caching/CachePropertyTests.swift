import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

/// The cache's decisions against a reference that is written from the RFC's sections, on random messages and clocks.
struct CachePropertyTests {
    private static let seeds = PropertySeeds.first(40)
    private static let casesPerSeed = 50

    /// Runs `check` over the cases of a seed.
    private func forEach(_ seed: Int, _ check: (CacheCase, inout SeededSequence) throws -> Void) rethrows {
        var random = SeededSequence(seed)
        for _ in 0..<Self.casesPerSeed { try check(CacheCase(&random), &random) }
    }

    @Test(arguments: seeds)
    func storingIsAsTheReferenceHasIt(seed: Int) throws {
        try forEach(seed) { sample, _ in
            let refusal = CacheDecision.refusalToStore(try sample.webRequest(), try sample.webResponse())
            let expected = ReferenceCache.mayStore(sample.request, sample.stored.response, url: CacheCase.url)
            #expect((refusal == nil) == expected, "\(sample), \(refusal?.rawValue ?? "stored")")
        }
    }

    @Test(arguments: seeds)
    func agesAndLifetimesAreAsTheReferenceHasThem(seed: Int) throws {
        try forEach(seed) { sample, _ in
            let freshness = Freshness(try sample.storedResponse(), now: CachingSample.timestamp(sample.now))
            #expect(freshness.age == ReferenceCache.currentAge(sample.stored, now: sample.now), "\(sample)")
            #expect(freshness.lifetime == ReferenceCache.freshnessLifetime(sample.stored), "\(sample)")
            #expect(freshness.isFresh == ReferenceCache.isFresh(sample.stored, now: sample.now), "\(sample)")
            #expect(freshness.forbidsStaleUse == ReferenceCache.forbidsStaleUse(sample.stored), "\(sample)")
        }
    }

    @Test(arguments: seeds)
    func usesAreAsTheReferenceHasThem(seed: Int) throws {
        try forEach(seed) { sample, _ in
            let decision = CacheDecision.decide(
                try sample.webRequest(),
                stored: try sample.storedResponse(),
                now: CachingSample.timestamp(sample.now)
            )
            let expected = ReferenceCache.decide(sample.request, sample.stored, now: sample.now)
            #expect(ReferenceCache.Decision(decision) == expected, "\(sample), \(decision)")
        }
    }

    /// The policies that are not HTTP's own: what Foundation says of each.
    @Test(arguments: seeds)
    func policiesAreWhatTheirNamesSay(seed: Int) throws {
        try forEach(seed) { sample, _ in
            guard sample.request.method == "GET", sample.request.fields["if-match"].isEmpty else { return }
            let stored = try sample.storedResponse()
            let isSelected = ReferenceCache.selects(sample.stored, sample.request)
            let mayAsk = !ReferenceDirectives(sample.request.fields["cache-control"]).has("only-if-cached")
            let isFresh = ReferenceCache.isFresh(sample.stored, now: sample.now)
            let used: ReferenceCache.Decision = isFresh ? .useFresh : .useStale
            let isImmutable = ReferenceDirectives(sample.stored.response.fields["cache-control"]).has(
                "immutable"
            )
            for policy in CachePolicy.allCases where policy != .useProtocolCachePolicy {
                let decision = CacheDecision.decide(
                    try sample.webRequest(policy),
                    stored: stored,
                    now: CachingSample.timestamp(sample.now)
                )
                let asked: ReferenceCache.Decision = mayAsk ? .fetch : .miss
                let expected: ReferenceCache.Decision =
                    switch policy {
                    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: asked
                    case .returnCacheDataElseLoad: isSelected ? used : asked
                    case .returnCacheDataDontLoad: isSelected ? used : .miss
                    case .reloadRevalidatingCacheData, .useProtocolCachePolicy:
                        if !isSelected {
                            asked
                        } else if isFresh, isImmutable {
                            // RFC 8246, section 2.
                            .useFresh
                        } else if !mayAsk {
                            .miss
                        } else {
                            stored.hasValidator ? .validate : .fetch
                        }
                    }
                #expect(
                    ReferenceCache.Decision(decision) == expected,
                    "\(policy.name): \(sample), \(decision)"
                )
            }
        }
    }

    @Test(arguments: seeds)
    func failuresAreMadeUpForAsTheReferenceHasIt(seed: Int) throws {
        try forEach(seed) { sample, _ in
            guard sample.request.method == "GET" else { return }
            for (failure, isError) in [(CacheDecision.ServerFailure.error, true), (.disconnected, false)] {
                let reason = CacheDecision.reasonToUse(
                    try sample.storedResponse(),
                    after: failure,
                    try sample.webRequest(),
                    now: CachingSample.timestamp(sample.now)
                )
                let expected = ReferenceCache.mayUse(
                    sample.stored,
                    sample.request,
                    afterError: isError,
                    now: sample.now
                )
                #expect((reason != nil) == expected, "\(failure): \(sample)")
            }
        }
    }

    @Test(arguments: seeds)
    func conditionsAreJudgedAsTheReferenceHasIt(seed: Int) throws {
        try forEach(seed) { sample, _ in
            let expected = ReferenceCache.isNotModified(sample.request, sample.stored)
            let found = Precondition.isNotModified(try sample.webRequest(), try sample.storedResponse())
            #expect(found == expected, "\(sample)")
        }
    }

    /// RFC 9111, section 4.3.1: the stored validators, and the caller's own where they are not in the way.
    @Test(arguments: seeds)
    func validationCarriesWhatIsStored(seed: Int) throws {
        try forEach(seed) { sample, _ in
            let request = try sample.webRequest()
            let asked = CacheDecision.validation(of: try sample.storedResponse(), request)
            let tags = asked.headerFields[.ifNoneMatch]
            let own = request.headerFields[.ifNoneMatch]
            if let tag = sample.stored.response.fields["etag"].first {
                #expect(tags == "*" || tags?.contains(tag) == true, "\(sample)")
            }
            if let own { #expect(tags?.hasPrefix(own) == true, "\(sample)") }
            let date = sample.stored.response.fields["last-modified"].first
            #expect(
                asked.headerFields[.ifModifiedSince] == date ?? request.headerFields[.ifModifiedSince],
                "\(sample)"
            )
            for field in request.headerFields
            where field.name != .ifNoneMatch && field.name != .ifModifiedSince {
                #expect(asked.headerFields[values: field.name] == request.headerFields[values: field.name])
            }
        }
    }

    @Test(arguments: seeds)
    func confirmedResponsesAreUpdatedAsTheReferenceHasIt(seed: Int) throws {
        try forEach(seed) { sample, random in
            var newer = CacheCase(&random).stored.response.fields
            for (name, value) in [
                ("Connection", "close, X-Hop"), ("X-Hop", "1"), ("Content-Length", "0"),
                ("Content-Encoding", "gzip"),
                ("Transfer-Encoding", "chunked"), ("X-New", "1"), ("X-New", "2"), ("Set-Cookie", "a=b"),
            ] where random.one(of: 3) { newer.append(name, value) }
            let notModified = WebResponse(
                url: try WebURL(CacheCase.url),
                status: 304,
                headerFields: HTTPFields(lines: newer.lines),
                body: [],
                source: .network
            )
            let isConfirmed = CacheDecision.isConfirmed(try sample.storedResponse(), by: notModified)
            #expect(
                isConfirmed == ReferenceCache.isSelected(sample.stored, by: newer),
                "\(sample) by \(newer.lines)"
            )
            let updated = CacheDecision.updated(
                try sample.storedResponse(),
                by: notModified,
                requestTime: CachingSample.timestamp(sample.now - 1),
                responseTime: CachingSample.timestamp(sample.now)
            )
            let expected = ReferenceCache.updatedFields(sample.stored, by: newer, receivedAt: sample.now)
            func sorted(_ lines: [(name: String, value: String)]) -> [String] {
                // Of one name the order counts.
                Set(lines.map(\.name)).sorted().flatMap { name in
                    lines.filter { $0.name == name }.map { "\(name): \($0.value)" }
                }
            }
            let found = updated.headerFields.map { (name: $0.name.canonicalName, value: $0.value) }
            #expect(sorted(found) == sorted(expected.lines), "\(sample) by \(newer.lines)")
            #expect(updated.responseTime == CachingSample.timestamp(sample.now))
        }
    }

    /// RFC 9111, section 4.4.
    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "POST", "PUT", "DELETE", "PATCH", "X"])
    func changesAreForgottenAsTheReferenceHasIt(method: String) async throws {
        for status in [200, 204, 299, 301, 303, 304, 399, 400, 404, 500] {
            try await withTemporaryFolder { folder in
                let server = ScriptedFetcher { request in
                    request.httpMethod == "GET" && request.headerFields[.pragma] == nil
                        ? .answering(request, 200, [("Cache-Control", "max-age=60")], body: "first")
                        : .answering(request, status, [("Cache-Control", "private")])
                }
                let setup = CachingSetup(folder, server)
                _ = try await setup.fetch()
                _ = try? await setup.fetch(.reloadIgnoringLocalCacheData, method: method) {
                    $0.headerFields[.pragma] = "x"
                }
                let isThere = (try? await setup.fetch(.returnCacheDataDontLoad)) != nil
                let request = ReferenceCache.Request(method: method)
                #expect(isThere != ReferenceCache.invalidates(request, status), "\(method), \(status)")
                // Pending writes would prevent the removal of the folder.
                await setup.fetcher.background.finish(within: 60)
            }
        }
    }

    @Test(arguments: seeds)
    func datesAreReadAsTheReferenceReadsThem(seed: Int) throws {
        var random = SeededSequence(seed)
        for _ in 0..<Self.casesPerSeed {
            let now = 1_700_000_000 + Int64(random.next(100_000_000))
            let moment = Int64(random.next(8_000_000_000)) - 2_000_000_000
            var text = CacheCase.date(&random, near: moment, [0])
            if random.one(of: 3), !text.isEmpty {
                // Something wrong with it.
                let index = text.index(text.startIndex, offsetBy: random.next(text.count))
                text.replaceSubrange(index...index, with: random.pick(["", "0", " ", ":", "x", "9"]))
            }
            #expect(
                HTTPDate(text, now: now)?.secondsSince1970 == ReferenceDate.parse(text, now: now),
                "\"\(text)\" at \(now)"
            )
        }
    }
}

extension HTTPField.Name {
    fileprivate static let pragma = HTTPField.Name("Pragma") ?? .age
}

extension ReferenceCache.Decision {
    fileprivate init(_ decision: CacheDecision) {
        switch decision {
        case .use(true, _): self = .useFresh
        case .use(false, _): self = .useStale
        case .validate: self = .validate
        case .fetch: self = .fetch
        case .miss: self = .miss
        }
    }
}
