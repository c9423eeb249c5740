import Testing

@testable import WebStandards

struct LinkFieldTests {
    /// The links of a line, each as its target and its parameters, for tables.
    private func written(_ lines: [String]) -> [String] {
        LinkField.parse(fieldLines: lines).map { link in
            ([link.target] + link.parameters.map { "\($0.name)=\($0.value)" }).joined(separator: "|")
        }
    }

    @Test(
        "Links and their parameters are read",
        arguments: [
            ("", []), ("<a>", ["a"]), ("<>", [""]), ("<a>; rel=next", ["a|rel=next"]),
            ("<a>;rel=\"next\"", ["a|rel=next"]), ("\t<a>\t;\trel\t=\tnext\t", ["a|rel=next"]),
            ("<a>; REL=Next", ["a|rel=Next"]), ("<a>; rel", ["a|rel="]), ("<a>; rel=", ["a|rel="]),
            ("<a>; rel=x; title=\"a;b,c\\\"d\"", ["a|rel=x|title=a;b,c\"d"]),
            ("<a>; rel=x, <b>; rel=y", ["a|rel=x", "b|rel=y"]), ("<a>,<b>", ["a", "b"]),
            (",, <a>; rel=x,, ,<b>,", ["a|rel=x", "b"]),
            ("<http://h/?a=b,c;d>; rel=x", ["http://h/?a=b,c;d|rel=x"]),
            ("<a>; media=(min-width: 1px) and (x)", ["a|media=(min-width: 1px) and (x)"]),
            ("<a>; type=text/css; crossorigin", ["a|type=text/css|crossorigin="]),
            ("<a>; rel=x; rel=y", ["a|rel=x|rel=y"]),
        ] as [(String, [String])]
    )
    func parses(line: String, expected: [String]) {
        #expect(written([line]) == expected)
    }

    @Test(
        "What is malformed is passed over, the rest stays",
        arguments: [
            ("a; rel=x, <b>", ["b"]), ("garbage", []), ("\"<a>\", <b>", ["b"]), ("<a", []),
            ("<a>, <b", ["a"]),
            ("<a> x; rel=y", ["a|rel=y"]), ("<a>;; ;rel=x", ["a|rel=x"]), ("<a>; =b; rel=x", ["a|rel=x"]),
            ("<a>; rel=\"x\"y; b=c", ["a|rel=x|b=c"]), ("<a>; rel=\"x, <b>", ["a|rel=x, <b>"]),
            ("<a>; rel=x y, <b>", ["a|rel=x y", "b"]), ("<a> \"b,c\"; rel=x", ["a|rel=x"]),
            ("<a> <b>; rel=x", ["a|rel=x"]), ("<a>; rel=\"\\", ["a|rel=\\"]),
        ] as [(String, [String])]
    )
    func tolerates(line: String, expected: [String]) {
        #expect(written([line]) == expected)
    }

    @Test("Lines follow each other, and an open quote ends with its line")
    func severalLines() {
        #expect(written(["<a>; rel=\"x", "<b>, <c>"]) == ["a|rel=x", "b", "c"])
    }

    @Test("The first rel gives the relation types, the first anchor the context")
    func relations() throws {
        let links = LinkField.parse(fieldLines: [
            "<a>; rel=\" Next\t PREFETCH http://E/X \"; rel=last; anchor=\"#b\"; anchor=\"#c\"",
            "<d>; title=\"\"",
        ])
        let first = try #require(links.first)
        #expect(first.relationTypes == ["next", "prefetch", "http://e/x"])
        #expect(first.anchor == "#b")
        let last = try #require(links.last)
        #expect(last.relationTypes.isEmpty)
        #expect(last.anchor == nil)
        #expect(last[parameter: "title"]?.isEmpty == true)
    }

    @Test(
        "Extended parameters are decoded and stand in for plain ones",
        arguments: [
            ("<a>; title*=UTF-8''na%C3%AFve", "a|title=na\u{EF}ve"),
            ("<a>; title=x; title*=utf-8'en'y%20z; title=w", "a|title=y z"),
            ("<a>; title*=iso-8859-1'en'%A3; b=c", "a|title=\u{A3}|b=c"),
            ("<a>; title*=\"UTF-8''x\"", "a|title=x"),
            ("<a>; title=x; title*=UTF-8''%FF", "a|title=x"), ("<a>; title=x; title*=y", "a|title=x"),
            ("<a>; title*=koi8-r''%D0; b=c", "a|b=c"), ("<a>; rel*=UTF-8''next; anchor*=UTF-8''b", "a"),
            ("<a>; *=UTF-8''x", "a"),
        ]
    )
    func extendedParameters(line: String, expected: String) {
        #expect(written([line]) == [expected])
    }

    @Test("Megabytes take linear time", .timeLimit(.minutes(20)))
    func large() {
        #expect(written([String(repeating: "<a>,", count: 1 << 17)]).count == 1 << 17)
        #expect(written([String(repeating: "<", count: 1 << 20)]).isEmpty)
        #expect(written([String(repeating: "\"", count: 1 << 20)]).isEmpty)
        #expect(written(["<a>" + String(repeating: ";a*=UTF-8''b;a=c", count: 1 << 16)]).count == 1)
        #expect(
            LinkField.parse(fieldLines: ["<a>; rel=\"" + String(repeating: "b ", count: 1 << 17) + "\""])
                .count == 1
        )
    }
}
