import Testing

@testable import WebRules

struct RecipeReadingTests {
    private func mistake(in text: String) -> RuleError? {
        do throws(RuleError) {
            _ = try Recipe(text, file: "r.yaml")
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Mistakes and their places

    /// A recipe, and the line, column and words of its mistake.
    static let mistakes: [(text: String, line: Int, column: Int, words: String)] = [
        ("", 1, 1, "found nothing"),
        ("- a", 1, 1, "expected a mapping for a recipe, found a list"),
        ("fields: {a: b}", 1, 1, "expected \"version: 1\""),
        ("version: 2\nfields: {a: b}", 1, 10, "expected version 1, found 2"),
        ("version: 1", 1, 1, "expected \"fields\""),
        ("version: 1\nfields: {}", 2, 9, "at least one field"),
        ("version: 1\nfields: 3", 2, 9, "a mapping of names to fields, found 3"),
        ("version: 1\nfield: {a: b}", 2, 1, "found \"field\""),
        ("version: 1\nfields:\n  a: {selct: b}", 3, 7, "found \"selct\""),
        ("version: 1\nfields:\n  a: 3", 3, 6, "a selector or a mapping, found 3"),
        ("version: 1\nfields:\n  a: 'p >'", 3, 6, "selector: "),
        ("version: 1\nfields:\n  a: '//p['", 3, 6, "XPath: "),
        ("version: 1\nfields:\n  a: 'p::text'", 3, 6, "\"take\" in place of ::text"),
        ("version: 1\nfields:\n  a: {}", 3, 6, "\"select\", \"const\""),
        ("version: 1\nfields:\n  a: {select: p, css: q}", 3, 18, "one selector"),
        ("version: 1\nfields:\n  a: {const: 1, script: x}", 3, 17, "found 2 of them"),
        ("version: 1\nfields:\n  a: {const: 1, take: raw}", 3, 17, "no \"take\" beside \"const\""),
        ("version: 1\nfields:\n  a: {select: p, all: yes}", 3, 23, "true or false, found \"yes\""),
        ("version: 1\nfields:\n  a: {select: p, take: attr}", 3, 24, "one of text, raw"),
        ("version: 1\nfields:\n  a: {select: p, take: 'attr:'}", 3, 24, "one of text, raw"),
        ("version: 1\nfields:\n  a: {each: {b: c}}", 3, 6, "\"select\" beside \"each\""),
        ("version: 1\nfields:\n  a: {select: p, each: {b: {select: q, foo: 1}}}", 3, 40, "found \"foo\""),
        ("version: 1\nfields:\n  a: {first_of: []}", 3, 17, "a list of fields"),
        ("version: 1\nfields:\n  a: {select: p, transform: [trimm]}", 3, 30, "one of trim"),
        ("version: 1\nfields:\n  a: {select: p, transform: [{trim: 1}]}", 3, 31, "found \"trim\""),
        ("version: 1\nfields:\n  a: {select: p, transform: [{match: 1}]}", 3, 38, "a regular expression"),
        (
            "version: 1\nfields:\n  a: {select: p, transform: [{replace: [a]}]}", 3, 40,
            "what to put in its place"
        ),
        ("version: 1\nfields:\n  a: {select: p, transform: [{json: 'a'}]}", 3, 37, "JSON path: character 1"),
        (
            "version: 1\nfields:\n  a: {select: p, transform: [{number: {decimal: ''}}]}", 3, 49,
            "single character"
        ),
        ("version: 1\nfields:\n  a: {select: p, transform: [{date: {order: x}}]}", 3, 45, "dmy, mdy or ymd"),
        ("version: 1\nfields:\n  a: {select: a, follow: {}}", 3, 26, "\"fields\" in \"follow\""),
        ("version: 1\nfields:\n  a: {select: a, follow: {depth: 0, fields: {b: c}}}", 3, 34, "above 0"),
        ("version: 1\nfields:\n  a: {const: '${x}'}", 3, 14, "that \"let\" has, found \"${x}\""),
        ("version: 1\nlet: {value: 1}\nfields: {a: b}", 2, 7, "other than \"value\""),
        ("version: 1\nlet: {a: []}\nfields: {a: b}", 2, 10, "a string, a number"),
        ("version: 1\nfields: {a: b, a: c}", 2, 16, "duplicate key \"a\""),
        ("version: 1\nfields: {a: *x}", 2, 13, "an anchor \"&x\""),
        ("version: 1\nfields: &x {a: *x}", 2, 16, "an anchor \"&x\""),
        ("version: 1\nfields: {? [a] : b}", 2, 12, "expected a key"),
        ("version: 1\nfields: {a: !!python/name b}", 2, 13, "expected no tag"),
        ("version: 1\nfields: {a: b}\n---\nx", 3, 1, "found another"),
        ("version: 1\nfields: {a: b", 3, 1, "invalid YAML"),
        ("version: 1\n\tfields: {a: b}", 2, 1, "invalid YAML"),
        (#"{"version":1,"fields":{"a":"b","a":"c"}}"#, 1, 32, "duplicate key \"a\""),
        ("{\"version\":1,\n \"fields\":{\"\u{E9}\":{\"selct\":\"c\"}}}", 2, 17, "found \"selct\""),
        (#"{"version":1,"fields":{"a":"b"}"#, 2, 1, "invalid YAML"),
    ]

    @Test(arguments: mistakes)
    func aMistakeHasItsPlaceAndWhatWasExpected(
        _ mistake: (text: String, line: Int, column: Int, words: String)
    ) throws {
        let error = try #require(self.mistake(in: mistake.text))
        #expect(error.code == .invalid)
        #expect(error.message.contains(mistake.words), "\(error)")
        #expect(error.file == "r.yaml" || mistake.text.isEmpty)
        #expect(error.line == mistake.line, "\(error)")
        #expect(error.column == mistake.column, "\(error)")
    }

    @Test func aMistakeNamesItsRule() throws {
        let error = try #require(
            self.mistake(in: "version: 1\nfields: {items: {select: p, each: {b: {select: 'x['}}}}")
        )
        #expect(error.rule == "items[].b")
        #expect("\(error)".hasPrefix("r.yaml:2:48: items[].b: selector: "))
        #expect("\(error)".hasSuffix("(rule.invalid)"))
    }

    // MARK: - Limits

    @Test func nestingIsLimited() throws {
        func nested(_ depth: Int) -> String {
            let open = String(repeating: #"{"f":{"select":"*","each":"#, count: depth)
            return #"{"version":1,"fields":"# + open + #"{"t":"b"}"# + String(repeating: "}}", count: depth)
                + "}"
        }
        #expect(mistake(in: nested(63)) == nil)
        for depth in [64, 200, 1000, 10_000] {
            #expect(try #require(self.mistake(in: nested(depth))).message.contains("deep"))
        }
    }

    @Test func fieldsAreCounted() throws {
        func wide(_ count: Int) -> String {
            let fields = (0..<count).map { "\"f\($0)\":\"p\"" }.joined(separator: ",")
            return #"{"version":1,"fields":{\#(fields)}}"#
        }
        #expect(try Recipe(wide(10_000)).rules.count == 10_000)
        #expect(try #require(self.mistake(in: wide(10_001))).message == "more than 10000 fields")
    }

    @Test func repeatedFieldsAreCountedEachTime() throws {
        var text = "version: 1\nfields:\n"
        text += "  a0: {select: p, each: &a0 {x: p, y: p, z: p, t: p}}\n"
        for level in 1...9 {
            let inner = (0..<8).map { "f\($0): {select: p, each: *a\(level - 1)}" }.joined(separator: ", ")
            text += "  a\(level): {select: p, each: &a\(level) {\(inner)}}\n"
        }
        let error = try #require(self.mistake(in: text))
        #expect(error.message.contains("more than"))
    }

    @Test func anAliasBombIsRefused() throws {
        var text = "a: &a [x,x,x,x,x,x,x,x,x]\n"
        for (name, inner) in zip("bcdefghi", "abcdefgh") {
            text += "\(name): &\(name) [\((0..<9).map { _ in "*\(inner)" }.joined(separator: ","))]\n"
        }
        let error = try #require(self.mistake(in: text + "version: 1\nfields: {x: {const: *i}}\n"))
        #expect(error.message.contains("more than 200000 values"))
    }

    @Test func lengthIsLimited() throws {
        let text = "version: 1\nfields: {a: b}\n#" + String(repeating: "x", count: 1 << 20)
        #expect(try #require(self.mistake(in: text)).message.contains("1048576 allowed"))
    }

    @Test(arguments: [
        "[", "{", "{\"a\":", "- ", "? ", "&a [", "\"", "a: |\n", "!!", "%", "\u{0}", "\u{FEFF}", "*",
    ])
    func whatIsCutOffOrRepeatedIsRefused(piece: String) {
        for count in [1, 300, 20_000] {
            #expect(mistake(in: String(repeating: piece, count: count)) != nil)
        }
    }

    @Test func bytesThatAreNoTextAreRefused() {
        for bytes: [UInt8] in [
            [0xFF], [0x7B, 0x22, 0xC3, 0x22], [0xC3, 0x28], [0xFF, 0xFE, 0x61], Array(0...255),
        ] {
            #expect(throws: RuleError.self) { _ = try Recipe(parsing: bytes) }
        }
    }

    // MARK: - Equal spellings

    @Test(arguments: [
        #"{"version":1,"fields":{"a":{"const":"\ud83d\ude00\/"}}}"#,
        "version: 1\nfields: {a: {const: \"\u{1F600}/\"}}",
        "version: 1\r\nfields:\r\n  a:\r\n    const: \u{1F600}/\r\n",
        "{version: 1, fields: {a: {const: '\u{1F600}/',},},}",
        "version: 1\nfields:\n  a: {<<: {const: x}, const: \u{1F600}/}",
        "version: 1\nlet: {x: \u{1F600}}\nfields: {a: {const: '${x}/'}}",
    ])
    func jsonAndYAMLSayTheSame(text: String) throws {
        #expect(try RecipeRun.run(text).data == "{\"a\":\"\u{1F600}/\"}")
    }

    @Test(arguments: [
        ("~", "null"), ("null", "null"), ("true", "true"), ("True", "true"), ("yes", #""yes""#),
        ("no", #""no""#),
        ("1", "1"), ("-7", "-7"), ("+7", "7"), ("0x1F", "31"), ("0o17", "15"), ("1_000", #""1_000""#),
        ("1.5", "1.5"),
        (".5", "0.5"), ("1e3", "1000.0"), (".inf", #"".inf""#), (".nan", #"".nan""#),
        ("0x1.8p1", #""0x1.8p1""#),
        ("2026-11-21", #""2026-11-21""#), ("12:30", #""12:30""#), ("'1'", #""1""#), ("!!str 1", #""1""#),
        ("99999999999999999999", "1e+20"), ("1e999", #""1e999""#), ("-", #""-""#), ("[a, 1]", #"["a",1]"#),
    ])
    func scalarsFollowTheCoreSchema(text: String, expected: String) throws {
        let recipe = "version: 1\nfields:\n  a: {const: \(text)}\n"
        if text == "-" { return }
        #expect(try RecipeRun.run(recipe).data == #"{"a":\#(expected)}"#)
    }

    @Test func namesAreReplaced() throws {
        let run = try RecipeRun.run(
            """
            version: 1
            let: {shop: example, n: 2, cls: price}
            fields:
              a: {const: "${shop}-${n}-$${shop}-$5"}
              b: .${cls}
              c: {select: p, transform: [{template: "${shop}:${value}"}]}
              d: {css: .none, default: "${shop}"}
            """,
            on: "<p class=price>1</p>"
        )
        #expect(run.data == #"{"a":"example-2-${shop}-$5","b":"1","c":"example:1","d":"example"}"#)
    }
}
