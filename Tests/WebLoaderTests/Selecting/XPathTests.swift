import TestSupport
import Testing

@testable import WebDocument

/// XPath through libxml2.
@Suite(.timeLimit(.minutes(20)))
struct XPathTests {
    private func document() throws -> Document {
        try SelectorPages.html(
            "<div><a href=x id=1>One</a><a href=y id=2>Two</a><svg><a id=3></a></svg></div>"
        )
    }

    @Test func resultsHaveTheFourTypes() throws {
        let document = try document()
        #expect(try document.evaluate("count(//a)") == .number(2))
        #expect(try document.evaluate("string(//a[2])") == .string("Two"))
        #expect(try document.evaluate("//a[1] = 'One'") == .boolean(true))
        guard case .nodes(let nodes) = try document.evaluate("//a/@href | //a/text()") else {
            Issue.record("no nodes")
            return
        }
        #expect(nodes.map(\.stringValue) == ["x", "One", "y", "Two"])
        guard case .attribute(let attribute, let owner) = nodes[0] else {
            Issue.record("no attribute")
            return
        }
        #expect(attribute.name == "href")
        #expect(owner.id == "1")
        #expect(try document.evaluate("//missing") == .nodes([]))
        #expect(try document.evaluate("number('x')") != .number(0))
    }

    @Test func aNodeIsTheContext() throws {
        let link = try #require(try document().querySelector("a + a"))
        #expect(try link.evaluate("string(.)") == .string("Two"))
        #expect(try link.evaluate("count(preceding-sibling::*)") == .number(1))
        #expect(try link.evaluate("count(/html)") == .number(1))
    }

    @Test func namespacesAndVariables() throws {
        let expression = try XPathExpression(
            "//svg:a[@id=$id]",
            namespaces: ["svg": "http://www.w3.org/2000/svg"]
        )
        guard case .nodes(let nodes) = try document().evaluate(expression, variables: ["id": .string("3")])
        else { return }
        #expect(nodes.count == 1)
        let sum = try XPathExpression("$a + $b * 2")
        #expect(
            try document().evaluate(sum, variables: ["a": .number(1), "b": .boolean(true)]) == .number(3)
        )
        guard case .nodes(let spaces) = try document().evaluate("//*[local-name()='svg']/namespace::*") else {
            return
        }
        #expect(spaces.contains { $0.stringValue == "http://www.w3.org/2000/svg" })
    }

    @Test(
        "Functions of XPath 2",
        arguments: [
            ("matches('abc', '^a.c$')", XPathValue.boolean(true)), ("matches('ABC', 'b')", .boolean(false)),
            ("matches('ABC', 'b', 'i')", .boolean(true)),
            ("ends-with('abc', 'bc')", .boolean(true)), ("ends-with('abc', '')", .boolean(true)),
            ("ends-with('c', 'abc')", .boolean(false)), ("lower-case('ÄB')", .string("äb")),
            ("count(//a[matches(@href, '[xz]')])", .number(1)),
        ]
    )
    func functions(text: String, expected: XPathValue) throws {
        #expect(try document().evaluate(text) == expected)
    }

    @Test(
        "What is no expression says why",
        arguments: [
            ("", nil), ("//a[", 4), ("//a]", 3), ("1 +", 3), ("foo()", nil), ("$x", nil), ("x:a", nil),
            ("matches('a')", nil), ("matches('a', '(')", nil),
            ("matches('a', 'a', 'x')", nil), ("'a", 2), ("a b", 2), ("//a\u{0}", 3), ("ends-with('a')", nil),
            ("lower-case()", nil),
        ] as [(String, Int?)]
    )
    func invalid(text: String, offset: Int?) throws {
        let error = try #require(throws: SelectorError.self) { try document().evaluate(text) }
        #expect(error.code == .invalidXPath)
        if let offset { #expect(error.offset == offset, "\(error)") }
        #expect(!error.message.isEmpty)
    }

    @Test(
        "Beyond a limit",
        arguments: Abbreviated.each([
            String(repeating: "(", count: 1000) + "1" + String(repeating: ")", count: 1000),
            String(repeating: "//a[", count: 1000) + "1" + String(repeating: "]", count: 1000),
            String(repeating: "x", count: 100_000), String(repeating: "1+", count: 20_000) + "1",
            String(repeating: "-", count: 20_000) + "1", String(repeating: "a/", count: 20_000) + "a",
            String(repeating: "not(", count: 5000) + "1" + String(repeating: ")", count: 5000),
            String(repeating: "a|", count: 20_000) + "a",
        ])
    )
    func limits(text: Abbreviated<String>) throws {
        let document = try document()
        // Some are answered, since libxml2 does not nest them; none may overflow the stack.
        do throws(SelectorError) {
            _ = try document.evaluate(text.value)
        } catch {
            #expect(error.code == .xpathLimit, "\(error)")
        }
    }

    @Test func tooManyOperationsAreAnError() async throws {
        let document = try SelectorPages.html(String(repeating: "<p>", count: 20_000))
        let error = try #require(throws: SelectorError.self) {
            try document.evaluate("count(//p[count(//p[count(//p) > 1]) > 1])")
        }
        #expect(error.code == .xpathLimit)
    }
}
