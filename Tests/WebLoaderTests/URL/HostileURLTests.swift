import TestSupport
import Testing

@testable import WebStandards

/// Inputs made to break a parser: no trap, linear time, and a serialisation that parses to itself.
struct HostileURLTests {
    @Test(
        .timeLimit(.minutes(20)),
        arguments: ["a", "/", "@", "%", " x", "\t", ".", ":", "ä", "?", "#", "[", "\\"]
    )
    func takesALotOfOneThing(_ unit: String) throws {
        let text = String(repeating: unit, count: 200_000)
        for prefix in ["http://h/", "http://", "foo:", "foo://", "file:", ""] {
            try expectStable(prefix + text, base: WebURL("http://base/x/y?q"))
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func takesTenMegabytes() throws {
        let url = try WebURL("http://h/" + String(repeating: "abcdefgh/?", count: 1_000_000) + "#x")
        #expect(url.href.utf8.count == 10_000_000 + 9 + 2)
        #expect(url.fragment == "x")
    }

    @Test(
        .enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"),
        .timeLimit(.minutes(20)),
        arguments: ["../", "%2e%2E\\", "a/../", "./", "..//", "a/"]
    )
    func takesAMillionSegments(_ segment: String) throws {
        let reference = String(repeating: segment, count: 1_000_000)
        let deep = try WebURL("http://h/" + String(repeating: "a/", count: 1_000_000))
        try expectStable(reference, base: deep)
        try expectStable("foo:/" + reference, base: nil)
        try expectStable("file:///C:/" + reference, base: nil)
        if segment == "../" {
            #expect(try deep.resolving(reference).href == "http://h/")
        }
    }

    @Test(
        .enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"),
        .timeLimit(.minutes(20)),
        arguments: ["ä", "\u{0301}", "א", "\u{200C}", "ä.", "xn--", "ﷺ", "한", "%C3%A4", "1.", "０"]
    )
    func takesLongDomains(_ unit: String) throws {
        let text = "ä" + String(repeating: unit, count: 100_000)
        try expectStable("http://\(text)/", base: nil)
        try expectStable("http://\(String(repeating: unit, count: 100_000))/", base: nil)
    }

    /// Every distinct code point costs the RFC's own encoder and decoder a pass.
    @Test(.timeLimit(.minutes(20)))
    func takesLabelsOfManyDistinctCodePoints() throws {
        let ideographs = (0..<200_000).compactMap { Unicode.Scalar(UInt32(0x4E00 + $0 * 7919 % 20_000)) }
        var label = String.UnicodeScalarView()
        label.append(contentsOf: ideographs)
        let url = try WebURL("http://\(String(label))/")
        #expect(try WebURL("http://ä.\(url.hostname)/").hostname == "xn--4ca." + url.hostname)
        let marks = (0..<200_000).compactMap { Unicode.Scalar(UInt32(0x300 + $0 * 31 % 0x40)) }
        var stacked = String.UnicodeScalarView("a".unicodeScalars)
        stacked.append(contentsOf: marks)
        try expectStable("http://\(String(stacked))/", base: nil)
    }

    private static let templates = [
        "http://user:pass@host.example:80/a/b?q=1#f", "foo://h:1/a/../b?q#f", "file:///C:/x/../y?q",
        "data:a b?c#d",
        "//h/x", "../a/./b", "http://[1::2]:3/", "http://1.2.3.4/", "foo:/.//x",
    ]

    /// Every ASCII byte in place of and before every byte of some templates.
    @Test(.timeLimit(.minutes(20)), arguments: templates)
    func takesAnyByteAnywhere(_ template: String) throws {
        let bases = try [nil, WebURL("http://u@base/x/y?q#f"), WebURL("file:///D:/x"), WebURL("foo:/.//x")]
        let bytes = Array(template.utf8)
        var count = 0
        for position in 0...bytes.count {
            for byte in UInt8(0)..<0x80 {
                for isReplaced in [false, true] where position < bytes.count || !isReplaced {
                    var changed = bytes
                    changed.replaceSubrange(position..<position + (isReplaced ? 1 : 0), with: [byte])
                    try expectStable(changed, base: bases[(position + Int(byte)) % bases.count])
                    count += 1
                }
            }
        }
        #expect(count == 128 * (2 * bytes.count + 1))
    }

    /// Random mixtures of what the states look for, cut anywhere, so that UTF-8 breaks too.
    @Test(.timeLimit(.minutes(20)), arguments: 0..<8)
    func takesRandomBytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces =
            [
                "http:", "https:", "file:", "foo:", "ws:", "//", "/", "\\", "..", ".", "%2e", "%", "?", "#",
                "@", ":", "[",
                "]", "C|", "C:", "localhost", "a", "1", "0x", "::", "ä", "\u{FFFD}", "\u{0338}", "<", " ",
                "\t", "\n",
                "\0", "xn--", "\u{05D0}", "\u{200D}",
            ].map { Array($0.utf8) } + [[0xFF], [0xED, 0xA0, 0x80], [0xC3]]
        let bases = try [
            nil, WebURL("http://u:p@base:8/x/y?q#f"), WebURL("file:///D:/x"), WebURL("foo:/.//x?q"),
        ]
        for _ in 0..<4000 {
            let bytes = (0..<Int.random(in: 0...14, using: &generator)).flatMap { _ in
                pieces.randomElement(using: &generator) ?? []
            }
            try expectStable(bytes, base: bases.randomElement(using: &generator) ?? nil)
        }
    }

    // MARK: Checks

    private func expectStable(_ input: String, base: WebURL?) throws {
        try expectStable(Array(input.utf8), base: base)
    }

    /// Expects failure, or a URL that is ASCII, is taken apart as its parts are written down, and parses to itself.
    private func expectStable(_ input: [UInt8], base: WebURL?) throws {
        guard let url = try? WebURL.parse(utf8: input.span, base: base) else { return }
        let again = try WebURL(url.href)
        guard again.components == url.components, url.href.utf8.allSatisfy({ $0 < 0x80 }) else {
            let text = String(decoding: input.prefix(200), as: UTF8.self).debugDescription
            Issue.record("\(text) against \(base?.href.prefix(80) ?? "nothing"): \(url.href.prefix(200))")
            return
        }
    }
}
