import Testing
import WebArchive

struct DigestTests {
    private static let abc: [(Digest.Algorithm, String)] = [
        (.md5, "900150983cd24fb0d6963f7d28e17f72"), (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ]

    @Test(arguments: abc)
    func digestsAreThoseOfTheirStandard(algorithm: Digest.Algorithm, expected: String) throws {
        var digest = try Digest(algorithm)
        for _ in 0..<2 {
            digest.update(Array("a".utf8))
            digest.update([])
            digest.update(Array("bc".utf8))
            #expect(Base16.encode(digest.finish()) == expected)
        }
    }

    @Test(arguments: Digest.Algorithm.allCases)
    func everyAlgorithmIsThere(algorithm: Digest.Algorithm) throws {
        var digest = try Digest(algorithm)
        let bytes = digest.finish()
        #expect(bytes.count == algorithm.length)
        let value = Digest.Value(algorithm, bytes)
        #expect(Digest.parse(value.text) == .value(value))
    }

    @Test(
        arguments: [
            "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", "sha1:vgmt4nsha2awvor6evyxqugcnsonbwe5",
            "SHA-1:a9993e364706816aba3e25717850c26c9cd0d89d", "sha1:A9993E364706816ABA3E25717850C26C9CD0D89D",
            "sha1:qZk+NkcGgWq6PiVxeFDCbJzQ2J0=",
        ]
    )
    func oneDigestIsWrittenInManyWays(text: String) {
        let bytes = Base16.decode("a9993e364706816aba3e25717850c26c9cd0d89d".utf8) ?? []
        #expect(Digest.parse(text) == .value(Digest.Value(.sha1, bytes)))
    }

    @Test func anMD5InBase32IsKnownByItsPadding() {
        let bytes = [UInt8](0..<16)
        #expect(Digest.parse("md5:" + Base32.encode(bytes)) == .value(Digest.Value(.md5, bytes)))
        #expect(Digest.parse("md5:" + Base16.encode(bytes)) == .value(Digest.Value(.md5, bytes)))
    }

    @Test(
        arguments: [
            ("sha1:1112H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", .malformed(.sha1)), ("sha256:", .malformed(.sha256)),
            ("crc32:abcd", .unknown), ("nothing", .unknown), ("", .unknown),
        ] as [(String, Digest.Statement)]
    )
    func othersAreNone(text: String, expected: Digest.Statement) {
        #expect(Digest.parse(text) == expected)
    }

    @Test(arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar"])
    func base32GoesThereAndBack(text: String) {
        let bytes = Array(text.utf8)
        let encoded = Base32.encode(bytes)
        #expect(encoded.utf8.count % 8 == 0)
        #expect(Base32.decode(Array(encoded.utf8)) == bytes)
    }
}
