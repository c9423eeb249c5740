import Testing

@testable import WebRules

struct TransformTests {
    /// A constant, its transforms, and the result.
    static let samples: [(value: String, transforms: String, expected: String)] = [
        (#"" \u00a0a  b \n""#, #"["trim"]"#, #""a  b""#),
        (#"" \u00a0a \u2003 b \n""#, #"["collapse"]"#, #""a b""#),
        (#""ÄB""#, #"["lower"]"#, #""äb""#), (#""straße""#, #"["upper"]"#, #""STRASSE""#),
        ("12", #"["upper"]"#, #""12""#),
        (#"["a","B"]"#, #"["lower"]"#, #"["a","b"]"#), ("null", #"["trim","number","date"]"#, "null"),
        (#"["1","x2",null]"#, #"["number"]"#, "[1,2,null]"),
        // match
        (#""aaaa!""#, #"[{"match":"^(a+)"}]"#, #""aaaa""#), (#""a1b22""#, #"[{"match":"[0-9]+"}]"#, #""1""#),
        (#""abc""#, #"[{"match":"x"}]"#, "null"), (#""abc""#, #"[{"match":"a(x)?b"}]"#, "null"),
        (#""a1b22""#, #"[{"match_all":"[0-9]+"}]"#, #"["1","22"]"#),
        (#""k=v; l=w""#, #"[{"match_all":"(\\w)="}]"#, #"["k","l"]"#),
        (#"["a1","b2c3"]"#, #"[{"match_all":"\\d"}]"#, #"["1","2","3"]"#),
        (#""aé€😀""#, #"[{"match_all":"."}]"#, #"["a","é","€","😀"]"#),
        (#""été""#, #"[{"match":"^\\w+$"}]"#, #""été""#),
        (#""1\u00a0000""#, #"[{"match":"\\s"}]"#, "\"\u{A0}\""),
        (#""ABC""#, #"[{"match":"(?i)b"}]"#, #""B""#), (#""ab""#, #"[{"match_all":""}]"#, #"["","",""]"#),
        (#""foobar""#, #"[{"match":"foo\\Kbar"}]"#, #""bar""#),
        // replace
        (#""a-b""#, #"[{"replace":["b","B"]}]"#, #""a-B""#),
        (#""a.b.c""#, #"[{"replace":["\\.",""]}]"#, #""abc""#),
        (
            #""2026-11""#, #"[{"replace":["(\\d+)-(\\d+)","$2/$1 $$5 $0 $7 $x $"]}]"#,
            #""11/2026 $5 2026-11  $x $""#
        ),
        (#""ab""#, #"[{"replace":["","-"]}]"#, #""-a-b-""#),
        (#""é€""#, #"[{"replace":["","-"]}]"#, #""-é-€-""#),
        (#""aab""#, #"[{"replace":["a*","x"]}]"#, #""xxbx""#),
        // split, join, slice
        (#""a,b,,c""#, #"[{"split":","}]"#, #"["a","b","","c"]"#),
        (#""héé""#, #"[{"split":""}]"#, #"["h","é","é"]"#),
        (#""a""#, #"[{"split":", "}]"#, #"["a"]"#), (#""""#, #"[{"split":","}]"#, #"[""]"#),
        (#"["a b","c"]"#, #"[{"split":" "}]"#, #"["a","b","c"]"#),
        (#""aaa""#, #"[{"split":"aa"}]"#, #"["","a"]"#),
        (#"["a",1,null,true]"#, #"[{"join":"-"}]"#, #""a-1-true""#), (#""a""#, #"[{"join":"-"}]"#, #""a""#),
        ("[]", #"[{"join":"-"}]"#, #""""#),
        (#"[1,2,3]"#, #"[{"slice":[1]}]"#, "[2,3]"), (#"[1,2,3]"#, #"[{"slice":[0,2]}]"#, "[1,2]"),
        (#"[1,2,3]"#, #"[{"slice":[-2,-1]}]"#, "[2]"), (#"[1,2,3]"#, #"[{"slice":[2,1]}]"#, "[]"),
        (#"[1,2,3]"#, #"[{"slice":[-99,99]}]"#, "[1,2,3]"),
        (#"[1]"#, #"[{"slice":[-9223372036854775808,9223372036854775807]}]"#, "[1]"),
        (#""héllo""#, #"[{"slice":[1,3]}]"#, #""él""#), (#""abc""#, #"[{"slice":[-1,null]}]"#, #""c""#),
        // unique, sort
        (#"["b","a","b",1,1.0,"1",{"x":1},{"x":1}]"#, #"["unique"]"#, #"["b","a",1,1.0,"1",{"x":1}]"#),
        (#""a""#, #"["unique"]"#, #""a""#),
        (
            #"["b","a","B",3,-1,2.5,null,true,false]"#, #"["sort"]"#,
            #"[null,false,true,-1,2.5,3,"B","a","b"]"#
        ),
        // map, template, default, repeat
        (#""In stock""#, #"[{"map":{"In stock":true}}]"#, "true"),
        (#"["a","b"]"#, #"[{"map":{"a":"A"}}]"#, #"["A",null]"#), ("1", #"[{"map":{"1":"one"}}]"#, #""one""#),
        (#""7""#, #"[{"template":"/p/${value}?${value}"}]"#, #""/p/7?7""#),
        ("null", #"[{"template":"${value}"}]"#, "null"),
        ("null", #"[{"default":0}]"#, "0"), (#""""#, #"[{"default":"x"}]"#, #""x""#),
        ("[]", #"[{"default":[1]}]"#, "[1]"), ("0", #"[{"default":1}]"#, "0"),
        ("false", #"[{"default":1}]"#, "false"),
        (#""ab""#, #"[{"repeat":3}]"#, #""ababab""#), (#""ab""#, #"[{"repeat":0}]"#, #""""#),
        (#""""#, #"[{"repeat":9007199254740992}]"#, #""""#),
        // url, json
        (#""../x""#, #"["url"]"#, #""http://h.test/x""#),
        (#"["a","//b/c"]"#, #"["url"]"#, #"["http://h.test/d/a","http://b/c"]"#),
        (#""{\"b\":[1,{\"c\":2}],\"a\":null}""#, #"["json"]"#, #"{"b":[1,{"c":2}],"a":null}"#),
        (#""{\"b\":[1,{\"c\":2}]}""#, #"[{"json":"$.b[1].c"}]"#, "2"),
        (#""{\"b\":[1]}""#, #"[{"json":"$.x.y"}]"#, "null"), (#"{"b":1}"#, #"[{"json":"$.b"}]"#, "1"),
        (#""{}""#, #"[{"json":"$..a"}]"#, "[]"),
        // one alone, and several
        (#"" A ""#, #""trim""#, #""A""#), (#"" 1,5 ""#, #"{"number":{"decimal":","}}"#, "1.5"),
        (#""a,b,c""#, #"[{"split":","},{"join":"-"},{"replace":["b","B"]}]"#, #""a-B-c""#),
    ]

    @Test(arguments: samples)
    func aTransformMakesAnotherValue(_ sample: (value: String, transforms: String, expected: String)) throws {
        let run = try RecipeRun.fields(#"{"f":{"const":\#(sample.value),"transform":\#(sample.transforms)}}"#)
        #expect(run.data == #"{"f":\#(sample.expected)}"#)
        #expect(run.errors.isEmpty, "\(run.errors)")
    }

    // MARK: - Numbers

    static let numbers: [(text: String, format: NumberFormat, expected: JSONValue?)] = {
        let english = NumberFormat()
        let german = NumberFormat(decimal: ",")
        let strict = NumberFormat(decimal: ",", group: ".")
        return [
            ("12", english, 12), ("1,234.50", english, .number(1234.5)), ("£1,234", english, 1234),
            ("$.99", english, .number(0.99)),
            (".5", english, .number(0.5)), ("-5 °C", english, -5), ("\u{2212}5", english, -5),
            ("-$5.00", english, .number(-5)), ("$-5", english, -5),
            ("A-5", english, 5), ("1 234 567", english, 1_234_567),
            ("1\u{202F}234,5", german, .number(1234.5)), ("1'234.5", english, .number(1234.5)),
            ("1.234,50 €", german, .number(1234.5)), ("1.234", german, 1234),
            ("1.234", english, .number(1.234)), ("1,23,456", english, 123_456),
            ("1 234", strict, nil), ("1.234,5", strict, .number(1234.5)), ("12,34", english, nil),
            ("1,2345", english, nil), ("1,234,56", english, nil),
            ("5 of 10", english, nil), ("none", english, nil), ("", english, nil), ("3.", english, 3),
            ("v1.2.3", english, nil), ("1e3", english, .number(1000)),
            ("2e", english, 2), ("9223372036854775807", english, .integer(.max)),
            ("9223372036854775808", english, .number(9_223_372_036_854_775_808)),
            ("1e999", english, nil), ("0012", english, 12), ("12.00", english, .number(12)),
            ("1,234 567", english, nil), ("7\n8", english, nil),
        ]
    }()

    @Test(arguments: numbers)
    func aNumberIsFound(_ sample: (text: String, format: NumberFormat, expected: JSONValue?)) {
        #expect(sample.format.number(in: sample.text) == sample.expected)
    }

    // MARK: - Dates

    @Test(arguments: [
        ("2026-11-21", "2026-11-21"), ("2026-11-21T15:04:05Z", "2026-11-21T15:04:05Z"),
        ("2026-11-21 15:04", "2026-11-21T15:04:00"),
        ("2026-11-21T15:04:05.123+02:00", "2026-11-21T15:04:05.123+02:00"),
        ("2026-11-21T15:04:05-0500", "2026-11-21T15:04:05-05:00"),
        ("20261121", "2026-11-21"), ("2026/11/21", "2026-11-21"),
        ("Sat, 21 Nov 2026 15:04:05 GMT", "2026-11-21T15:04:05Z"),
        ("Saturday, November 21st, 2026", "2026-11-21"), ("Nov 21, 2026 at 3:04 PM", "2026-11-21T15:04:00"),
        ("21 November 2026", "2026-11-21"),
        ("12:05 am, 1 May 2026", "2026-05-01T00:05:00"), ("3 pm on May 1, 2026", "2026-05-01T15:00:00"),
        ("21.11.2026", "2026-11-21"), ("1.2.2026", "2026-02-01"),
        ("21/11/2026", "2026-11-21"), ("11/21/2026", "2026-11-21"), ("4/4/2026", "2026-04-04"),
        ("21. März 2026 um 9:05 Uhr", "2026-03-21T09:05:00"),
        ("mardi 3 février 2026", "2026-02-03"), ("3 de marzo de 2026", "2026-03-03"),
        ("29 Feb 2024", "2024-02-29"), ("Nov 3, 68", "2068-11-03"),
        ("Nov 3, 69", "1969-11-03"), ("3 Nov 70", "1970-11-03"),
        ("Published: 3 Jan 2026, 10:00 CET", "2026-01-03T10:00:00+01:00"), ("2026 Nov 3", "2026-11-03"),
        ("  2026-01-02\n", "2026-01-02"),
    ])
    func aDateIsRead(text: String, expected: String) throws {
        #expect(try DateReader.read(text, order: nil) == expected)
    }

    @Test(arguments: [
        "", "yesterday", "2 hours ago", "3/4/2026", "2026-02-29", "2026-13-01", "31/31/2026",
        "25:00 1 May 2026", "1 May", "May 2026", "13 pm 1 May 2026",
        "99999999999999999999 May 1", "2026-11-21 and 2026-11-22", "1 May 2026 10:00 11:00",
        String(repeating: "1 ", count: 10_000), "0000-01-01", "🎂",
    ])
    func whatIsNoOneDateIsRefused(text: String) {
        #expect(throws: DateReader.Failure.self) { try DateReader.read(text, order: nil) }
    }

    @Test(arguments: [("dmy", "2026-04-03"), ("mdy", "2026-03-04")])
    func theOrderMayBeGiven(order: String, expected: String) throws {
        let run = try RecipeRun.fields(
            #"{"f":{"const":"3/4/2026","transform":[{"date":{"order":"\#(order)"}}]}}"#
        )
        #expect(run.data == #"{"f":"\#(expected)"}"#)
    }

    // MARK: - JSON paths

    static let document =
        #"{"a":{"b":[1,2,{"c":"x","@type":"P"}],"é":null},"l":[{"n":1},{"n":2.5,"o":true},{"n":"z"}]}"#

    @Test(arguments: [
        ("$", document), ("$.a.b[0]", "1"), ("$['a'][\"b\"][-1].c", #""x""#), ("$.a.é", "null"),
        ("$.a.b[9]", "null"), ("$.a.x", "null"),
        ("$.a.b[*]", #"[1,2,{"c":"x","@type":"P"}]"#), ("$.l[*].n", #"[1,2.5,"z"]"#),
        ("$..n", #"[1,2.5,"z"]"#), ("$..c", #"["x"]"#),
        ("$.a.b[0,1]", "[1,2]"), ("$.a.b[1:]", #"[2,{"c":"x","@type":"P"}]"#),
        ("$.a.b[::-1]", #"[{"c":"x","@type":"P"},2,1]"#), ("$.a.b[:1]", "[1]"),
        ("$.a.b[5:1:-2]", #"[{"c":"x","@type":"P"}]"#), ("$.a.b[::0]", "[]"),
        ("$.a.b[::9007199254740992]", "[1]"),
        ("$.l[?@.n==1]", #"[{"n":1}]"#), ("$.l[?@.n>1]", #"[{"n":2.5,"o":true}]"#),
        ("$.l[?@.o]", #"[{"n":2.5,"o":true}]"#), ("$.l[?!@.o].n", #"[1,"z"]"#),
        ("$.l[?@.n=='z' || @.n<=1].n", #"[1,"z"]"#), ("$.l[?(@.n>=1 && @.o==true)].n", "[2.5]"),
        ("$..[?@['@type']=='P'].c", #"["x"]"#), ("$..[?@.@type=='P'].c", #"["x"]"#),
        ("$.l[?@.n!=1].n", #"[2.5,"z"]"#), ("$.l[?@.missing==null]", "[]"),
    ])
    func aPathFindsItsValues(path: String, expected: String) throws {
        let document = try JSONValue(parsing: Self.document.utf8)
        let found = try JSONPath(path).value(in: document).serialized(sortingNames: false)
        #expect(String(decoding: found, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        "", "a", "$a", "$.", "$..", "$[", "$[]", "$['a", "$['a'", "$.1", "$[1", "$[1:2:3:4]", "$[?]",
        "$[?@.a==]", "$[?(@.a]", "$[?$.a]", "$.a b", "$[99999999999999999999]",
        "$[-9223372036854775808]", "$[-9223372036854775808:]", "$[::-9223372036854775808]",
        "$[9223372036854775807]", "$[9007199254740993]",
        "$['\\x']", "$" + String(repeating: "[?(@", count: 100),
        "$[?" + String(repeating: "(", count: 10_000),
    ])
    func whatIsNoPathIsRefused(path: String) {
        #expect(throws: JSONPath.Failure.self) { try JSONPath(path) }
    }
}
