import TestSupport
import Testing

@testable import WebStandards

struct DomainToASCIITests {
    private func ascii(_ domain: String) -> String? {
        DomainToASCII.convert(utf8: Array(domain.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("faß.de", "xn--fa-hia.de"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("☕.example", "xn--53h.example"),
        ("日本語。jp", "xn--wgv71a119e.jp"),
        ("a\u{0308}", "xn--4ca"),
        ("ｅｘａｍｐｌｅ", "example"),
        ("a\u{00AD}b", "ab"),
        ("한국", "xn--3e0b707e"),
        ("\u{1112}\u{1161}\u{11AB}국", "xn--3e0b707e"),
        ("xn--4ca.ä", "xn--4ca.xn--4ca"),
        ("क्\u{200D}ष", "xn--11b2ezcw70k"),
    ])
    func converts(domain: String, expected: String) {
        #expect(ascii(domain) == expected)
    }

    @Test(arguments: [
        "ä.xn--a", "ä.xn--", "ä.xn--xn---epa", "a\u{200D}b", "\u{0300}a", "אa", "1א", "אa1", "א1\u{0661}",
        "ä\u{FFFD}", "ä.xn--a-\u{00E4}", "\u{E000}",
    ])
    func refuses(domain: String) {
        #expect(ascii(domain) == nil)
    }
}

struct PunycodeTests {
    /// RFC 3492, section 7.1 (A), (B), (I), (L), (R), (S), in lower case.
    @Test(arguments: [
        ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
        ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
        ("そのスピードで", "d9juau41awczczp"),
        ("-> $1.00 <-", "-> $1.00 <--"),
    ])
    func encodesAndDecodesTheSamples(text: String, expected: String) {
        let scalars = text.unicodeScalars.map(\.value)
        var output: [UInt8] = []
        #expect(Punycode.encode(scalars[...], to: &output))
        #expect(String(decoding: output, as: UTF8.self) == expected)
        #expect(Punycode.decode(output.map(UInt32.init)[...]) == scalars)
    }

    @Test(arguments: ["a-ä", "99999999", "zzzzzzzzzzzz", "!", "-", "a-b_"])
    func refusesWhatIsNoPunycode(text: String) {
        #expect(Punycode.decode(text.unicodeScalars.map(\.value)[...]) == nil)
    }

    @Test func goesBothWaysForRandomLabels() {
        var generator = SeededGenerator(seed: 3492)
        for _ in 0..<300 {
            let scalars = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
                UInt32.random(
                    in: [0x61...0x7A, 0xA1...0xFF, 0x4E00...0x4E20].randomElement(using: &generator) ?? 0...0,
                    using: &generator
                )
            }
            var output: [UInt8] = []
            #expect(Punycode.encode(scalars[...], to: &output))
            let encoded = output.map(UInt32.init)
            if scalars.contains(where: { $0 >= 0x80 }) {
                #expect(Punycode.decode(encoded[...]) == scalars)
            }
        }
    }
}

struct NormalizationTests {
    private func nfc(_ text: String) -> [UInt32] {
        Normalization.nfc(text.unicodeScalars.map(\.value))
    }

    @Test func composes() {
        #expect(nfc("A\u{030A}") == [0xC5])
        #expect(nfc("\u{212B}") == [0xC5])
        #expect(nfc("q\u{0307}\u{0323}") == [0x71, 0x323, 0x307])
        #expect(nfc("D\u{0307}\u{0323}") == [0x1E0C, 0x307])
        #expect(nfc("\u{1112}\u{1161}\u{11AB}") == [0xD55C])
        #expect(nfc("\u{D558}\u{11AB}") == [0xD55C])
        #expect(nfc("\u{0958}") == [0x915, 0x93C])
        #expect(nfc("a\u{0315}\u{0300}\u{05AE}\u{0062}") == [0xE0, 0x5AE, 0x315, 0x62])
        #expect(nfc("\u{1100}\u{0300}\u{1161}") == [0x1100, 0x300, 0x1161])
    }

    /// The standard library compares strings by canonical equivalence, a normalization of its own.
    @Test func isCanonicallyEquivalentAndStable() {
        var generator = SeededGenerator(seed: 15)
        let alphabet: [ClosedRange<UInt32>] = [
            0x41...0x5A, 0xC0...0x17F, 0x300...0x345, 0x591...0x5C7, 0x1100...0x1112, 0x1161...0x1175,
            0x11A7...0x11C2, 0xAC00...0xAC60, 0x1E00...0x1FFE, 0x915...0x94D, 0x3046...0x309A,
            0xF900...0xFA6D,
        ]
        for _ in 0..<2000 {
            let scalars = (0..<8).compactMap { _ in
                alphabet.randomElement(using: &generator).map { UInt32.random(in: $0, using: &generator) }
            }
            let composed = Normalization.nfc(scalars)
            #expect(string(composed) == string(scalars))
            #expect(Normalization.nfc(composed) == composed)
        }
    }

    private func string(_ scalars: [UInt32]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars.compactMap(Unicode.Scalar.init))
        return String(view)
    }
}
