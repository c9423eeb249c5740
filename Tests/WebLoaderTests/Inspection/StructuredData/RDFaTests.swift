import Testing
import WebStandards

@testable import WebDocument

/// RDFa.
@Suite(.timeLimit(.minutes(20)))
struct RDFaTests {
    /// Each statement as "subject predicate object", namespaces shortened.
    private func statements(_ markup: String) throws -> [String] {
        statements(of: try InspectionPages.page(markup).structuredData.rdfa)
    }

    private func statements(of nodes: [RDFaNode]) -> [String] {
        nodes.flatMap { node in
            node.properties.map { property in
                let value =
                    switch property.value {
                    case .resource(let iri): "<\(short(iri))>"
                    case .literal(let text, let language, let datatype):
                        "\(text)\(language.map { "@\($0)" } ?? "")\(datatype.map { "^\(short($0))" } ?? "")"
                    }
                return "\(short(node.id)) \(short(property.name)) \(value)"
            }
        }
    }

    private func short(_ iri: String) -> String {
        var iri = iri
        let names = [
            ("http://h.test/d/page.html", "."), ("http://schema.org/", "s:"), ("http://ogp.me/ns#", "og:"),
            ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:"),
            ("http://www.w3.org/1999/xhtml/vocab#", "xhv:"), ("http://h.test/d/", "./"),
            ("http://www.w3.org/2001/XMLSchema#", "xsd:"), ("http://xmlns.com/foaf/0.1/", "foaf:"),
            ("http://www.w3.org/ns/rdfa#", "rdfa:"),
        ]
        for (name, prefix) in names where iri.hasPrefix(name) {
            iri = prefix + iri.dropFirst(name.count)
            break
        }
        return iri
    }

    @Test(
        arguments: [
            ("<meta property=og:title content=x>", [". og:title x"]),
            ("<html lang=de><meta property='og:title og:x' content=x>", [". og:title x@de", ". og:x x@de"]),
            ("<p property=foaf:name>a <b>b</b></p>", [". foaf:name a b"]),
            ("<a property=foaf:page href=x>y</a>", [". foaf:page <./x>"]),
            ("<p property=name>x</p><p property=unknown:x>y</p>", [". unknown:x y"]),
            (
                "<p vocab=http://schema.org/ property=name>x</p><p vocab=http://schema.org/></p>",
                [". rdfa:usesVocabulary <s:>", ". s:name x"]
            ),
            (
                "<a property=foaf:x datatype='' typeof=foaf:Y href=z>x</a>",
                ["./z rdf:type <foaf:Y>", "./z foaf:x x"]
            ),
            ("<p prefix='x: http://x/ og: http://y/' property=x:n>x</p>", [". http://x/n x"]),
            ("<html xmlns:x=http://x/><p property=X:n>x</p>", [". http://x/n x"]),
            (
                "<p resource='#me' typeof=foaf:Person><b property=foaf:name>A</b></p>",
                [".#me rdf:type <foaf:Person>", ".#me foaf:name A"]
            ),
            ("<p typeof=s:A></p><p typeof=schema:A></p>", ["_:b0 rdf:type <s:A>", "_:b1 rdf:type <s:A>"]),
            ("<p property=s:x>1</p>", [". s:x 1"]),
            ("<link rel=license href=l><link rel='stylesheet icon' href=x>", [". xhv:license <./l>"]),
            ("<a rel=foaf:knows href=x></a>", [". foaf:knows <./x>"]),
            ("<a rev=foaf:knows href=x></a>", ["./x foaf:knows <.>"]),
            (
                "<p rel=foaf:knows><b about=a></b><b about='[foaf:b]'></b></p>",
                [". foaf:knows <./a>", ". foaf:knows <foaf:b>"]
            ),
            (
                "<p about=a rel=foaf:knows><b property=foaf:name>x</b></p>",
                ["_:b0 foaf:name x", "./a foaf:knows <_:b0>"]
            ),
            ("<p about=_:x property=foaf:name>x</p>", ["_:x foaf:name x"]),
            ("<p property=foaf:x content=1 datatype=xsd:integer>x</p>", [". foaf:x 1^xsd:integer"]),
            ("<p lang=de property=foaf:x datatype=''>x</p>", [". foaf:x x@de"]),
            ("<p property=foaf:x datatype=rdf:HTML>x<b>y</b></p>", [". foaf:x x<b>y</b>^rdf:HTML"]),
            ("<time property=foaf:x datetime=2024-05-01>May</time>", [". foaf:x 2024-05-01^xsd:date"]),
            ("<time property=foaf:x datetime=P1D></time>", [". foaf:x P1D^xsd:duration"]),
            ("<time property=foaf:x>soon</time>", [". foaf:x soon"]),
            ("<data property=foaf:x value=1>x</data>", [". foaf:x 1"]),
            ("<a href=x><b property=foaf:name>y</b></a>", ["./x foaf:name y"]),
            ("<a href=x rel=nofollow property=foaf:p></a>", [". foaf:p <./x>"]),
            (
                "<p inlist property=foaf:x>1</p><p inlist property=foaf:x>2</p>",
                [
                    ". foaf:x <_:b0>", "_:b0 rdf:first 1", "_:b0 rdf:rest <_:b1>", "_:b1 rdf:first 2",
                    "_:b1 rdf:rest <rdf:nil>",
                ]
            ),
            ("<p rel=foaf:x inlist></p>", [". foaf:x <rdf:nil>"]),
            (
                "<div typeof=schema:A><p property=schema:b typeof=schema:B><i property=schema:c>x</i></p></div>",
                ["_:b0 rdf:type <s:A>", "_:b0 s:b <_:b1>", "_:b1 rdf:type <s:B>", "_:b1 s:c x"]
            ),
            (
                "<body typeof=schema:WebPage><p property=schema:name>x</p>",
                [". rdf:type <s:WebPage>", ". s:name x"]
            ),
            ("<base href=http://b.test/x><p property=foaf:x>y</p>", ["http://b.test/x foaf:x y"]),
            ("<p role=main>x</p>", []), ("<template><p property=foaf:x>y</p></template>", []),
        ] as [(String, [String])]
    )
    func statements(markup: String, expected: [String]) throws {
        #expect(try statements(markup).sorted() == expected.sorted())
    }

    @Test(
        arguments: [
            (
                "<p resource=a><link property=rdfa:copy href=#p></p><p resource=#p typeof=rdfa:Pattern><b property=s:n>x</b>",
                ["./a s:n x"]
            ),
            (
                "<p resource=#p typeof=rdfa:Pattern><b property=s:n>x</b></p>",
                [".#p rdf:type <rdfa:Pattern>", ".#p s:n x"]
            ),
            ("<p resource=a><link property=rdfa:copy href=#p></p>", ["./a rdfa:copy <.#p>"]),
            (
                """
                <p resource=a><link property=rdfa:copy href=#p><b property=s:n>x</b></p>
                <p resource=#p typeof=rdfa:Pattern><link property=rdfa:copy href=#q><b property=s:n>x</b><b property=s:m>y</b></p>
                <p resource=#q typeof=rdfa:Pattern><link property=rdfa:copy href=#p><b property=s:o>z</b></p>
                """,
                ["./a s:n x", "./a s:m y", "./a s:o z"]
            ),
        ]
    )
    func `what a pattern says is copied`(_ markup: String, _ expected: [String]) throws {
        #expect(try statements(markup) == expected)
    }

    @Test(
        arguments: [
            (
                "image/svg+xml",
                """
                <svg xmlns='http://www.w3.org/2000/svg' xmlns:o='http://o.test/' xml:base='x/' xml:lang='de'>
                <g about='a' property='o:n'>t</g><g xml:base='/y/' about='' property='o:n' lang='en'>t</g></svg>
                """,
                ["./x/a http://o.test/n t@de", "http://h.test/y/ http://o.test/n t@en"]
            ),
            (
                "application/xhtml+xml",
                """
                <html xmlns='http://www.w3.org/1999/xhtml' xmlns:o='http://o.test/' xml:base='x/' xml:lang='de' lang='en'>
                <body><p about='a' property='o:n'>t</p><p lang='en' xml:lang='fr' about='a' property='o:n'>t</p></body></html>
                """,
                ["./a http://o.test/n t@de", "./a http://o.test/n t@fr"]
            ),
        ]
    )
    func `prefixes, bases and languages of XML count`(
        _ type: String,
        _ text: String,
        _ expected: [String]
    ) throws {
        let page = try ParsedPage(
            data: Array(text.utf8),
            mimeType: type,
            baseURL: WebURL("http://h.test/d/page.html")
        )
        #expect(statements(of: page.structuredData.rdfa) == expected)
    }

    // MARK: - Bad input

    @Test func copiesOfPatternsAreBounded() throws {
        let pattern = (0..<2_000).map { "<b property=x:p\($0)>x</b>" }.joined()
        let subjects = (0..<5_000).map { "<p resource=s\($0)><link property=rdfa:copy href=#p></p>" }.joined()
        let page = "\(subjects)<p resource=#p typeof=rdfa:Pattern>\(pattern)"
        #expect(try InspectionPages.page(page).structuredData.isTruncated)
    }

    @Test func relationsThatWaitForManyAreBounded() throws {
        let relations = (0..<10_000).map { "x:p\($0)" }.joined(separator: " ")
        let objects = String(repeating: "<b about=a></b>", count: 10_000)
        let data = try InspectionPages.page("<p rel='\(relations)'>\(objects)").structuredData
        #expect(data.isTruncated)
    }

    @Test func prefixesInsideOneAnotherAreBounded() throws {
        let page = (0..<20_000).map { "<p prefix='p\($0): http://x/' property=p\($0):x>" }.joined()
        _ = try InspectionPages.page(page.replacing("<p ", with: "<div ")).structuredData
    }

    @Test func aHugeVocabularyIsBounded() throws {
        let vocabulary = String(repeating: "v", count: 1_000_000)
        let names = String(repeating: "n ", count: 100_000)
        let data = try InspectionPages.page("<p vocab=\(vocabulary) property='\(names)'>x").structuredData
        #expect(data.isTruncated)
    }

    @Test func nestedPropertiesAreBounded() throws {
        for datatype in ["", " datatype=rdf:HTML"] {
            let page = String(repeating: "<div property=foaf:x\(datatype)>x", count: 20_000)
            #expect(try InspectionPages.page(page).structuredData.isTruncated)
        }
    }
}
