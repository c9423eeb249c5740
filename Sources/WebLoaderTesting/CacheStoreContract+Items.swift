import WebTransport

extension CacheStoreContract {
    /// The checks of a store's own methods.
    static var itemChecks: [Check] {
        [
            Check(items: "bytes come back as they were stored", bytesComeBack),
            Check(items: "what was not stored is not there", nothingIsInvented),
            Check(items: "a later item takes the place of the earlier one", laterTakesThePlace),
            Check(items: "keys are told apart by each of their bytes", keysAreToldApart),
            Check(items: "names are told apart by each of their bytes", namesAreToldApart),
            Check(items: "names are those of all items that are there", namesAreComplete),
            Check(items: "what is told is removed, and nothing else", onlyWhatIsToldIsRemoved),
            Check(
                items: "who reads while an item is replaced gets the old one or the new one",
                itemsAreWhole
            ),
            Check(
                items: "a call that is cancelled leaves the old item or the new one",
                cancelledCallsAreWhole
            ),
            Check(items: "what was done is seen by whoever asks later", whatWasDoneIsSeen),
            Check(items: "any number of calls may be made at once", callsAtOnce),
        ]
    }

    private static let key = CacheKey("http://a.test/page?q#")
    private static let body = "0123456789abcdef0123456789abcd.0123456789abcdef"

    /// Bytes of every value, other ones for each seed.
    static func pattern(_ count: Int, _ seed: UInt8 = 0) -> [UInt8] {
        let block = (0..<257).map { UInt8(truncatingIfNeeded: $0) &+ seed }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + block.count)
        while bytes.count < count { bytes += block }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    @Sendable private static func bytesComeBack(_ store: any CacheStore) async throws {
        for count in [1, 8, 255, 256, 4097, 65_536, (256 << 10) + 8, 300_000] {
            try await store.store(pattern(count), as: "response", of: key)
            try Difference.check(try await store.bytes("response", of: key), is: pattern(count), "an item")
        }
        // Not UTF-8, and what databases and protocols have for ends and quotes.
        for bytes: [UInt8] in [[0], [0, 0], [0xFF, 0xFE], [0xC3, 0x28], Array("'\"\\\r\n\r\n\0%s".utf8)] {
            try await store.store(bytes, as: "response", of: key)
            try Difference.check(try await store.bytes("response", of: key), is: bytes, "the item \(bytes)")
        }
    }

    @Sendable private static func nothingIsInvented(_ store: any CacheStore) async throws {
        try Difference.check(try await store.bytes("response", of: key), is: nil, "an item of an empty store")
        try Difference.check(try await store.names(of: key), is: [], "the names in an empty store")
        try await store.store([1], as: "response", of: key)
        let other = CacheKey("http://b.test/")
        try Difference.check(try await store.bytes("response", of: other), is: nil, "an item of another key")
        try Difference.check(try await store.names(of: other), is: [], "the names of another key")
        try Difference.check(try await store.bytes(body + ".0", of: key), is: nil, "an item of another name")
    }

    @Sendable private static func laterTakesThePlace(_ store: any CacheStore) async throws {
        for (seed, count) in [300_000, 10, 5000, 1, 1].enumerated() {
            let bytes = pattern(count, UInt8(truncatingIfNeeded: seed))
            try await store.store(bytes, as: "response", of: key)
            try Difference.check(try await store.bytes("response", of: key), is: bytes, "the last item")
            try Difference.check(try await store.names(of: key), is: ["response"], "the names")
        }
    }

    /// Keys that a store that folds, trims, cuts or normalises would take for one another.
    private static let similarKeys: [CacheKey] = [
        "http://a.test/", "http://a.test", "http://a.test//", "http://A.test/", "http://a.test/%2F",
        "http://a.test/%2f", "http://a.test/?", "http://a.test/ ", "http://a.test/a", "http://a.test/a/b",
        "http://a.test/a%", "http://a.test/a_", "http://a.test/a*", "http://a.test/\u{E9}",
        "http://a.test/e\u{301}", "http://a.test/a\0b", "http://a.test/a\0c", "", " ", "\0", ".", "..",
        "../a",
        "response", long + "a", long + "b",
    ].map { CacheKey($0) }

    private static let long = "http://a.test/" + String(repeating: "x", count: 100_000)

    @Sendable private static func keysAreToldApart(_ store: any CacheStore) async throws {
        for (index, key) in similarKeys.enumerated() {
            try await store.store([UInt8(truncatingIfNeeded: index)], as: "response", of: key)
        }
        for (index, key) in similarKeys.enumerated() {
            try Difference.check(
                try await store.bytes("response", of: key),
                is: [UInt8(truncatingIfNeeded: index)],
                "the item of \"\(key.text.prefix(40))\""
            )
        }
    }

    @Sendable private static func namesAreToldApart(_ store: any CacheStore) async throws {
        let names = [
            "response", "variant-0123456789abcdef", "variant-0123456789abcdee", "\(body).0", "\(body).1",
            "\(body).10", "\(body).11", "\(body.dropLast())0.1", "1\(body.dropFirst()).1",
            "\(body).100000000",
        ]
        for (index, name) in names.enumerated() {
            try await store.store([UInt8(truncatingIfNeeded: index)], as: name, of: key)
        }
        for (index, name) in names.enumerated() {
            try Difference.check(
                try await store.bytes(name, of: key),
                is: [UInt8(truncatingIfNeeded: index)],
                name
            )
        }
    }

    /// More than the thousand that servers hand out at once.
    @Sendable private static func namesAreComplete(_ store: any CacheStore) async throws {
        let names = (0..<1100).map { "\(body).\($0)" }
        for name in names { try await store.store([1], as: name, of: key) }
        try await store.store([1], as: "response", of: CacheKey("http://a.test/page"))
        let found = try await store.names(of: key)
        try Difference.check(found.count, is: names.count, "the number of names")
        try Difference.check(Set(found), is: Set(names), "the names")
        try await store.remove(names, of: key)
        try Difference.check(try await store.names(of: key), is: [], "the names, after all were removed")
    }

    @Sendable private static func onlyWhatIsToldIsRemoved(_ store: any CacheStore) async throws {
        let other = CacheKey("http://a.test/page?q#b")
        for key in [key, other] {
            for name in ["response", "\(body).1", "\(body).10"] {
                try await store.store([7], as: name, of: key)
            }
        }
        try await store.remove(["\(body).1", "\(body).2"], of: key)
        try Difference.check(try await store.bytes("\(body).1", of: key), is: nil, "a removed item")
        try Difference.check(try await store.bytes("\(body).10", of: key), is: [7], "an item beside it")
        try Difference.check(
            Set(try await store.names(of: key)),
            is: ["response", "\(body).10"],
            "the names, after one was removed"
        )
        try await store.remove([], of: key)
        try Difference.check(
            try await store.bytes("response", of: key),
            is: [7],
            "an item, nothing being removed"
        )
        try await store.remove(["response", "\(body).10"], of: key)
        try await store.remove(["response"], of: key)
        try await store.remove(["response"], of: CacheKey("http://nobody.test/"))
        try Difference.check(try await store.bytes("response", of: key), is: nil, "the last removed item")
        try Difference.check(
            try await store.names(of: other).count,
            is: 3,
            "the number of another key's names"
        )
        try await store.store([8], as: "response", of: key)
        try Difference.check(
            try await store.bytes("response", of: key),
            is: [8],
            "an item stored after its removal"
        )
    }

    @Sendable private static func itemsAreWhole(_ store: any CacheStore) async throws {
        try await store.store(uniform(0), as: "response", of: key)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 as Range<UInt8> {
                group.addTask {
                    for _ in 0..<25 { try await store.store(uniform(writer), as: "response", of: key) }
                }
                group.addTask {
                    for _ in 0..<50 {
                        try checkUniform(try await store.bytes("response", of: key), below: 4)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Waits for the end of each call that was cancelled, which a loader does not.
    @Sendable private static func cancelledCallsAreWhole(_ patient: any CacheStore) async throws {
        let store = (patient as? PatientStore)?.store ?? patient
        try await patient.store(uniform(0), as: "response", of: key)
        for round in 0..<20 {
            let bytes = uniform(UInt8(truncatingIfNeeded: round % 3))
            let found = try await StoreCall.made(within: PatientStore.patience) {
                let task = Task { try await store.store(bytes, as: "response", of: key) }
                for _ in 0..<round { await Task.yield() }
                task.cancel()
                _ = await task.result
                return try await store.bytes("response", of: key)
            }
            try checkUniform(found, below: 3)
        }
    }

    @Sendable private static func whatWasDoneIsSeen(_ store: any CacheStore) async throws {
        for round in 0..<20 as Range<UInt8> {
            try await store.store([round], as: "response", of: key)
            try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                for _ in 0..<4 { group.addTask { try await store.bytes("response", of: key) } }
                for try await found in group {
                    try Difference.check(found, is: [round], "what was stored last")
                }
            }
            try await store.remove(["response"], of: key)
            try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                for _ in 0..<4 { group.addTask { try await store.bytes("response", of: key) } }
                for try await found in group { try Difference.check(found, is: nil, "what was removed") }
            }
        }
    }

    @Sendable private static func callsAtOnce(_ store: any CacheStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 as Range<UInt8> {
                group.addTask {
                    let own = CacheKey("http://\(number % 16).test/")
                    let name = "\(body).\(number)"
                    for round in 0..<10 as Range<UInt8> {
                        let bytes = pattern(3000, number &+ round)
                        try await store.store(bytes, as: name, of: own)
                        try Difference.check(
                            try await store.bytes(name, of: own),
                            is: bytes,
                            "an item of one task"
                        )
                        let isListed = try await store.names(of: own).contains(name)
                        try Difference.check(isListed, is: true, "that the item is named")
                        try await store.remove([name], of: own)
                        try Difference.check(
                            try await store.bytes(name, of: own),
                            is: nil,
                            "what a task has removed"
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: - Bytes that show whether they are of one kind

    /// Bytes of one value, in a number of their own.
    static func uniform(_ value: UInt8, _ count: Int = 50_000) -> [UInt8] {
        [UInt8](repeating: value, count: count + 1000 * Int(value))
    }

    /// Throws unless bytes are one of the first uniform ones.
    static func checkUniform(_ found: [UInt8]?, below limit: UInt8, _ count: Int = 50_000) throws {
        guard let found else { throw Difference(expected: "the old bytes or the new ones", found: "nothing") }
        guard let value = found.first, value < limit, found == uniform(value, count) else {
            throw Difference(
                expected: "the old bytes or the new ones",
                found: "\(found.count) bytes, of the values \(Set(found).sorted().prefix(5))"
            )
        }
    }
}
