import Testing
import WebArchive

struct ZIPArchiveTests {
    private static let text = [UInt8](String(repeating: "hello", count: 1000).utf8)

    /// The text, compressed without a header.
    private static let deflated: [UInt8] = [
        0xED, 0xC4, 0xA1, 0x0D, 0x00, 0x00, 0x08, 0x03, 0xB0, 0x6B, 0x49, 0x26, 0x96, 0xF0, 0xBF, 0xE3, 0x0A,
        0x5C, 0x2B, 0x9A, 0x69, 0x37, 0x92, 0x24, 0x49, 0x92, 0x24, 0x49, 0x92, 0x3E, 0x3B,
    ]

    private static func archive(_ make: (inout ZIPMaker) -> Void) throws -> ZIPArchive {
        var maker = ZIPMaker()
        make(&maker)
        return try ZIPArchive(file: ArchiveFile(bytes: maker.bytes, path: "x.zip"))
    }

    private static func error(_ body: () throws -> Void) -> ArchiveError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ArchiveError)?.code
        }
    }

    @Test func aStoredMemberIsAPartOfTheFile() throws {
        let zip = try Self.archive {
            $0.add("a/", "")
            $0.add("a/b", "bytes")
        }
        #expect(zip.entries.map(\.name) == ["a/", "a/b"] && zip.entries[0].isFolder && zip.damage == nil)
        let entry = try #require(zip["a/b"])
        let part = try #require(try zip.stored(entry))
        #expect(part.size == 5)
        #expect(try part.bytes(at: 1, count: 9) == Array("ytes".utf8))
    }

    @Test func aCompressedMemberIsReadPieceByPiece() throws {
        let zip = try Self.archive { $0.add("a", Self.text, compressed: Self.deflated) }
        #expect(try zip.stored(zip.entries[0]) == nil)
        #expect(try zip.contents(of: zip.entries[0], maximumSize: 5000) == Self.text)
        let (file, failure) = try zip.member(zip.entries[0], maximumSize: 5000)
        #expect(failure == nil && file.size == 5000)
    }

    @Test func anArchiveBehindOtherBytesIsRead() throws {
        var maker = ZIPMaker()
        maker.add("a", "bytes")
        let file = ArchiveFile(bytes: Array("front".utf8) + maker.bytes, path: "x")
        let zip = try ZIPArchive(file: file)
        #expect(try zip.stored(zip.entries[0])?.bytes(at: 0, count: 9) == Array("bytes".utf8))
    }

    @Test func moreBytesThanAcceptedAreAnError() throws {
        let zip = try Self.archive { $0.add("a", Self.text, compressed: Self.deflated) }
        #expect(Self.error { _ = try zip.contents(of: zip.entries[0], maximumSize: 4999) } == .limit)
    }

    @Test func encryptedAndUnknownMembersAreRefused() throws {
        let zip = try Self.archive {
            $0.add("a", Self.text, flags: 1)
            $0.add("b", Self.text, method: 99)
        }
        #expect(zip.entries.map(\.isReadable) == [false, false])
        for entry in zip.entries {
            #expect(Self.error { _ = try zip.contents(of: entry, maximumSize: 9999) } == .body)
            #expect(Self.error { _ = try zip.stored(entry) } == .body)
        }
    }

    @Test func damageIsFound() throws {
        let zip = try Self.archive {
            $0.add("a", Self.text, compressed: Self.deflated, hasRightChecksum: false)
            $0.add("b", Self.text, compressed: Self.deflated.dropLast(4))
            $0.add("c", Self.text + [1], compressed: Self.deflated)
            $0.add("d", Self.text, hasRightChecksum: false)
        }
        for entry in zip.entries {
            #expect(Self.error { _ = try zip.contents(of: entry, maximumSize: 9999) } == .body)
        }
    }

    @Test func namesThatComeTwiceAreKnown() throws {
        let zip = try Self.archive {
            $0.add("a", "1")
            $0.add("b", "2")
            $0.add("a", "3")
        }
        #expect(zip.entries.count == 3 && zip.duplicates == ["a"])
        #expect(try zip["a"].map { try zip.contents(of: $0, maximumSize: 9) } == Array("1".utf8))
    }

    @Test func aDamagedDirectoryLosesNoMember() throws {
        var maker = ZIPMaker()
        for name in ["a", "b", "c"] { maker.add(name, name) }
        var bytes = maker.bytes
        // The signature of the third entry, before the end and the entry itself.
        bytes[bytes.count - 22 - 47] = 0
        let zip = try ZIPArchive(file: ArchiveFile(bytes: bytes, path: "x"))
        #expect(zip.entries.map(\.name) == ["a", "b", "c"] && zip.damage != nil)
        #expect(try zip["c"].map { try zip.contents(of: $0, maximumSize: 9) } == Array("c".utf8))
    }

    @Test func anArchiveThatIsCutOffIsReadAsFarAsItGoes() throws {
        var maker = ZIPMaker()
        maker.add("a", Self.text, compressed: Self.deflated)
        maker.add("b", Self.text)
        let bytes = Array(maker.bytes.prefix(1000))
        let zip = try ZIPArchive(file: ArchiveFile(bytes: bytes, path: "x"))
        #expect(zip.entries.map(\.name) == ["a", "b"] && zip.damage != nil)
        #expect(try zip.contents(of: zip.entries[0], maximumSize: 5000) == Self.text)
        let part = try #require(try zip.stored(zip.entries[1]))
        #expect(try part.bytes(at: 0, count: 10) == Array("hellohello".utf8))
        #expect(Self.error { _ = try zip.contents(of: zip.entries[0], maximumSize: 4999) } == .limit)
    }

    @Test(arguments: [[], Array("PK".utf8), [UInt8](repeating: 0, count: 5000)])
    func whatHasNoDirectoryIsNoArchive(bytes: [UInt8]) {
        #expect(
            Self.error { _ = try ZIPArchive(file: ArchiveFile(bytes: bytes, path: "x")) } == .notAnArchive
        )
    }

    @Test func noByteOfAnArchiveTraps() throws {
        var maker = ZIPMaker()
        maker.add("a", Self.text, compressed: Self.deflated)
        maker.add("b", "bytes")
        for index in maker.bytes.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var bytes = maker.bytes
                bytes[index] = value
                _ = Self.error {
                    let zip = try ZIPArchive(file: ArchiveFile(bytes: bytes, path: "x"))
                    for entry in zip.entries {
                        _ = Self.error { _ = try zip.stored(entry)?.bytes(at: 0, count: 100) }
                        _ = Self.error { _ = try zip.contents(of: entry, maximumSize: 100_000) }
                    }
                }
            }
        }
    }
}
