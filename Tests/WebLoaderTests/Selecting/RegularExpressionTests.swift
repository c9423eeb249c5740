import Testing

@testable import WebDocument

/// The regular expressions of `:matches()` and of XPath's `matches()`.
struct RegularExpressionTests {
    @Test(
        "What matches",
        arguments: [
            ("", "x", true), ("a", "bab", true), ("^a", "ba", false), ("a$", "ab", false),
            ("^ab?c$", "ac", true), ("a|b|c", "xc", true), ("^(ab|cd)+$", "abcdab", true),
            ("^(?:ab){2}$", "abab", true), ("^a{2,3}$", "aaaa", false), ("^a{2,}$", "aaaa", true),
            ("^a{0}$", "", true), ("a{", "a{", true), ("a{x}", "a{x}", true),
            ("^[a-c]+$", "abcb", true), ("[^a-c]", "abc", false), ("[]a]", "]", true), ("[a\\]]", "]", true),
            ("[a-]", "-", true), (#"^\d+$"#, "123", true),
            (#"\bfoo\b"#, "a foo b", true), (#"\bfoo\b"#, "afoo", false), (#"\Boo"#, "foo", true),
            (#"^\w+\s\W$"#, "ab !", true), (".", "\n", false), (#"\."#, "a", false),
            ("(?i)STRASSE", "Strasse", true), ("(?i)ä", "Ä", true), ("(?i)[A-C]", "b", true),
            ("(?i)[a-c]", "B", true), ("ä", "Ä", false), (#"\u00e4"#, "ä", true),
            (#"\x41"#, "A", true), (#"\u{1F600}"#, "\u{1F600}", true), ("^.$", "\u{1F600}", true),
            ("a*?b", "aab", true), ("(a*)*b", "aaab", true), ("^(a|)+$", "aa", true),
            ("(|a)b", "b", true), (#"[\d\s]"#, " ", true), (#"\\"#, "\\", true), ("^$", "", true),
            ("^$", "a", false),
        ]
    )
    func matches(pattern: String, text: String, expected: Bool) throws {
        var steps = 1_000_000
        #expect(try RegularExpression(pattern).matches(Array(text.utf8), steps: &steps) == expected)
        #expect(steps > 0)
    }

    @Test(
        "What cannot be read",
        arguments: [
            "(", ")", "a)", "[", "[a", "*", "a**", "+", "a{2,1}", "\\", "\\q", "(?=a)", "(?<a>b)", #"(a)\1"#,
            "[b-a]", "a++", #"\x4"#, "(?i", #"[\D]"#,
            #"\u{110000}"#, String(repeating: "(", count: 1000), "a{1000000}", "(((a{100}){100}){100})",
            String(repeating: "a", count: 20_000),
        ]
    )
    func errors(pattern: String) {
        #expect(throws: RegularExpression.Failure.self) { try RegularExpression(pattern) }
    }

    @Test(
        "Time is linear where others take it to the power of the length",
        .timeLimit(.minutes(20)),
        arguments: ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(a*)*(a*)*b", "(.*)*(.*)*(.*)*x"]
    )
    func hostile(pattern: String) throws {
        var steps = 60_000_000
        let text = Array(String(repeating: "a", count: 100_000).utf8) + [0x21]
        #expect(try !RegularExpression(pattern).matches(text, steps: &steps))
        #expect(steps > 0)
    }

    @Test(
        arguments: [
            ("[0-9]+", "a 12 b 345", [2..<4, 7..<10]), ("a|ab|abc", "xabcx", [1..<4]),
            ("a*", "baab", [1..<3]),
            ("^a", "aa", [0..<1]), ("a$", "aa", [1..<2]), (#"\bcat\b"#, "cat concat cat", [0..<3, 11..<14]),
            ("(?i)É+", "caféÉ.", [3..<7]), ("x", "", []), ("a.*b", "a b a b", [0..<7]),
            ("ab?", "aab", [0..<1, 1..<3]),
            ("a.*z|a", "aaa", [0..<1, 1..<2, 2..<3]), ("(ab)+", "ababa", [0..<4]),
        ] as [(String, String, [Range<Int>])]
    )
    func `it says where a text matches`(_ pattern: String, _ text: String, _ expected: [Range<Int>]) throws {
        var steps = 10_000
        #expect(try RegularExpression(pattern).ranges(in: Array(text.utf8), steps: &steps) == expected)
    }

    @Test func `looking for places ends with its steps`() throws {
        var steps = 100_000
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        _ = try RegularExpression("a|a.*z").ranges(in: text, steps: &steps)
        #expect(steps < 0)
    }
}
