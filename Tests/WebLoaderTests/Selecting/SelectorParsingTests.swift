import Testing

@testable import WebDocument

/// Tests of valid selectors, of invalid ones and their errors, and of the specificity of selectors.
struct SelectorParsingTests {
    @Test(
        "These are selectors",
        arguments: [
            "*", "a", "A", "é", "\u{1F600}", "-a", "--a", "_a", "a-1", #"\31 23"#, #"a\:b"#, #"\0"#, "#a",
            #"#\31"#,
            ".a.b#c[d]:root", "*|*", "*|a", "|a", "[a]", "[ a ]", "[|a]", "[*|a]", "[a=b]", "[a='b']",
            "[a=\"b\"]",
            "[a = b i]", "[a='b'i]", "[a=b S]", "[a=\"b", "[a", "a:not(b", "a,b", " a , b ", "a b", "a  b",
            "a>b",
            "a+b", "a~b", "a /**/ b", "/**/a", "a > b + c ~ d e", ":is()", ":is(,)", ":is(:unknown, a)",
            ":where(::before, !, [)", ":is(])", ":is(a, (b), c)", ":not(a, b c)", ":has(> a, + b, ~ c, d)",
            ":has(:is(:has(a), b))", ":HOVER", ":Nth-Child(ODD)", ":nth-child(2n+1 of a, b)", "a::before",
            "a:before", "::BEFORE", "a::before:hover", "::-webkit-anything", "::part(a b)", "::slotted(a)",
            "::cue(b)", "::highlight(x)", "::marker", ":lang(en, \"*-DE\", 'fr')", ":dir(ltr)",
            ":dir(sideways)",
            ":host", ":host(a)", ":host-context(a)", ":state(x)", ":-webkit-any(a, b)", ":-webkit-any-link",
            "&", "& > a", "a&", ":scope > a", ":autofill", ":popover-open", ":user-invalid", ":modal",
            ":is(a):not(b)",
            "a\u{0}b", "a\nb", "a\r\nb", "a\tb", "[a=\"\\\nb\"]",
        ]
    )
    func isValid(text: String) throws {
        _ = try Selector(text)
    }

    /// Text, and where what is wrong.
    static let invalid: [(String, Int, String)] = [
        ("", 0, "expected a selector, found the end"), ("  ", 2, "expected a selector"),
        (",", 0, "a selector"),
        ("a,", 2, "expected a selector"), ("a,,b", 2, "a selector"), ("a >", 3, "a selector"),
        ("> a", 0, "a selector"), ("a > > b", 4, "a selector"), ("a + ~ b", 4, "a selector"),
        ("a/**/b", 5, ""), ("a || b", 3, ""),
        ("..a", 1, "a class name after \".\""), (".1a", 0, "a selector"), (". a", 1, "a class name"),
        ("#1", 0, "an identifier after \"#\""), ("#", 0, "a selector"), ("a!", 1, "a combinator"),
        ("a)", 1, ""),
        ("a]", 1, ""), ("a}", 1, ""), ("a{}", 1, ""), ("1", 0, "a selector"), ("a 1", 2, "a selector"),
        ("a;", 1, ""), ("@a", 0, "a selector"), ("'a'", 0, "a selector"), ("a<!--", 1, ""),
        ("%", 0, "a selector"),
        ("[]", 1, "the name of an attribute"), ("[*]", 1, "the name of an attribute"), ("[1]", 1, "the name"),
        ("[a=]", 3, "a name or a string"), ("[a=", 3, "a name or a string"),
        ("[a=1]", 3, "a name or a string"),
        ("[a!=b]", 2, "\"]\", \"=\""), ("[a~b]", 3, "\"=\""), ("[a=b c]", 5, "\"i\", \"s\""),
        ("[a=b i i]", 7, "\"]\""), ("[a b]", 3, "\"]\", \"=\""), ("[a='b\n']", 3, "a name or a string"),
        ("[.a]", 1, ""), ("x|a", 0, "a declared namespace prefix"), ("[x|a]", 1, "a declared"),
        ("x|*", 0, ""),
        ("a|", 1, "a combinator"), ("|", 1, "a name or \"*\" after \"|\""), (":", 1, "pseudo-class"),
        ("::", 2, "a pseudo-element"), (":unknown", 1, "a known pseudo-class"),
        ("::unknown", 2, "a known pseudo-element"), (":unknown()", 1, "pseudo-class"),
        (": a", 1, "pseudo-class"), (":hover()", 1, "pseudo-class"), (":not", 1, "pseudo-class"),
        (":not()", 5, "a selector"), (":not(a,)", 7, "a selector"),
        (":not(::before)", 7, "no pseudo-element"),
        (":has()", 5, "a selector"), (":has(:has(a))", 6, "no :has() inside :has()"), (":has(a,)", 7, ""),
        (":has(:not(:has(a)))", 11, "no :has()"), (":nth-child()", 11, "\"even\", \"odd\""),
        (":nth-child(foo)", 11, ""), (":nth-child(n 2)", 13, ""), (":nth-child(1.5)", 11, "an integer"),
        (":nth-child(2n + -1)", 16, "an integer without a sign"),
        (":nth-child(+ n)", 12, "right after \"+\""),
        (":nth-child(n- -1)", 14, ""), (":nth-child(2n-1x)", 11, ""), (":nth-child(2 of)", 15, "a selector"),
        (":nth-of-type(2 of a)", 15, "\")\""), (":lang()", 6, "a language range"), (":lang(1)", 6, ""),
        (":dir()", 5, "\"ltr\" or \"rtl\""), (":dir(ltr rtl)", 9, "\")\""),
        ("a::before b", 10, "nothing more"),
        ("a::before.b", 9, "pseudo-classes after a pseudo-element"),
        ("a::before:root", 10, "allowed after a pseudo-element"),
        ("a::before::after", 11, "no pseudo-element after"), ("::slotted()", 10, "an argument"),
        (":contains(x)", 1, "an extension"),
        (":matches('x')", 1, "an extension"), (":eq(1)", 1, "an extension"), ("a::text", 3, ""),
        ("a::attr(b)", 3, ""),
        ("a:hover:", 8, "pseudo-class"), (":host()", 6, "a selector"),
    ]

    @Test("What is no selector says where and why", arguments: invalid)
    func isInvalid(text: String, offset: Int, message: String) throws {
        let error = try #require(throws: SelectorError.self) { _ = try Selector(text) }
        #expect(error.code == .invalid)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.offset == offset, "\(error.message)")
    }

    @Test(
        "Specificity",
        arguments: [
            ("*", "0,0,0"), ("a", "0,0,1"), ("a b > c", "0,0,3"), (".a", "0,1,0"), ("[a=b]", "0,1,0"),
            ("#a", "1,0,0"),
            (":root", "0,1,0"), (":hover", "0,1,0"), ("a::before", "0,0,2"), ("#a .b c", "1,1,1"),
            (":is(a, #b)", "1,0,0"),
            (":not(.a, b)", "0,1,0"), (":where(#a)", "0,0,0"), (":has(> a b)", "0,0,2"),
            (":nth-child(2)", "0,1,0"),
            (":nth-child(2 of #a, b)", "1,1,0"), (":is()", "0,0,0"), ("a:not(#b:is(c))", "1,0,2"),
            ("::slotted(#a)", "0,0,1"),
            (":host(#a)", "1,1,0"), (":lang(en)", "0,1,0"), ("*|*", "0,0,0"),
        ]
    )
    func specificity(text: String, expected: String) throws {
        #expect(try Selector(text).specificities.map(\.description) == [expected])
    }

    @Test func specificitiesAreComparedPartByPart() throws {
        let list = try Selector("a, .b, #c, #c .b a, #c #c").specificities
        #expect(list == list.sorted())
        #expect(list.last == Specificity(ids: 2))
    }

    @Test(
        "An+B",
        arguments: [
            ("even", 2, 0), ("odd", 2, 1), ("EVEN", 2, 0), ("5", 0, 5), ("-5", 0, -5), ("+5", 0, 5),
            ("n", 1, 0),
            ("+n", 1, 0), ("-n", -1, 0), ("2n", 2, 0), ("-2n", -2, 0), ("+2N", 2, 0), ("2n+1", 2, 1),
            ("2n + 1", 2, 1),
            ("2n- 1", 2, -1), ("2n -1", 2, -1), ("2n-1", 2, -1), ("n-1", 1, -1), ("-n-1", -1, -1),
            ("-n+3", -1, 3),
            ("-n + 3", -1, 3), ("n- 2", 1, -2), ("+n-2", 1, -2), ("+n- 2", 1, -2), ("-n- 2", -1, -2),
            ("0n+1", 0, 1),
            ("00n+01", 0, 1), (" 2n ", 2, 0), ("99999999999", 0, Int(Int32.max)),
            ("n+99999999999", 1, Int(Int32.max)),
        ]
    )
    func steps(text: String, step: Int, offset: Int) throws {
        let simple = try #require(try Selector(":nth-child(\(text))").program.simples.first)
        #expect(Int(simple.step) == step)
        #expect(Int(simple.offset) == offset)
    }

    @Test func aSelectorIsAValue() throws {
        let one = try Selector("a > b")
        #expect(one == (try Selector("a > b")))
        #expect(one != (try Selector("a>b")))
        var options = Selector.Options()
        options.dialect = .extended
        #expect(one != (try Selector("a > b", options: options)))
        #expect("\(one)" == "a > b")
        #expect(Set([one, one]).count == 1)
    }

    @Test func extensionsAreRead() throws {
        var options = Selector.Options()
        options.dialect = .extended
        let list = try Selector("a::text, b::attr( href ), c:eq(-1), d", options: options)
        #expect(list.extractions == [.text, .attribute("href"), .element, .element])
        for text in [
            "a::text b", ":not(a::text)", "a::text.b", "a:eq(x)", "a:eq(1) b", ":not(:eq(1))", "a::attr()",
            "a::attr(b c)", ":contains()", ":contains(1)", ":matches(a)", ":matches('(')", "a::text:hover",
            "a:eq(1):eq(1)",
        ] {
            #expect(throws: SelectorError.self, "\(text)") { try Selector(text, options: options) }
        }
    }
}
