import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

struct CacheEntryFileTests {
    private static let entry = StoredResponse(
        key: "http://a.test/ä?q",
        varyingFields: [("accept", "a/b"), ("x", nil)],
        requestTime: Timestamp(millisecondsSince1970: -1),
        responseTime: Timestamp(millisecondsSince1970: 1_700_000_000_123),
        status: 203,
        httpVersion: nil,
        headerFields: HTTPFields(lines: [("B", "1"), ("A", ""), ("b", "ü 2")]),
        body: .bytes(Array("body".utf8)),
        isKeptForOfflineUse: true,
        remoteAddress: "2001:db8::1"
    )

    private static var file: [UInt8] { CacheEntryFile.file(of: entry) }

    /// Reads a file as the store does.
    private func read(_ file: [UInt8]) throws(CacheEntryFile.Damage) -> StoredResponse {
        let prefix = try CacheEntryFile.prefix(file, fileSize: file.count)
        guard prefix.kind != .note else { throw CacheEntryFile.Damage("kind") }
        var response = try CacheEntryFile.head(file, prefix).response
        let body = Array(file.dropFirst(CacheEntryFile.prefixLength + prefix.headLength))
        guard ContentHash.checksum(body) == prefix.bodyChecksum else { throw CacheEntryFile.Damage("body") }
        response.body = .bytes(body)
        return response
    }

    private func damage(_ file: [UInt8]) -> String? {
        do throws(CacheEntryFile.Damage) {
            _ = try read(file)
            return nil
        } catch {
            return error.reason
        }
    }

    private func expectEqual(_ a: StoredResponse, _ b: StoredResponse) {
        #expect(a.key == b.key)
        #expect(a.varyingFields.map(\.name) == b.varyingFields.map(\.name))
        #expect(a.varyingFields.map(\.value) == b.varyingFields.map(\.value))
        #expect(a.requestTime == b.requestTime)
        #expect(a.responseTime == b.responseTime)
        #expect(a.status == b.status)
        #expect(a.httpVersion == b.httpVersion)
        #expect(
            a.headerFields.map { "\($0.name.rawName): \($0.value)" }
                == b.headerFields.map { "\($0.name.rawName): \($0.value)" }
        )
        #expect(a.body.all == b.body.all)
        #expect(a.isKeptForOfflineUse == b.isKeptForOfflineUse)
        #expect(a.isOutdated == b.isOutdated)
        #expect(a.remoteAddress == b.remoteAddress)
    }

    @Test func whatTheUserAskedToKeepIsSeenFromTheFirstBytes() throws {
        var kept = Self.entry
        kept.isKeptOnRequest = true
        let file = CacheEntryFile.file(of: kept)
        #expect(try read(file).isKeptOnRequest)
        #expect(try !read(Self.file).isKeptOnRequest)
        #expect(CacheEntryFile.isKept(Array(file.prefix(CacheEntryFile.prefixLength))))
        #expect(!CacheEntryFile.isKept(Self.file))
        #expect(!CacheEntryFile.isKept(Array(file.prefix(11))))
    }

    @Test func givesBackWhatWasWritten() throws {
        try expectEqual(read(Self.file), Self.entry)
        var other = Self.entry
        other.httpVersion = "1.1"
        other.headerFields = HTTPFields()
        other.varyingFields = []
        other.body = .bytes([])
        other.isKeptForOfflineUse = false
        other.isOutdated = true
        try expectEqual(read(CacheEntryFile.file(of: other)), other)
    }

    @Test func keepsAFieldsBytes() throws {
        var entry = Self.entry
        entry.headerFields = HTTPFields()
        let name = try #require(HTTPField.Name("X"))
        entry.headerFields.append(HTTPField(name: name, lenientValue: [0x61, 0xFF, 0xE9]))
        let read = try read(CacheEntryFile.file(of: entry))
        let bytes = read.headerFields.map { field in
            unsafe field.withUnsafeBytesOfValue { unsafe Array($0) }
        }
        #expect(bytes == [[0x61, 0xFF, 0xE9]])
    }

    @Test func everyTruncationIsDamage() {
        for length in 0..<Self.file.count {
            #expect(damage(Array(Self.file.prefix(length))) != nil, "\(length) bytes")
        }
    }

    @Test func everyFlippedBitIsDamage() {
        for bit in 0..<Self.file.count * 8 {
            var file = Self.file
            file[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(damage(file) != nil, "bit \(bit)")
        }
    }

    @Test(arguments: CacheDecision.StorageRefusal.allCases)
    func givesBackANote(refusal: CacheDecision.StorageRefusal) throws {
        let time = Timestamp(millisecondsSince1970: 1_700_000_000_123)
        let file = CacheEntryFile.file(of: refusal, at: time)
        let prefix = try CacheEntryFile.prefix(file, fileSize: file.count)
        #expect(prefix.kind == .note)
        let note = try CacheEntryFile.note(file, prefix)
        #expect(note.refusal == refusal)
        #expect(note.time == time)
        for length in 0..<file.count {
            let cut = Array(file.prefix(length))
            #expect(throws: CacheEntryFile.Damage.self) { try CacheEntryFile.prefix(cut, fileSize: length) }
        }
    }

    @Test(
        "A name says what a file is",
        arguments: [
            ("58538136dd3ccbbde3e7415ed58cf4", .entry),
            ("58538136dd3ccbbde3e7415ed58cf4-0123456789abcdef", .variant),
            ("58538136dd3ccbbde3e7415ed58cf4.0123456789abcdef", .body), (".new-0123456789abcdef", .temporary),
            (".new-foo", .foreign), (".new-", .foreign), (".new-0123456789ABCDEF", .foreign),
            (".new-0123456789abcdef0", .foreign), (".new-0123456789abcde", .foreign),
            ("x.new-0123456789abcdef", .foreign),
            ("58538136dd3ccbbde3e7415ed58cf", .foreign), ("58538136DD3CCBBDE3E7415ED58CF4", .foreign),
            ("58538136dd3ccbbde3e7415ed58cf4.0123456789abcde/", .foreign), ("README.txt", .foreign),
            ("", .foreign),
            ("58538136dd3ccbbde3e7415ed58cf4_0123456789abcdef", .foreign),
            ("é58538136dd3ccbbde3e7415ed58c", .foreign),
        ] as [(String, CacheEntryName.Kind)]
    )
    func names(name: String, kind: CacheEntryName.Kind) {
        #expect(CacheEntryName.kind(of: name) == kind)
    }

    @Test func whatFollowsIsDamage() {
        #expect(damage(Self.file + [0]) == "its lengths are inconsistent")
    }

    @Test(
        "What is no entry says so",
        arguments: [
            ([], "the file is truncated"), ([UInt8](repeating: 0, count: 500), "it is not a cache entry"),
            (Array("GIF89a".utf8) + [UInt8](repeating: 7, count: 100), "it is not a cache entry"),
        ] as [([UInt8], String)]
    )
    func garbage(file: [UInt8], reason: String) {
        #expect(damage(file) == reason)
    }

    @Test(arguments: [0, 1, 3, 255] as [UInt8])
    func otherVersionsAreNotRead(version: UInt8) {
        var file = Self.file
        file[8] = version
        #expect(damage(file) == "it has format version \(version)")
    }

    /// Zeros are what a power failure leaves of a file whose blocks were never written.
    @Test func zerosFromAnywhereToTheEndAreDamage() {
        let file = Self.file
        for start in 0..<file.count {
            let zeroed = Array(file.prefix(start)) + [UInt8](repeating: 0, count: file.count - start)
            #expect(damage(zeroed) != nil, "from \(start)")
        }
    }

    @Test(arguments: 0..<4)
    func bytesAtRandomAreDamage(seed: UInt64) {
        var generator = SeededBytes(seed: seed)
        for length in 0..<300 {
            var file = Array(Self.file.prefix(12))
            file += (0..<length).map { _ in generator.next() }
            #expect(damage(file) != nil)
        }
    }

    /// With the right checksums, for a head that says anything: read or refused, never a trap.
    @Test(arguments: 0..<4)
    func headsAtRandomNeverTrap(seed: UInt64) {
        var generator = SeededBytes(seed: seed)
        for _ in 0..<500 {
            var entry = Self.entry
            entry.key = String(decoding: (0..<8).map { _ in generator.next() }, as: UTF8.self)
            entry.body = .bytes([])
            var file = CacheEntryFile.file(of: entry)
            let place =
                CacheEntryFile.prefixLength + Int(generator.next())
                % (file.count - CacheEntryFile.prefixLength)
            file[place] = generator.next()
            let head = Array(file.dropFirst(CacheEntryFile.prefixLength))
            let prefix = CacheEntryFile.Prefix(
                kind: .response,
                headLength: head.count,
                bodyLength: 0,
                headChecksum: ContentHash.checksum(head),
                bodyChecksum: ContentHash.checksum([])
            )
            _ = try? CacheEntryFile.head(file, prefix)
            _ = try? CacheEntryFile.note(file, prefix)
        }
    }
}

/// Bytes that are the same in every run.
private struct SeededBytes {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt8 {
        UInt8(truncatingIfNeeded: generator.next())
    }
}
