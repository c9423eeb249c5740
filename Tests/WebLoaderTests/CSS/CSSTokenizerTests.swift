import Testing

@testable import WebDocument

/// The tokens of CSS, case by case of the standard's algorithms.
///
/// <https://drafts.csswg.org/css-syntax-3/#tokenizer-algorithms>
struct CSSTokenizerTests {
    /// The tokens of a text, each as its kind and what else is known of it.
    private static func tokens(_ text: String) -> [String] {
        var text = text
        return text.withUTF8 { bytes in
            var tokenizer = unsafe CSSTokenizer(bytes)
            var tokens: [String] = []
            while true {
                let token = tokenizer.next()
                if token.kind == .end { return tokens }
                tokens.append(description(token, String(decoding: tokenizer.value, as: UTF8.self)))
            }
        }
    }

    private static func description(_ token: CSSToken, _ text: String) -> String {
        let number = "\(token.hasSign ? "signed " : "")\(token.integer.map(String.init) ?? "real")"
        return switch token.kind {
        case .hash: "hash \(text)\(token.isIdentifier ? " id" : "")"
        case .number, .percentage: "\(token.kind) \(number)"
        case .dimension: "dimension \(number) \(text)"
        case .delimiter: "delimiter \(Unicode.Scalar(token.byte))"
        default: text.isEmpty ? "\(token.kind)" : "\(token.kind) \(text)"
        }
    }

    private static let table: [(String, [String])] = [
        ("", []),
        // Comments.
        ("/**/", []), ("/*", []), ("/*/", []), ("/* * / */a", ["identifier a"]),
        ("a/*x*//*y*/b", ["identifier a", "identifier b"]),
        ("/ *", ["delimiter /", "whitespace", "delimiter *"]),
        // White space: a run of it is one token.
        (" \t\n\r\n\u{0C} ", ["whitespace"]), (" /**/ ", ["whitespace", "whitespace"]),
        ("\u{0B}", ["delimiter \u{0B}"]), ("\u{A0}", ["identifier \u{A0}"]),
        // Strings.
        ("''", ["string"]), ("\"a'b\"", ["string a'b"]), ("'a\"b'", ["string a\"b"]),
        ("'a", ["string a"]), ("'a\\", ["string a"]), ("'a\\\nb'", ["string ab"]),
        ("'a\\\r\nb\\\rc\\\u{0C}d'", ["string abcd"]),
        ("'\\61 b\\62'", ["string abb"]), ("'\\'\\\\'", ["string '\\"]), ("'\u{0}'", ["string \u{FFFD}"]),
        ("'a\nb'", ["badString", "whitespace", "identifier b", "string"]),
        ("'\u{0C}", ["badString", "whitespace"]),
        ("'é\\é'", ["string éé"]), ("'/*'", ["string /*"]),
        // Hashes.
        ("#a", ["hash a id"]), ("#1a", ["hash 1a"]), ("#-", ["hash -"]), ("#--", ["hash -- id"]),
        ("#-a", ["hash -a id"]), ("#\\31", ["hash 1 id"]),
        ("#\\\n", ["delimiter #", "delimiter \\", "whitespace"]),
        ("#", ["delimiter #"]), ("# a", ["delimiter #", "whitespace", "identifier a"]),
        // At-keywords.
        ("@a", ["atKeyword a"]), ("@Media", ["atKeyword Media"]), ("@--a", ["atKeyword --a"]),
        ("@-1", ["delimiter @", "number signed -1"]), ("@", ["delimiter @"]), ("@\\61", ["atKeyword a"]),
        // Identifiers.
        ("a-1_Bé", ["identifier a-1_Bé"]), ("_", ["identifier _"]), ("--", ["identifier --"]),
        ("-a", ["identifier -a"]), ("--1", ["identifier --1"]), ("-\\61", ["identifier -a"]),
        ("a\u{0}b", ["identifier a\u{FFFD}b"]), ("\u{0}", ["identifier \u{FFFD}"]),
        ("-", ["delimiter -"]), ("-\\\n", ["delimiter -", "delimiter \\", "whitespace"]),
        ("\u{1F600}", ["identifier \u{1F600}"]), ("a b", ["identifier a", "whitespace", "identifier b"]),
        // Escapes: six digits at most, one white space after them; CR and LF count as one.
        ("\\61 b", ["identifier ab"]), ("\\0000611", ["identifier a1"]),
        ("\\00006a1", ["identifier j1"]),
        ("\\61\r\nb", ["identifier ab"]), ("\\61  b", ["identifier a", "whitespace", "identifier b"]),
        ("\\61\u{0C}b", ["identifier ab"]), ("\\4A\\4a", ["identifier JJ"]),
        ("\\0", ["identifier \u{FFFD}"]), ("\\d800", ["identifier \u{FFFD}"]),
        ("\\dfffx", ["identifier \u{FFFD}x"]),
        ("\\110000", ["identifier \u{FFFD}"]), ("\\10FFFF", ["identifier \u{10FFFF}"]),
        ("\\", ["identifier \u{FFFD}"]), ("a\\", ["identifier a\u{FFFD}"]),
        ("\\\u{0}", ["identifier \u{FFFD}"]),
        ("\\g\\.\\ \\é", ["identifier g. é"]), ("\\\na", ["delimiter \\", "whitespace", "identifier a"]),
        // Functions, and URLs that are functions.
        ("a(", ["function a"]), ("A()", ["function A", "closeRound"]),
        ("a (", ["identifier a", "whitespace", "openRound"]),
        ("a/**/(", ["identifier a", "openRound"]), ("--(", ["function --"]), ("\\61(", ["function a"]),
        ("url('a')", ["function url", "string a", "closeRound"]),
        ("URL( \"a", ["function URL", "whitespace", "string a"]),
        ("urls(a", ["function urls", "identifier a"]),
        // URLs.
        ("url()", ["url"]), ("url(", ["url"]), ("url( ", ["url"]), ("url(a)", ["url a"]),
        ("url(a", ["url a"]),
        ("Url( a\n)b", ["url a", "identifier b"]), ("url(a ", ["url a"]), ("u\\72l(a)", ["url a"]),
        ("url(/*a*/)", ["url /*a*/"]), ("url(a,b;c:{}[]#@)", ["url a,b;c:{}[]#@"]),
        ("url(\\29 \\)\\ a)", ["url )) a"]), ("url(a\\", ["url a\u{FFFD}"]), ("url(\u{0})", ["url \u{FFFD}"]),
        ("url(é\u{80})", ["url é\u{80}"]),
        // Bad URLs, up to the next bracket that is not escaped.
        ("url(a b)c", ["badURL", "identifier c"]), ("url(a'b)c", ["badURL", "identifier c"]),
        ("url(a\"b)c", ["badURL", "identifier c"]), ("url(a(b)c", ["badURL", "identifier c"]),
        ("url(a\\\nb)c", ["badURL", "identifier c"]), ("url(a b\\)c)d", ["badURL", "identifier d"]),
        ("url(a b\\\n)c", ["badURL", "identifier c"]), ("url(\u{1})a", ["badURL", "identifier a"]),
        ("url(\u{8})", ["badURL"]), ("url(\u{B})", ["badURL"]), ("url(\u{1F})", ["badURL"]),
        ("url(\u{7F})", ["badURL"]), ("url(a b", ["badURL"]), ("url(a b\\", ["badURL"]),
        // Numbers.
        ("0", ["number 0"]), ("+1", ["number signed 1"]), ("-012", ["number signed -12"]),
        (".5", ["number real"]),
        ("-.5", ["number signed real"]), ("1.5", ["number real"]), ("1.", ["number 1", "delimiter ."]),
        ("1.5.5", ["number real", "number real"]), ("+", ["delimiter +"]),
        ("+.", ["delimiter +", "delimiter ."]),
        (".", ["delimiter ."]), ("+-1", ["delimiter +", "number signed -1"]),
        ("1-1", ["number 1", "number signed -1"]),
        ("1e3", ["number real"]), ("1E+3", ["number real"]), ("1e-3", ["number real"]),
        ("1.5e3x", ["dimension real x"]),
        ("99999999999999999999", ["number 2147483647"]),
        ("-99999999999999999999", ["number signed -2147483647"]),
        // Percentages and dimensions.
        ("1%", ["percentage 1"]), ("-.5%", ["percentage signed real"]),
        ("1 %", ["number 1", "whitespace", "delimiter %"]),
        ("1px", ["dimension 1 px"]), ("1e", ["dimension 1 e"]), ("1e+", ["dimension 1 e", "delimiter +"]),
        ("1--a", ["dimension 1 --a"]), ("2n-1", ["dimension 2 n-1"]), ("1\\65 3", ["dimension 1 e3"]),
        ("1é", ["dimension 1 é"]), ("1%a", ["percentage 1", "identifier a"]),
        ("1url(a)", ["dimension 1 url", "openRound", "identifier a", "closeRound"]),
        // CDO and CDC.
        ("<!--", ["cdo"]), ("-->", ["cdc"]), ("<!--a-->", ["cdo", "identifier a--", "delimiter >"]),
        ("<!-- -->", ["cdo", "whitespace", "cdc"]), ("<!-", ["delimiter <", "delimiter !", "delimiter -"]),
        ("--->", ["identifier ---", "delimiter >"]),
        // Everything else is a token of its own.
        ("()[]{}", ["openRound", "closeRound", "openSquare", "closeSquare", "openCurly", "closeCurly"]),
        (",:;", ["comma", "colon", "semicolon"]), ("~=", ["delimiter ~", "delimiter ="]),
        ("||", ["delimiter |", "delimiter |"]), ("!*$", ["delimiter !", "delimiter *", "delimiter $"]),
    ]

    @Test("A text has these tokens", arguments: table)
    func splits(text: String, expected: [String]) {
        #expect(Self.tokens(text) == expected)
    }

    @Test("Tokens and comments follow each other without a gap, in bytes", arguments: table.map(\.0))
    func tokensCoverTheText(text: String) {
        var text = text
        text.withUTF8 { bytes in
            var tokenizer = unsafe CSSTokenizer(bytes)
            var position = 0
            while true {
                let token = tokenizer.next()
                #expect(token.start >= position && token.end <= bytes.count)
                if token.start > position {
                    let gap = unsafe String(decoding: bytes[position..<token.start], as: UTF8.self)
                    #expect(gap.hasPrefix("/*"))
                }
                position = token.end
                if token.kind == .end { break }
                #expect(token.end > token.start)
            }
            #expect(position == bytes.count)
            // After the end, the tokenizer returns the end again.
            #expect(tokenizer.next() == CSSToken(kind: .end, start: position, end: position))
        }
    }

    @Test func textIsComparedWithoutCase() {
        var text = "\\49 mport('import"
        text.withUTF8 { bytes in
            var tokenizer = unsafe CSSTokenizer(bytes)
            #expect(tokenizer.next().kind == .function)
            #expect(tokenizer.hasValue("import"))
            #expect(!tokenizer.hasValue("imports"))
            #expect(!tokenizer.hasValue("impors"))
        }
    }
}
