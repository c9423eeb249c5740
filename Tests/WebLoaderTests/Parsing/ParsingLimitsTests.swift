import TestSupport
import Testing

@testable import WebDocument
@testable import WebLoader

/// Tests of the costs that no page may exceed, whichever parser reads it.
@Suite(.timeLimit(.minutes(20)))
struct ParsingLimitsTests {
    private func page(
        _ text: String,
        _ mimeType: String = "text/html",
        parser: HTMLParserKind = .html5,
        _ configure: @escaping (inout LoadLimits) -> Void = { _ in }
    ) async throws -> ParsedPage {
        let loader = PageLoader.offline {
            configure(&$0.limits)
            $0.htmlParser = parser
            $0.reportsParseErrors = true
        }
        return try await loader.loadData(
            Array(text.utf8),
            mimeType: mimeType,
            textEncodingName: "utf-8",
            baseURL: nil
        ).parsed()
    }

    private static func attributes(_ count: Int) -> String {
        (0..<count).map { " a\($0)='1'" }.joined()
    }

    @Test func everyLimitOfHTMLIsReported() async throws {
        let attributes = try await page("<p\(Self.attributes(10))>") { $0.maximumAttributes = 4 }
        #expect(attributes.limits == [ReachedLimit(code: .attributes, limit: 4, count: 6)])
        let text = try await page("<p title=long>longer") { $0.maximumTextLength = 3 }
        #expect(text.limits == [ReachedLimit(code: .text, limit: 3, count: 4)])
        let memory = try await page(String(repeating: "<p title=x>x", count: 10_000)) {
            $0.maximumTreeMemory = 1 << 20
        }
        #expect(memory.limits == [ReachedLimit(code: .memory, limit: 1 << 20, count: nil)])
        #expect(try #require(memory.document).counts.elements > 1000)
        let formatting = try await page((0..<2000).map { "<font size=\($0)>" }.joined())
        #expect(formatting.limits.contains { $0.code == .formatting })
        for page in [attributes, text, memory, formatting] { #expect(page.isTruncated) }
    }

    @Test(arguments: ["text/html", "text/xml"])
    func aTreeMayTakeMemoryInProportionToItsPage(type: String) async throws {
        let dense = "<x>" + String(repeating: "<p/>x", count: 400_000) + "</x>"
        let allowed = LoadLimits().treeMemory(inputSize: dense.utf8.count)
        #expect(allowed == 24 << 20 + 32 * dense.utf8.count)
        let cut = try await page(dense, type)
        #expect(cut.limits == [ReachedLimit(code: .memory, limit: allowed, count: nil)])
        let whole = try await page(dense, type) { $0.maximumTreeMemory = 1 << 30 }
        #expect(whole.limits.filter { $0.code == .memory } == [])
    }

    @Test func everyLimitOfXMLIsReported() async throws {
        let nodes = try await page("<x>" + String(repeating: "<y/>", count: 1000) + "</x>", "text/xml") {
            $0.maximumNodes = 100
        }
        #expect(nodes.limits == [ReachedLimit(code: .nodes, limit: 100, count: nil)])
        #expect(nodes.warnings == [])
        let memory = try await page(
            "<x>" + String(repeating: "<y a='1'/>", count: 10_000) + "</x>",
            "text/xml"
        ) {
            $0.maximumTreeMemory = 1 << 16
        }
        #expect(memory.limits.map(\.code) == [.memory])
        let depth = try await page(String(repeating: "<y>", count: 1000), "text/xml")
        #expect(depth.limits == [ReachedLimit(code: .depth, limit: 256, count: nil)])
        #expect(depth.isTruncated)
    }

    @Test(arguments: [("text/xml", HTMLParserKind.html5), ("text/html", .libxml2)])
    func libxml2IsNotGivenMoreAttributesThanItCanTake(type: String, parser: HTMLParserKind) async throws {
        let error = await #expect(throws: LoadError.self) {
            _ = try await page("<x\(Self.attributes(100_000))/>", type, parser: parser)
        }
        #expect(error?.code == "limit.attributes")
        let fine = try await page("<x\(Self.attributes(1000))/>", type, parser: parser)
        #expect(fine.limits == [])
    }

    @Test(
        arguments: [
            ("<a b='>' c=\"<d e='1'\"/>", 2, nil), ("<a b='1' c='2' d='3'/>", 2, 0),
            ("<!-- <a b='1' c='2' d='3'> --><a/>", 2, nil), ("<![CDATA[<a b='1' c='2' d='3'>]]><a/>", 2, nil),
            ("<?p b='1' c='2' d='3'?><a/>", 2, nil), ("x<y><a b='1' c='2' d='3'", 2, 4),
            ("<!DOCTYPE x [<!ENTITY e \"<a b='1' c='2' d='3'/>\">]>", 2, 25), ("", 2, nil), ("<", 2, nil),
            ("<!--", 2, nil), ("a = b = c = d", 2, nil),
        ] as [(String, Int, Int?)]
    )
    func attributesAreCountedWhereTheyStand(text: String, limit: Int, place: Int?) {
        var text = text
        let found = text.withUTF8 { unsafe AttributeScan($0, .xml, limit: limit).firstExcess() }
        #expect(found == place)
    }

    @Test(
        arguments: Abbreviated.each([
            // A billion laughs, and a quadratic blow-up.
            (0..<30).reduce("<!DOCTYPE x [<!ENTITY e 'lol'>") { text, level in
                text
                    + "<!ENTITY e\(level) '&e\(level == 0 ? "" : String(level - 1));&e\(level == 0 ? "" : String(level - 1));'>"
            } + "]><x>&e29;</x>",
            "<!DOCTYPE x [<!ENTITY e '\(String(repeating: "x", count: 100_000))'>]><x>"
                + String(repeating: "&e;", count: 100_000) + "</x>",
            "<!DOCTYPE x [<!ENTITY e '&e;'>]><x a='&e;'>&e;</x>",
            // Resources that would have to be fetched.
            "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>&e;</x>",
            "<!DOCTYPE x SYSTEM 'http://127.0.0.1:1/x.dtd'><x>&e;</x>",
            "<!DOCTYPE x [<!ENTITY % p SYSTEM 'file:///etc/passwd'>%p;]><x/>",
            "<x xmlns:i='http://www.w3.org/2001/XInclude'><i:include href='/etc/passwd' parse='text'/></x>",
        ])
    )
    func entitiesNeitherGrowNorReachOut(text: Abbreviated<String>) async throws {
        let text = text.value
        let page = try await page(text, "text/xml")
        let content = page.document?.root?.textContent ?? ""
        #expect(!content.contains("root:"))
        #expect(content.utf8.count <= text.utf8.count)
    }

    @Test func parseErrorsAreNamedAndBounded() async throws {
        #expect(
            try await page("<p a a>\n&foo;").parseErrors.errors == [
                ParseError(name: "duplicate-attribute", line: 1, column: 7),
                ParseError(name: "unknown-named-character-reference", line: 2, column: 5),
            ]
        )
        let many = try await page(String(repeating: "\0", count: 20_000)).parseErrors
        #expect(many.errors.count == ParseErrors.maximumCount)
        #expect(many.isTruncated)
        let xml = try await page("<x>\n<y></x>", "text/xml").parseErrors
        #expect(xml.errors.first?.line == 2)
        #expect(
            try await PageLoader.offline().loadHTMLString("<p a a>", baseURL: nil).parseErrors.errors.isEmpty
        )
    }

    @Test func aCancelledTaskEndsAParse() async throws {
        let text = String(repeating: "<p>x", count: 1_000_000)
        let task = Task { try await page(text) }
        task.cancel()
        let error = await #expect(throws: LoadError.self) { _ = try await task.value }
        #expect(error?.isCancellation == true)
    }
}
