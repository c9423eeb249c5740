import Foundation
import TestSupport
import Testing
import WebDifference
import WebLoader

@testable import WebSite

/// Lists of pages that are watched.
struct WatchListTests {
    private func list(_ text: String) throws(RuleError) -> [WatchEntry] {
        try WatchList(parsing: Array(text.utf8), file: "/lists/pages.yaml").entries
    }

    @Test func `an entry has what it says, and what the defaults say otherwise`() throws {
        let entries = try list(
            """
            version: 1
            defaults: {ignore: .clock, run: [tell, me], changes: false}
            watch:
              - https://a.test/x?y#z
              - {url: page.html, changes: true, run: notify -x, select: "#a", only: added}
              - name: kettle
                url: https://u:p@a.test/
                fields: {price: .p, list: {select: li, all: true}, o: {select: x, each: {y: z}}}
                when: [price < 20, "o.y == 'a b'", {text: [in stock, now], no_text: sold out}]
                webhook: https://hooks.test/secret
                history: true
                failures: 3
                ignore_numbers: 5%
              - {url: other.html, ignore_numbers: 0.5}
            """
        )
        #expect(entries.map(\.name) == ["https://a.test/x?y#z", "page.html", "kettle", "other.html"])
        #expect(entries[0].difference.ignoredSelectors.map(\.text) == [".clock"])
        #expect(entries[0].command == ["tell", "me"])
        #expect(!entries[0].tellsChanges)
        #expect(entries[1].url.href == "file:///lists/page.html")
        #expect(entries[1].command == ["notify", "-x"])
        #expect(entries[1].tellsChanges && entries[1].only == .added)
        #expect(
            entries[2].conditions.map(\.text) == [
                "price < 20", "o.y == 'a b'", #"text "in stock""#, #"text "now""#, #"no text "sold out""#,
            ]
        )
        #expect(entries[2].webhook?.href == "https://hooks.test/secret")
        #expect(entries[2].keepsHistory)
        #expect(entries[2].failures == 3 && entries[0].failures == nil)
        #expect(entries[2].difference.ignoredNumberDifference == .relative(0.05))
        #expect(entries[3].difference.ignoredNumberDifference == .absolute(0.5))
    }

    @Test(
        arguments: ([
            ("", "a list of pages"), ("[]", "a list of pages"), ("watch: {}", "a list of pages"),
            ("x: 1", "a key of a list"), ("version: 2\nwatch: [https://a.test/]", "version 1"),
            ("[1]", "a mapping for a page"), ("[{name: a}]", "a page with a \"url\""),
            ("[ftp://a.test/]", "a URL of http"), ("['http://']", "a URL of http"),
            ("[{url: a, nam: b}]", "a key of a page"), ("[a, a]", "a \"name\" of its own"),
            ("[{url: a, select: ')'}]", "selector"), ("[{url: a, select: b, fields: {c: d}}]", "one of"),
            ("[{url: a, fields: {c: {select: ')'}}}]", "selector"),
            ("[{url: a, recipe: /nothing/there.yaml}]", "/nothing/there.yaml"),
            ("[{url: a, ignore_text: '('}]", "pattern"),
            ("[{url: a, only: moved}]", "\"added\" or \"removed\""),
            ("[{url: a, changes: 1}]", "true or false"), ("[{url: a, run: []}]", "a program"),
            ("[{url: a, run: ' '}]", "a program"), ("[{url: a, webhook: 'file:///x'}]", "a URL of http"),
            ("[{url: a, when: price < 20}]", "for the condition"),
            ("[{url: a, fields: {c: d}, when: price < 20}]", "a field of the recipe"),
            ("[{url: a, fields: {c: d}, when: c < x}]", "a number behind"),
            ("[{url: a, fields: {c: d}, when: c}]", "a comparison"),
            ("[{url: a, fields: {c: d}, when: c..d == 1}]", "names between the dots"),
            ("[{url: a, when: {text: ' '}}]", "a text"),
            ("[{url: a, when: {txt: b}}]", "a key of a condition"),
            ("[{url: a, failures: 0}]", "a whole number from 1"),
            ("[{url: a, failures: 1001}]", "a whole number from 1"),
            ("[{url: a, failures: 1e9999}]", "a whole number from 1"),
            ("[{url: a, failures: 99999999999999999999}]", "a whole number from 1"),
            ("[{url: a, ignore_numbers: -1}]", "a number, as in"),
            ("[{url: a, ignore_numbers: nan%}]", "a number, as in"),
            ("[{url: a, ignore_numbers: .inf}]", "a number, as in"),
            ("[{url: a, ignore_numbers: []}]", "a number, as in"),
            ("[{url: a, url: b}]", "url"),
            ("[&x [*x]]", "an anchor"), ("\u{0}", "YAML"), ("[{url: a", "YAML"),
            ("- a\n- \"\\ud800\"", "YAML"),
            (String(repeating: "[", count: 10_000), "deep"),
            (
                "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nwatch: [*e,*e,*e,*e,*e,*e,*e,*e]",
                "values"
            ),
            (String(repeating: "- a\n", count: 10_001), "more than 10000 pages"),
            (String(repeating: " ", count: 1 << 20) + "- a", "bytes"),
        ] as [(String, String)]).map { (Abbreviated($0), $1) }
    )
    func `what is no list says what was expected`(_ text: Abbreviated<String>, _ expected: String) {
        let error = #expect(throws: RuleError.self) { _ = try list(text.value) }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test func `what may be secret is in no message`() {
        for text in ["['https://u:secret@[']", "[{url: a, webhook: 'ftp://h.test/secret'}]"] {
            let error = #expect(throws: RuleError.self) { _ = try list(text) }
            #expect(error?.description.contains("secret") == false)
        }
    }

    // MARK: - Conditions

    private static let text =
        #"{"price":19.5,"text":" 7 ","name":"kettle","no":null,"on":true,"big":1e308,"offers":[{"price":30},{"price":[25,10]}],"none":[]}"#

    @Test(arguments: [
        ("price < 20", true), ("price<19.5", false), ("price <= 19.5", true), ("price >= 20", false),
        ("price == 19.50", true), ("price != 19.5", false), ("text == 7", true), ("text > 6", true),
        ("name == kettle", true), ("name == \"kettle\"", true), ("name != 'pot'", true),
        ("no == null", true), ("nothing == null", true), ("nothing < 5", false), ("on == true", true),
        ("on == false", false), ("offers.price < 11", true), ("offers[].price < 10", false),
        ("offers.price == 25", true), ("none == null", true), ("big > 1e307", true), ("big < -1e308", false),
        ("price < 99999999999999999999999999", true), ("name.length == null", true),
    ])
    func `a comparison holds or not`(_ text: String, _ holds: Bool) throws {
        let condition = try WatchCondition(text)
        let outcome = condition.outcome(data: try JSONValue(parsing: Data(Self.text.utf8)), text: nil)
        #expect(outcome.holds == holds)
        #expect(outcome.problem == nil)
    }

    @Test func `an order of what is no number is a problem`() throws {
        let outcome = try WatchCondition("name < 5").outcome(
            data: try JSONValue(parsing: Data(Self.text.utf8)),
            text: nil
        )
        #expect(!outcome.holds)
        #expect(outcome.problem?.contains("\"kettle\" is no number") == true)
    }

    @Test(arguments: [("in  stock", true, true), ("sold out", true, false), ("sold out", false, true)])
    func `a text is there whatever the white space`(_ text: String, _ isPresent: Bool, _ holds: Bool) {
        let outcome = WatchCondition(text: text, isPresent: isPresent).outcome(
            data: nil,
            text: "now\n in\tstock."
        )
        #expect(outcome.holds == holds)
    }
}
