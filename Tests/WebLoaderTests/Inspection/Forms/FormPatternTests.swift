import TestSupport
import Testing

@testable import WebDocument

/// Which values a browser would send from fields with a `pattern`.
///
/// The tables have what Chromium does, but where they say that something is not supported.
@Suite(.timeLimit(.minutes(20)))
struct FormPatternTests {
    /// Whether a form with that value in a field with that pattern would be sent.
    private func isSent(_ pattern: String, _ value: String) throws -> Bool {
        let quoted = [pattern, value].map { text in
            let parts = text.split(separator: "&", omittingEmptySubsequences: false)
            return parts.joined(separator: "&amp;")
        }
        let markup = "<form><input pattern='\(quoted[0])' value='\(quoted[1])'>"
        let form = try #require(try InspectionPages.page(markup).forms.first)
        return form.problems(sendingBy: nil).isEmpty
    }

    @Test(
        "All of the value is matched",
        arguments: [
            ("a|b", "ab", false), ("a|bc", "bc", true), ("", "x", false), ("|x", "x", true),
            ("^a$", "a", true), ("a$|^b", "b", true), ("a^b", "ab", false), ("^^a$$", "a", true),
            ("(?:a|b)+", "abba", true), ("(a)(b)?", "a", true), ("(?<year>\\d{4})", "2024", true),
            ("(?<a>x)|(?<a>y)", "y", true), ("(?<\\u0061b$>x)", "y", false), ("a*?b+?c??", "aabb", true),
            ("a{2,3}?b{0}c{1,}", "aaccc", true), ("a{2}", "aaa", false), ("a{2,}", "aaaa", true),
            ("(?:a{0,2}b){2}", "aabb", true), ("(?:)*x", "x", true), ("\\bab\\b \\Bx?.*", "ab cd", false),
            ("\\bab\\b\\W\\bc.*", "ab cd", true), (".", "😀", true), (".{2}", "😀😀", true),
            ("a.b", "a\u{2028}b", false), ("[a-f0-9]+", "ABC", false),
        ]
    )
    func wholeValue(pattern: String, value: String, isSent: Bool) throws {
        #expect(try self.isSent(pattern, value) == isSent)
    }

    @Test(
        "Escapes stand for characters and classes",
        arguments: [
            ("\\d+", "٣٤", false), ("\\w+", "né", false), ("\\W", "é", true), ("\\D\\S", "x1", true),
            ("\\s+", "\u{A0}\u{2003}\u{FEFF}\u{1680}\u{3000}", true), ("\\s", "\u{200B}", false),
            ("\\S", "\u{205F}", false), ("\\u00e9\\xe8\\u{e0}\\cA?\\t?", "éèà", true),
            ("\\u{0001F600}|x", "😀", true), ("\\uD83D\\uDE00", "😀", true), ("\\uD83D", "😀", false),
            ("https?:\\/\\/.+", "http://x", true), ("https://.+", "https://x", true),
            ("\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/", "^$\\.*+?()[]{}|/", true),
            ("\\0", "0", false), ("\\p{Lu}\\p{Ll}+", "Éva", true), ("\\P{L}+", "12é", false),
            ("\\p{General_Category=Nd}", "٣", true), ("\\p{Letter}+", "日本", true),
            ("\\p{gc=Punctuation}", "a", false), ("\\p{Alphabetic}+", "aé1", false),
            ("\\p{White_Space}", "\u{3000}", true), ("\\p{Emoji_Presentation}", "😀", true),
            ("\\p{Any}\\p{Assigned}\\p{ASCII}", "aéé", false),
            ("\\p{Co}\\P{Cn}", "\u{F0000}\u{10FFFD}", true),
        ]
    )
    func escapes(pattern: String, value: String, isSent: Bool) throws {
        #expect(try self.isSent(pattern, value) == isSent)
    }

    @Test(
        "Classes are sets",
        arguments: [
            ("[]", "x", false), ("[]?x", "x", true), ("[^]+", "x\u{2028}😀", true), ("[^[]]", "x", true),
            ("[[a-c][x-z]]+", "axz", true), ("[[a-c]x]+", "axd", false), ("[[a-z]&&[aeiou]]+", "eia", true),
            ("[\\w&&\\d]+", "12", true), ("[\\w&&\\d&&[^5]]+", "15", false), ("[a&b]+", "a&b", true),
            ("[\\p{L}--[a-z]]+", "abc", false), ("[\\p{L}--[a-z]--é]+", "É", true),
            ("[^\\d--5]+", "5a", true), ("[^\\d--5]+", "5a4", false), ("[\\D\\d]", "x", true),
            ("[^\\W]+", "a_1", true), ("[\\S]+", "a\u{A0}", false), ("[\\w.\\-]+", "a b", false),
            ("[\\#\\&\\!\\-]+", "#!-&", true), ("[\\uD83D\\uDE00-\\u{1F64F}]", "😁", true),
            ("[\\--\\/]+", "-./", true), ("[^^a]", "^", false), ("[.*+?^$]+", "$^?+*.", true),
            ("[ -~]+", "a b~", true), ("[\\b]", "b", false),
        ]
    )
    func classes(pattern: String, value: String, isSent: Bool) throws {
        #expect(try self.isSent(pattern, value) == isSent)
    }

    @Test(
        "Look-ahead at the start of the value",
        arguments: [
            ("(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}", "alllower1", false),
            ("(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}", "Mixed-12", true),
            ("^(?=.*\\d)(?=.*[A-Z]).{4,}$", "ab1C", true), ("((?=.*\\d)(?=.*[a-z]).{3,5})", "abcd", false),
            ("(?!.*--)[a-z\\-]+", "a--b", false), ("(?!.*--)[a-z\\-]+", "a-b", true), ("(?!)a", "a", false),
            ("(?=x)y", "a", false), ("(?=a)b|c", "c", true), ("(?=a)b|c", "b", false),
            ("(?=a$)a.*", "ab", false), ("(?=(?!ab)a).*", "ab", false), ("(?=(?!ab)a).*", "ac", true),
            ("(?:(?=a)|(?=b))..", "bc", true), ("(?:(?=a).)?b", "ab", true), ("(?:(?!a).)?b", "ab", false),
            ("\\b(?=.b)\\w+", "ab", true),
        ]
    )
    func lookAhead(pattern: String, value: String, isSent: Bool) throws {
        #expect(try self.isSent(pattern, value) == isSent)
    }

    @Test(
        "What is no pattern does not count",
        arguments: [
            "(a", "a)", "a)|(b", "[a", "[a]]", "a{", "a{,2}", "a}", "a]", "{2}", "*a", "a**", "a{2}{3}",
            "a++", "^*", "\\b+", "(?=a)*", "a{2,1}", "\\", "\\q", "\\-", "\\@", "\\#", "\\_", "\\ ", "\\07",
            "\\1a", "\\c1", "\\x1", "\\u12", "\\u{}", "\\u{110000}", "\\p", "\\p{Foo}", "\\p{L", "\\pL",
            "\\p{gc=}", "\\k", "(?<a>x)(?<a>y)", "(?<1>x)", "(?<>x)", "(?<a", "(?#x)", "(?i)a", "[z-a]",
            "[a-z-]", "[-a]", "[a-]", "[\\w-z]", "[\\w.-]", "[(]", "[a)]", "[{]", "[a}]", "[/]", "[a|b]",
            "[a&&]", "[&&a]", "[a&&&b]", "[ab&&c]", "[a-b--c]", "[a&&b--c]", "[a--bc]", "[a--]", "[!!a]",
            "[^^^]", "[a..]", "[``]", "[\\q]", "[\\_]", "[\\B]", "[[a]",
            "[a-z&&[e]]",
        ]
    )
    func invalid(pattern: String) throws {
        #expect(try isSent(pattern, "~ none of these ~"))
        #expect(throws: RegularExpression.Failure.self) {
            try RegularExpression(pattern, dialect: .ecmaScriptSets)
        }
    }

    @Test(
        "What is not supported does not count, either",
        arguments: [
            "(a|b)\\1", "(?<q>a)\\k<q>", "a(?=b).", "a(?!b).", "(?<=a)b", "(?<!a)b", "(?:(?=a)a)*",
            "(?:(?!b)a){2}", "(?i:a)b", "(?-s:a)", "\\p{Script=Greek}", "\\p{RGI_Emoji}", "[\\q{abc|d}x]",
        ]
    )
    func unsupported(pattern: String) throws {
        #expect(try isSent(pattern, "~ none of these ~"))
    }

    @Test("Hostile patterns are limited", arguments: Abbreviated.each(Self.hostile))
    func hostilePatterns(pattern: Abbreviated<String>) throws {
        #expect(throws: RegularExpression.Failure.self) {
            try RegularExpression(pattern.value, dialect: .ecmaScriptSets)
        }
    }

    private static let hostile: [String] = [
        String(repeating: "(", count: 1_000_000), String(repeating: "[", count: 1_000_000),
        String(repeating: "(?=", count: 300_000), String(repeating: "(?:a|", count: 200_000),
        String(repeating: "(", count: 65) + String(repeating: ")", count: 65),
        String(repeating: "a", count: 1_000_000), String(repeating: "|", count: 1_000_000),
        String(repeating: "(?=)", count: 250_000), String(repeating: "(?!a)", count: 200_000),
        String(repeating: "(?:a{9999}){0}", count: 70_000) + "(",
        "[" + String(repeating: "\\p{L}", count: 100_000), "[" + String(repeating: "\\w&&", count: 200_000),
        String(repeating: "[\\p{L}a]", count: 100_000), "a{1000000}", "(?:){1000000}b{1000000}",
        "((a{1000000}){1000000}){1000000}", "(?:a{100}){100}",
        "\\p{" + String(repeating: "L", count: 1_000_000),
        "\\u{" + String(repeating: "f", count: 1_000_000) + "}",
    ]

    @Test(
        "Any pattern takes linear time in the value",
        .enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"),
        arguments: [
            "(a*)*b", "(a|a)*b", "((((a*)*)*)*)*b", "(?:a?){2000}a{2000}", "(?=(a*)*b)(?!(a|aa)+c).*",
            String(repeating: "(?!(?:a|a)*b)", count: 500) + "c", "[\\p{L}--[b-z]]*[^\\P{L}]*b",
        ]
    )
    func hostileValues(pattern: String) throws {
        _ = try isSent(pattern, String(repeating: "a", count: 20_000))
        _ = try isSent(pattern, String(repeating: "é", count: 20_000))
    }

    @Test func otherDialectStaysAsItIs() throws {
        var steps = 10_000
        let matching = [("a{", "a{"), ("[a|/-]", "-"), ("(?i)A", "xa"), ("\\-]", "-]"), ("\\s", "\u{A0}")]
        for (pattern, text) in matching {
            #expect(try RegularExpression(pattern).matches(Array(text.utf8), steps: &steps))
        }
        #expect(throws: RegularExpression.Failure.self) { try RegularExpression("(?=a)a") }
    }
}
