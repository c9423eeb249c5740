import TestSupport
import Testing

@testable import WebDocument
@testable import WebLoader

/// Selectors and pages made to take long: each ends soon, with an answer or an error.
@Suite(.timeLimit(.minutes(20)))
struct HostileSelectorTests {
    private static func nested(_ function: String, _ depth: Int) -> String {
        String(repeating: ":\(function)(", count: depth) + "a" + String(repeating: ")", count: depth)
    }

    @Test(
        "Beyond a limit is an error that says so",
        arguments: Abbreviated.each([
            nested("not", 1000), nested("is", 1000), nested("is", 100_000),
            nested("nth-child", 1).replacing("a", with: "1 of " + nested("not", 50)),
            String(repeating: "a ", count: 100_000) + "a", String(repeating: ".a", count: 100_000),
            String(repeating: "x", count: 2_000_000),
            String(repeating: "a>", count: 300) + "a", ":has(" + String(repeating: "a ", count: 300) + "a)",
        ])
    )
    func limits(selector: Abbreviated<String>) throws {
        let error = try #require(throws: SelectorError.self) { try Selector(selector.value) }
        #expect(error.code == .limit)
        #expect(error.message.utf8.count < 300)
    }

    @Test("Within the limits it is read", arguments: ["not", "is", "where"])
    func deepestThatIsRead(function: String) throws {
        let document = try SelectorPages.html("<a>")
        _ = try document.querySelectorAll(Self.nested(function, SelectorParser.maximumDepth))
    }

    /// A page of so many elements inside or beside each other.
    private static func page(deep: Bool, _ count: Int) async throws -> Document {
        let loader = PageLoader.offline { $0.limits.maximumDepth = 200_000 }
        let markup = String(repeating: deep ? "<div class=x>" : "<div class=x></div>", count: count)
        let page = try await loader.loadHTMLString("<!DOCTYPE html>" + markup, baseURL: nil).parsed()
        return try #require(page.document)
    }

    static let selectors = [
        "* * * * * * * * * *", "* > * * > * * > * * > *", "* ~ * ~ * ~ * ~ *", "* + * ~ * + * ~ *",
        ".missing ~ div", ".missing div",
        "div:has(.missing)", "div:has(~ .missing)", "div:has(:is(.missing, b))", "div:has(div:not(.x))",
        ":has(* * * *)", "div:has(~ div ~ div ~ .missing)",
        "div:nth-child(2n+1)", "div:nth-last-child(2n+1)", "div:nth-of-type(3n)", "div:nth-last-of-type(3n)",
        ":first-of-type", ":last-of-type",
        ":nth-child(2n of .x)", ":nth-last-child(3 of div:not(.missing ~ div))",
        ":is(.missing *, .missing ~ *)", "div:not(:has(.missing)) div:not(:has(.missing))",
        ":lang(en)", ":only-child", "div > div > div", ":has(+ div + .missing)", ":not(:not(.x div))",
        ":empty", ":root *", ":disabled",
    ]

    @Test("Wide pages take linear time", arguments: selectors)
    func wide(selector: String) async throws {
        let document = try await Self.page(deep: false, 20_000)
        let parsed = try Selector(selector)
        var cursor = ElementCursor(
            parsed,
            inside: document.node,
            of: document,
            scope: nil,
            steps: 20_000 * 400
        )
        while try cursor.next() != nil {}
    }

    @Test("Deep pages take linear time", arguments: selectors)
    func deep(selector: String) async throws {
        let document = try await Self.page(deep: true, 5_000)
        let parsed = try Selector(selector)
        var cursor = ElementCursor(
            parsed,
            inside: document.node,
            of: document,
            scope: nil,
            steps: 5_000 * 400
        )
        while try cursor.next() != nil {}
    }

    @Test func aListOfTenThousandIsMatched() throws {
        let list = (0..<10_000).map { ".c\($0)" }.joined(separator: ",")
        let document = try SelectorPages.html("<p class=c9999><p class=d>")
        #expect(try document.querySelectorAll(":is(\(list))").count == 1)
        #expect(try document.querySelectorAll("p:not(\(list))").count == 1)
    }

    @Test(.enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"))
    func whatTakesTooManyStepsIsAnError() async throws {
        let document = try await Self.page(deep: false, 50_000)
        let list = (0..<20_000).map { ".c\($0)" }.joined(separator: ",")
        let error = try #require(throws: SelectorError.self) { try document.querySelectorAll(":is(\(list))") }
        #expect(error.code == .limit)
    }

    @Test func distinctTypesAreNumberedInLinearTime() async throws {
        let markup = (0..<50_000).map { "<x-\($0)></x-\($0)>" }.joined()
        let document = try SelectorPages.html(markup)
        var cursor = ElementCursor(
            try Selector(":nth-of-type(1)"),
            inside: document.node,
            of: document,
            scope: nil,
            steps: 50_000 * 100
        )
        var count = 0
        while try cursor.next() != nil { count += 1 }
        #expect(count == 50_003)
    }

    @Test(
        "Any bytes are a selector or an error",
        arguments: 0..<200
    )
    func garbage(seed: Int) throws {
        var generator = SeededSequence(seed)
        let pieces = [
            "a", "*", "|", ".", "#", "[", "]", "(", ")", ":", "::", ",", " ", ">", "+", "~", "=", "\"", "'",
            "\\", "\n", "n", "-", "2n", ":is(", ":not(",
            ":has(", ":nth-child(", "of", "/*", "*/", "&", "é", "\u{0}", "1", "url(", "!", "{", "}", "::text",
            ":lang(", "@x", "<!--", "i",
        ]
        let text = (0..<generator.next(40)).map { _ in pieces[generator.next(pieces.count)] }.joined()
        let document = try SelectorPages.html("<p class=a id=b>x<b>y</b>")
        for dialect in Selector.Dialect.allCases {
            var options = Selector.Options()
            options.dialect = dialect
            // An error is as good an answer as any.
            guard let selector = try? Selector(text, options: options) else { continue }
            _ = try document.querySelectorAll(selector)
            #expect(selector.specificities.count == selector.prefixes.count)
        }
    }
}
