import Foundation
import TestSupport
import Testing

@testable import WebDocument

/// JSON-LD as pages have it.
@Suite(.timeLimit(.minutes(20)))
struct JSONLDTests {
    private func blocks(_ script: String) throws -> [JSONLDBlock] {
        let page = try InspectionPages.page("<p>\n<script type='application/ld+json'>\(script)</script>")
        return try #require(page.document).jsonLD
    }

    @Test func blocksAreFoundByTheirType() throws {
        let page = try InspectionPages.page(
            """
            <script type="Application/LD+JSON; charset=utf-8">1</script><script>2</script>
            <body><script type=" application/ld+json ">3</script><script type=application/json>4</script>
            <template><script type=application/ld+json>5</script></template>
            """
        )
        #expect(try #require(page.document).jsonLD.map(\.value) == [1, 3])
    }

    @Test(
        "What pages get wrong is put right, and said",
        arguments: [
            ("{\"a\":1}", ["a": 1], []),
            ("<!-- {\"a\":1} -->", ["a": 1], [.comment]),
            ("\n//<![CDATA[\n{\"a\":1}\n//]]>\n", ["a": 1], [.comment]),
            ("/*<![CDATA[*/{\"a\":1}/*]]>*/", ["a": 1], [.comment]),
            ("// <![CDATA[ {\"a\":1} // ]]>", ["a": 1], [.comment]),
            ("<![CDATA[{\"a\":1}]]>", ["a": 1], [.comment]),
            ("{\"a\": /* x */ 1} // y", ["a": 1], [.comment]),
            ("{\"a\":\"x\ny\tz\"}", ["a": "x\ny\tz"], [.controlCharacter]),
            ("{\"a\":1}\u{1A}\u{2}", ["a": 1], [.controlCharacter]),
            ("\u{FEFF}{\"a\":1}\u{A0}", ["a": 1], [.controlCharacter]),
            ("{\"a\":[1,2,],}", ["a": [1, 2]], [.trailingComma]),
            ("{\"a\":\"it\\'s\"}", ["a": "it's"], [.unknownEscape]),
            ("{\"a\":1};", ["a": 1], [.semicolon]),
            ("{\"a\":1}{\"b\":2}", [["a": 1], ["b": 2]], [.severalValues]),
            ("{\"a\":1},", ["a": 1], [.trailingComma]),
            ("{\"a\":\"// <!-- ,}\"}", ["a": "// <!-- ,}"], []),
        ] as [(String, JSONValue, [JSONRepair])]
    )
    func repairs(script: String, value: JSONValue, repairs: [JSONRepair]) throws {
        let block = try #require(try blocks(script).first)
        #expect(block.value == value)
        #expect(block.repairs == repairs)
        #expect(block.failure == nil)
    }

    @Test(
        "What cannot be put right is reported with the page's line",
        arguments: [
            ("", 2), ("{", 2), ("{\n\"a\": x}", 3), ("{\"a\":1}\n\n}", 4), ("{\"a\" 1}", 2), ("[1 2]", 2),
            ("{'a':1}", 2), ("/", 2), ("/*", 2), ("<!-", 2), ("{\"a\":\"\\", 2), (",", 2), ("{,}", 2),
            ("[,]", 2),
            ("{{ template }}", 2),
        ]
    )
    func failures(script: String, line: Int) throws {
        let block = try #require(try blocks(script).first)
        #expect(block.value == nil)
        #expect(block.failure?.line == line)
    }

    @Test func nodesAreThoseOfArraysAndGraphs() throws {
        let block = try #require(
            try blocks(
                """
                [{"@type":"A","b":{"@type":"B"}},
                {"@context":"c","@graph":[{"@type":["C","D"]},"x"]},{"@id":"e","@graph":{"@type":"E"}},1]
                """
            ).first
        )
        #expect(block.nodes.map(\.jsonLDTypes) == [["A"], ["C", "D"], [], ["E"]])
    }

    @Test func depthIsBounded() throws {
        for opening in ["[", "{\"a\":"] {
            let block = try #require(try blocks(String(repeating: opening, count: 10_000) + "1").first)
            #expect(block.failure?.message == "nested more than 512 levels deep")
        }
    }

    @Test(.enabled(if: Nightly.isOn, "nightly: slow where it is not optimised")) func fiveMegabytesAreRead()
        throws
    {
        let item = "{\"@type\":\"Thing\",\"name\":\"\(String(repeating: "x", count: 60))\"}"
        let items = String(repeating: item + ",", count: 60_000)
        let whole = try #require(try blocks("[\(items)\(item)]").first)
        #expect(whole.nodes.count == 60_001)
        let repaired = try #require(try blocks("[\(items)]").first)
        #expect(repaired.repairs == [.trailingComma])
        #expect(try blocks("[\(items)\(item)").first?.failure?.line == 2)
    }

    @Test func everyPrefixEnds() throws {
        let text = "/**///<![CDATA[\n<!--{\"a\":[1,-2.5e+3,\"\\u12\\x\",],\"b\":{}};\u{1}//]]>\u{FEFF}"
        for length in 0...text.unicodeScalars.count {
            _ = try blocks(String(String.UnicodeScalarView(text.unicodeScalars.prefix(length))))
        }
    }

    @Test func valuesAreCodable() throws {
        let value: JSONValue = ["a": [1, .number(2.5), "x", true, .null], "b": [:], "c": []]
        #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
    }
}
