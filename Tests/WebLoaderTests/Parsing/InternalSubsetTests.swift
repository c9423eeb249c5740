import Testing

@testable import WebDocument
@testable import WebLoader

@Suite struct InternalSubsetTests {
    /// Returns the omitted parts of a document; `nil` if it has no declarations.
    private static func omitted(_ text: String) -> [String]? {
        var text = text
        return text.withUTF8 { bytes in
            guard let subset = unsafe InternalSubset(bytes) else { return nil }
            return subset.omitted.map { unsafe String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    @Test(
        arguments: [
            "<!ENTITY ns_svg \"http://www.w3.org/2000/svg\">", "<!ENTITY a '<b>\"]>\"</b>'>",
            "<!ENTITY a SYSTEM 'u'>", "<!ENTITY a PUBLIC \"p\" 'u' NDATA n>", "<!-- ]> --><?p ]>?>",
            "<!ENTITY % p SYSTEM 'u'> %p;", "<!ELEMENT a (#PCDATA|b)*><!ELEMENT b EMPTY>",
            "<!ATTLIST svg xmlns:x CDATA #FIXED 'u' id ID #IMPLIED t (a|b | c) \"a\" n NOTATION (x) #REQUIRED>",
            "<!NOTATION n PUBLIC 'p'><!NOTATION m SYSTEM 's'>", "", " \n",
        ]
    )
    func whatHonestDocumentsDeclareIsKept(declarations: String) {
        #expect(
            Self.omitted("<?xml version='1.0'?>\n<!-- a --><!DOCTYPE x PUBLIC 'p' 's' [\(declarations)]><x/>")
                == []
        )
    }

    @Test(
        arguments: [
            ("<!ENTITY % p '<!ATTLIST x a CDATA \"b\">'>%p;", ["<!ENTITY % p '<!ATTLIST x a CDATA \"b\">'>"]),
            // A value that holds markup would be read as markup.
            ("<!ATTLIST x a CDATA '<!ATTLIST y (a|b) c>'>", ["<!ATTLIST x a CDATA '<!ATTLIST y (a|b) c>'>"]),
            ("<!ENTITY a bad><!ATTLIST x a CDATA 'b'>", ["<!ENTITY a bad><!ATTLIST x a CDATA 'b'>"]),
            ("<!ATTLIST x a (b|c", ["<!ATTLIST x a (b|c"]), ("<x>", ["<x>"]), ("<!FOO>", ["<!FOO>"]),
        ]
    )
    func whatIsNoDeclarationIsLeftOut(declarations: String, omitted: [String]) {
        #expect(Self.omitted("<!DOCTYPE x [\(declarations)]><x/>") == omitted)
    }

    @Test(arguments: [
        "<x/>", "<!DOCTYPE x><x/>", "<!DOCTYPE x SYSTEM 's'>", "", "x<!DOCTYPE x []>", "<!-- a",
    ])
    func documentsWithoutDeclarationsHaveNone(text: String) {
        #expect(Self.omitted(text) == nil)
    }

    @Test func declarationsBeyondTheBoundsAreLeftOutAndSaid() async throws {
        let entities = (0..<10_000).map { "<!ENTITY e\($0) 'v'>" }.joined()
        let page = try await page("<!DOCTYPE x [\n\(entities)\n]>\n<x a='&e0;'>y</x>")
        #expect(page.limits.map(\.code) == [.declarations])
        #expect(page.isTruncated)
        let root = try #require(page.document?.root)
        #expect(root.attribute("a") == "v")
        #expect(root.position?.line == 4)
    }

    /// Documents that keep libxml2 busy for minutes if their declarations reach it, or whose prolog it reads otherwise
    /// than the standard requires.
    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            "<!DOCTYPE x [DEFAULTS]><x/>", "<?xml a><!DOCTYPE x [DEFAULTS]><!-- ?> --><x/>",
            "<?xml version='1.0' ?\n><!DOCTYPE x [DEFAULTS]><x/>",
            "<!----><?p ?><!DOCTYPE x [DEFAULTS]><x/>",
            "<!DOCTYPE x SYSTEM 's\"[' [DEFAULTS]><x/>",
            "<!DOCTYPE x [<!ENTITY a \"'>DEFAULTS\">%b;DEFAULTS]><x/>",
            "<!DOCTYPE x [<?p DEFAULTS?>DEFAULTS]><x/>",
            "<!DOCTYPE x [<!ATTLIST x a CDATA 'DEFAULTS'>]><x/>",
            "<!DOCTYPE 1 [DEFAULTS]><x/>", "<!DOCTYPE x y [DEFAULTS]><x/>",
            "<!DOCTYPE[DEFAULTS]><x/>",
            "<!DOCTYPE x [<!ATTLIST x n (TOKENS) #IMPLIED>]><x/>",
            "<!DOCTYPE x [<!ATTLIST x n NOTATION (TOKENS) #IMPLIED>]><x/>",
            "<!DOCTYPE x [<!ELEMENT x (TOKENS)>]><x/>",
            "<!DOCTYPE x [<!ENTITY % l 'TOKENS|'><!ENTITY % d '<!ATTLIST x n (%l;%l;%l;a) #IMPLIED>'>%d;]><x/>",
        ]
    )
    func noDocumentTypeOutlastsALoad(template: String) async {
        // Names of arguments are printed, so they are short.
        let text = template.replacing("DEFAULTS", with: Self.defaults).replacing("TOKENS", with: Self.tokens)
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.limits.maximumTime = .seconds(5)
        // Whether it is XML at all does not matter.
        _ = try? await PageLoader(configuration: configuration).loadData(
            Array(text.utf8),
            mimeType: "text/xml",
            textEncodingName: nil,
            baseURL: nil
        ).parsed()
    }

    @Test func attributesByDefaultAreBounded() async throws {
        let attributes = (0..<1000).map { "<!ATTLIST x a\($0) CDATA 'v'>" }.joined()
        let text = "<!DOCTYPE x [\(attributes)]><r>\(String(repeating: "<x/>", count: 10_000))</r>"
        let page = try await page(text)
        #expect(page.limits.map(\.code) == [.memory])
        let few = try await self.page("<!DOCTYPE x [<!ATTLIST x a CDATA 'v'>]><r><x/><x/></r>")
        #expect(few.limits == [])
    }

    private static let defaults = (0..<100_000).map { "<!ATTLIST x a\($0) CDATA 'v'>" }.joined()
    private static let tokens = (0..<100_000).map { "n\($0)" }.joined(separator: "|")

    private func page(_ text: String) async throws -> ParsedPage {
        try await PageLoader.offline().loadData(
            Array(text.utf8),
            mimeType: "text/xml",
            textEncodingName: nil,
            baseURL: nil
        ).parsed()
    }
}
