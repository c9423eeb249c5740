import HTTPTypes
import Synchronization
import WebStandards
import WebTransport

extension CacheStoreContract {
    /// The checks of a loader's cache that is in the store.
    static var responseChecks: [Check] {
        [
            Check(responses: "responses come back as servers sent them", responsesComeBack),
            Check(responses: "variants by Vary stand beside each other", variantsStandBesideEachOther),
            Check(responses: "variants by other fields take the place of all", otherVariantsTakeThePlace),
            Check(responses: "a later response takes the place of the earlier one", responsesAreReplaced),
            Check(responses: "a response that a server confirms keeps its body", confirmedKeepsItsBody),
            Check(responses: "nothing is left of a URL that is removed", nothingIsLeft),
            Check(responses: "a response that was not stored is noted, and stored later", refusalsAreNoted),
            Check(responses: "a body that does not arrive whole leaves what there was", cutOffLeavesNothing),
            Check(responses: "of responses that are stored at once, one is kept whole", oneOfManyIsKept),
            Check(
                responses: "a look-up during a replacement finds the old response or the new one",
                foundIsWhole
            ),
            Check(
                responses: "a body that is being read survives its replacement and removal",
                readBodySurvives
            ),
        ]
    }

    private static let url = "http://a.test/page"
    private static let piece = 256 << 10

    @Sendable private static func responsesComeBack(_ cache: CheckedCache) async throws {
        var fields = HTTPFields([
            ("Cache-Control", "max-age=600"), ("Content-Type", "text/plain"), ("X-Twice", "1"),
            ("X-Twice", "2"), ("X-Empty", ""), ("X-Long", String(repeating: "x", count: 20_000)),
        ])
        if let name = HTTPField.Name("X-Bytes") {
            fields.append(HTTPField(name: name, lenientValue: [0x61, 0xE9, 0xFF, 0xC3]))
        }
        let sent = fields
        for count in [0, 1, 1000, piece - 1, piece, piece + 1, 3 * piece, 3 * piece + 5] {
            for streams in [false, true] {
                let body = pattern(count)
                let loading = cache.loading(
                    CheckedServer { _ in CheckedServer.Answer(status: 203, fields: sent, body: body) }
                )
                let url = "\(url)?\(count)"
                _ = try await loading.load(
                    url,
                    .reloadIgnoringLocalCacheData,
                    receiver: streams ? PausingReader() : nil
                )
                guard var kept = try await loading.kept(url) else {
                    throw Difference(expected: "a response of \(count) bytes", found: "nothing")
                }
                try Difference.check(kept.body, is: body, "a body")
                try Difference.check(kept.status, is: 203, "the status")
                kept.headerFields[.age] = nil
                try Difference.check(kept.headerFields, is: sent, "the fields")
                let reader = PausingReader()
                _ = try await loading.kept(url, receiver: reader)
                try Difference.check(reader.bytes, is: body, "a body that is read piece by piece")
            }
        }
    }

    /// A server whose body is a number, the count of requests, and the value of a field.
    private static func counting(vary: String) -> CheckedServer {
        let counter = Counter()
        return CheckedServer { request in
            let fields = HTTPFields([("Cache-Control", "max-age=600"), ("Vary", vary)])
            let kind = HTTPField.Name("X-Kind").flatMap { request.headerFields[$0] } ?? "none"
            return CheckedServer.Answer(fields: fields, body: Array("\(kind) \(counter.next())".utf8))
        }
    }

    @Sendable private static func variantsStandBesideEachOther(_ cache: CheckedCache) async throws {
        let loading = cache.loading(counting(vary: "X-Kind"))
        for round in 0..<2 {
            for kind in 1...5 {
                _ = try await loading.load(url, .reloadIgnoringLocalCacheData, [("X-Kind", "\(kind)")])
            }
            for kind in 1...5 {
                let kept = try await loading.kept(url, [("X-Kind", "\(kind)")])
                let body = Array("\(kind) \(5 * round + kind)".utf8)
                try Difference.check(kept?.body, is: body, "the variant \(kind)")
            }
        }
        let other = try await loading.kept(url, [("X-Kind", "9")])
        try Difference.check(other?.body, is: nil, "a variant that was not stored")
    }

    @Sendable private static func otherVariantsTakeThePlace(_ cache: CheckedCache) async throws {
        let loading = cache.loading(counting(vary: "X-Kind"))
        for kind in ["1", "2"] {
            _ = try await loading.load(url, .useProtocolCachePolicy, [("X-Kind", kind)])
        }
        _ = try await cache.loading(counting(vary: "X-Other")).load(
            url,
            .reloadIgnoringLocalCacheData,
            [("X-Kind", "3")]
        )
        for kind in ["1", "2", "4"] {
            let kept = try await loading.kept(url, [("X-Kind", kind)])
            try Difference.check(kept?.body, is: Array("3 1".utf8), "the variant that was stored last")
        }
        let other = try await loading.kept(url, [("X-Other", "1")])
        try Difference.check(other?.body, is: nil, "a variant that was not stored")
    }

    @Sendable private static func responsesAreReplaced(_ cache: CheckedCache) async throws {
        for (seed, count) in [10, 700_000, 800_000, 5, 300_000, 0].enumerated() {
            let body = pattern(count, UInt8(truncatingIfNeeded: seed))
            let loading = cache.loading(CheckedServer { _ in CheckedServer.Answer(body: body) })
            _ = try await loading.load(url, .reloadIgnoringLocalCacheData)
            try Difference.check(try await loading.kept(url)?.body, is: body, "the last response")
        }
    }

    @Sendable private static func confirmedKeepsItsBody(_ cache: CheckedCache) async throws {
        let body = pattern(700_000)
        let loading = cache.loading(
            CheckedServer { request in
                let isKnown = request.headerFields[.ifNoneMatch] == "\"a\""
                return CheckedServer.Answer(
                    status: isKnown ? 304 : 200,
                    fields: HTTPFields([
                        ("Cache-Control", "max-age=600"), ("ETag", "\"a\""),
                        ("X-Kind", isKnown ? "new" : "old"),
                    ]),
                    body: isKnown ? [] : body
                )
            }
        )
        _ = try await loading.load(url)
        for _ in 0..<3 {
            let confirmed = try await loading.load(url, .reloadRevalidatingCacheData)
            try Difference.check(confirmed.body, is: body, "a confirmed body")
            try Difference.check(confirmed.source, is: .validatedCache, "where it came from")
            let kept = try await loading.kept(url)
            try Difference.check(kept?.body, is: body, "the body, kept after it was confirmed")
            let kind = HTTPField.Name("X-Kind").flatMap { kept?.headerFields[$0] }
            try Difference.check(kind, is: "new", "a field of the confirmation")
        }
    }

    @Sendable private static func nothingIsLeft(_ cache: CheckedCache) async throws {
        let body = pattern(700_000)
        let fields = HTTPFields([("Cache-Control", "max-age=600"), ("Vary", "X-Kind")])
        let loading = cache.loading(CheckedServer { _ in CheckedServer.Answer(fields: fields, body: body) })
        for kind in ["1", "2", "3"] {
            _ = try await loading.load(url, .useProtocolCachePolicy, [("X-Kind", kind)])
        }
        _ = try await loading.load(url + "2")
        // An unsafe method removes the responses of its URL.
        _ = try await loading.load(url, method: "POST")
        for kind in ["1", "2", "3"] {
            let kept = try await loading.kept(url, [("X-Kind", kind)])
            try Difference.check(kept?.body, is: nil, "a variant that was removed")
        }
        try Difference.check(
            await cache.cache.contains(StoredResponse.key(for: try WebURL(url))),
            is: false,
            "whether it is cached"
        )
        try await cache.checkNothingIsLeft(of: url)
        try Difference.check(try await loading.kept(url + "2")?.body, is: body, "the response of another URL")
    }

    @Sendable private static func refusalsAreNoted(_ cache: CheckedCache) async throws {
        let refusing = cache.loading(
            CheckedServer { _ in
                CheckedServer.Answer(fields: HTTPFields([("Cache-Control", "no-store")]), body: [1])
            }
        )
        let address = try WebURL(url)
        let key = StoredResponse.key(for: address)
        _ = try await refusing.load(url)
        try Difference.check(try await refusing.kept(url)?.body, is: nil, "what must not be stored")
        guard case .notKept = await cache.cache.lookUp(key, for: WebRequest(url: address)) else {
            throw Difference(expected: "a note", found: "none")
        }
        try Difference.check(await cache.cache.contains(key), is: false, "whether it is cached")
        let storing = cache.loading(CheckedServer { _ in CheckedServer.Answer(body: [2]) })
        _ = try await storing.load(url)
        try Difference.check(try await storing.kept(url)?.body, is: [2], "what was stored later")
        try Difference.check(await cache.cache.contains(key), is: true, "whether it is cached")
        _ = try await refusing.load(url, .reloadIgnoringLocalCacheData)
        try Difference.check(try await storing.kept(url)?.body, is: [2], "what was stored before a refusal")
    }

    @Sendable private static func cutOffLeavesNothing(_ cache: CheckedCache) async throws {
        let cut = cache.loading(
            CheckedServer { _ in CheckedServer.Answer(body: pattern(900_000, 1), isCutOff: true) }
        )
        let whole = cache.loading(CheckedServer { _ in CheckedServer.Answer(body: pattern(600_000)) })
        // That it fails is what is wanted.
        _ = try? await cut.load(url, receiver: PausingReader())
        try Difference.check(try await cut.kept(url)?.body, is: nil, "a body that was cut off")
        try await cache.checkNothingIsLeft(of: url)
        _ = try await whole.load(url)
        _ = try? await cut.load(url, .reloadIgnoringLocalCacheData, receiver: PausingReader())
        try Difference.check(try await cut.kept(url)?.body, is: pattern(600_000), "what was there before")
    }

    @Sendable private static func oneOfManyIsKept(_ cache: CheckedCache) async throws {
        let loading = cache.loading(uniformServer)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    _ = try await loading.load(
                        url,
                        .reloadIgnoringLocalCacheData,
                        [("X-Kind", "\(number)")],
                        receiver: PausingReader()
                    )
                }
            }
            try await group.waitForAll()
        }
        try checkUniform(try await loading.kept(url)?.body, below: 8, 600_000)
    }

    /// A server whose body is of one value, which a field of the request says.
    private static var uniformServer: CheckedServer {
        CheckedServer { request in
            let kind = HTTPField.Name("X-Kind").flatMap { request.headerFields[$0] }
            return CheckedServer.Answer(body: uniform(kind.flatMap { UInt8($0) } ?? 0, 600_000))
        }
    }

    @Sendable private static func foundIsWhole(_ cache: CheckedCache) async throws {
        let loading = cache.loading(uniformServer)
        let isDone = Flag()
        _ = try await loading.load(url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { isDone.set() }
                for round in 0..<20 {
                    let kind = [("X-Kind", "\(round % 3)")]
                    _ = try await loading.load(url, .reloadIgnoringLocalCacheData, kind)
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    while !isDone.isSet {
                        try checkUniform(try await loading.kept(url)?.body, below: 3, 600_000)
                    }
                }
            }
            // A reader that finds something else ends the others, and the writer.
            while try await group.next() != nil {}
        }
    }

    @Sendable private static func readBodySurvives(_ cache: CheckedCache) async throws {
        let loading = cache.loading(uniformServer)
        _ = try await loading.load(url, .useProtocolCachePolicy, [("X-Kind", "1")])
        let (pauses, pause) = AsyncStream.makeStream(of: Void.self)
        let reader = PausingReader { pause.yield() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { pause.finish() }
                _ = try await loading.kept(url, receiver: reader)
            }
            for await _ in pauses {
                defer { reader.goOn() }
                _ = try await loading.load(url, .reloadIgnoringLocalCacheData, [("X-Kind", "2")])
                try checkUniform(try await loading.kept(url)?.body, below: 3, 600_000)
                _ = try await loading.load(url, method: "POST")
            }
            try await group.waitForAll()
        }
        try Difference.check(reader.bytes, is: uniform(1, 600_000), "a body that was being read")
        try Difference.check(try await loading.kept(url)?.body, is: nil, "what was removed meanwhile")
        try await cache.checkNothingIsLeft(of: url)
    }
}

/// Whether something has ended.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

/// Counts from one.
private final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
