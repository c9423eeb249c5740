import Foundation
import Testing

@testable import WebDocument

/// Tests that this library finds the data that extruct 0.18 finds in 65 real pages (mozilla/readability's test pages).
///
/// Every difference is listed with its reason; a listed difference that no longer exists fails as well. Three kinds are
/// counted, not listed:
/// - extruct takes each `meta` whose name has a term of Dublin Core in it, as "description", for Dublin Core, and
///   `rel=license` too; Dublin Core's own rules want a prefix. ``PageMetadata`` has them.
/// - pyRdfa makes statements of `role`; that is for assistive technology, and no data.
/// - extruct gives an item of microdata without properties its text for a value; the standard has no such value.
@Suite(.timeLimit(.minutes(20)), .disabled(if: ExtructFindings.all.isEmpty, "\(ExtructFindings.absence)"))
struct ExtructComparisonTests {
    /// The reason for a difference.
    enum Reason {
        /// extruct leaves out the scripts in a text; the standard's value is all of the text.
        case scriptsInText
        /// extruct takes a `time` without `datetime` for empty; to the standard its text counts.
        case timeWithoutDatetime
        /// An empty `itemid` is the page's URL, by the standard; extruct leaves it out.
        case emptyItemID
        /// The page declares a prefix wrongly, and by the standard its word counts.
        case brokenPrefix
        /// mf2py rewrites the offset of a date; we leave dates as they are written.
        case offset
        /// mf2py's experiment: what is in `srcset` beside a photo.
        case srcset
        /// mf2py makes a classic microformat inside another one one of today, from then on.
        case classicInClassic
    }

    static let known: [String: [String: Reason]] = [
        "blogger": ["microformats/0/children/0/properties/published/0": .offset],
        "cnet-svg-classes": [
            "microdata/1/properties/articleBody": .scriptsInText,
            "microdata/1/properties/datePublished": .timeWithoutDatetime,
        ],
        "firefox-nightly-blog": [
            "microformats/0/properties/published/0": .offset,
            "microformats/1/children/0/properties/name/0/properties/photo/1/srcset is extruct's": .srcset,
            "microformats/1/children/1/properties/name/0/properties/photo/1/srcset is extruct's": .srcset,
        ],
        "liberation-1": [
            "rdfa, extruct's: http://ogp.me/ns#description": .brokenPrefix,
            "rdfa, ours: http://ogp.medescription": .brokenPrefix,
            "rdfa, extruct's: http://ogp.me/ns#image": .brokenPrefix,
            "rdfa, ours: http://ogp.meimage": .brokenPrefix,
            "rdfa, extruct's: http://ogp.me/ns#site_name": .brokenPrefix,
            "rdfa, ours: http://ogp.mesite_name": .brokenPrefix,
            "rdfa, extruct's: http://ogp.me/ns#title": .brokenPrefix,
            "rdfa, ours: http://ogp.metitle": .brokenPrefix,
            "rdfa, extruct's: http://ogp.me/ns#type": .brokenPrefix,
            "rdfa, ours: http://ogp.metype": .brokenPrefix,
            "rdfa, extruct's: http://ogp.me/ns#url": .brokenPrefix,
            "rdfa, ours: http://ogp.meurl": .brokenPrefix,
        ],
        "links-in-tables": ["microformats/0/children/0/properties/published/0": .offset],
        "nytimes-2": [
            "microdata/0/properties/author/id is ours": .emptyItemID,
            "microdata/0/properties/creator/id is ours": .emptyItemID,
        ],
        "nytimes-3": [
            "microdata/0/properties/author/id is ours": .emptyItemID,
            "microdata/0/properties/creator/id is ours": .emptyItemID,
        ],
        "nytimes-4": [
            "microdata/0/properties/articleBody": .scriptsInText,
            "microdata/0/properties/author/id is ours": .emptyItemID,
            "microdata/0/properties/creator/id is ours": .emptyItemID,
        ],
        "wikipedia-2": [
            "microformats/1/properties/adr/0/properties/country-name is ours": .classicInClassic,
            "microformats/1/properties/adr/0/properties/name is extruct's": .classicInClassic,
            "microformats/1/properties/geo/0/properties/name is extruct's": .classicInClassic,
        ],
    ]

    @Test(arguments: ExtructFindings.all)
    func findsWhatExtructFinds(page: ExtructFindings) throws {
        let data = try page.structuredData()
        var differences: [String] = []
        if let theirs = page.findings["json-ld"] {
            let ours = data.jsonLD.flatMap { $0.value?.items ?? [] }
            differences += ExtructFindings.differences(
                ExtructFindings.normalized(theirs),
                ExtructFindings.normalized(.array(ours)),
                "json-ld"
            )
        }
        let theirs = ExtructFindings.normalized(page.findings["microdata"] ?? [])
        differences += ExtructFindings.differences(
            theirs,
            ExtructFindings.microdata(data.microdata),
            "microdata"
        ).filter { !$0.hasSuffix("/value is extruct's") }
        differences += ExtructFindings.differences(
            ExtructFindings.normalized(page.findings["microformat"] ?? []),
            ExtructFindings.microformats(data.microformats),
            "microformats"
        )
        let (statements, own) = (page.statements, ExtructFindings.statements(data.rdfa))
        differences += statements.subtracting(own).map { "rdfa, extruct's: \($0.prefix { $0 != " " })" }
        differences += own.subtracting(statements).map { "rdfa, ours: \($0.prefix { $0 != " " })" }
        differences += missingOpenGraph(page, data) + missingDublinCore(page, data)
        #expect(Set(differences) == Set((Self.known[page.id] ?? [:]).keys))
    }

    private func missingOpenGraph(_ page: ExtructFindings, _ data: StructuredData) -> [String] {
        openGraph(page).filter { name, content in
            !data.openGraph[name.lowercased()].contains {
                ExtructFindings.normalized($0) == ExtructFindings.normalized(content)
            }
        }.map { "open graph: \($0.name)" }
    }

    private func openGraph(_ page: ExtructFindings) -> [(name: String, content: String)] {
        (page.findings["opengraph"]?.items ?? []).flatMap { graph in
            (graph["properties"]?.items ?? []).compactMap { pair in
                guard let name = pair.items.first?.string, let content = pair.items.last?.string else {
                    return nil
                }
                return (name, content)
            }
        }
    }

    private func missingDublinCore(_ page: ExtructFindings, _ data: StructuredData) -> [String] {
        dublinCore(page).filter { !isPlain($0) }.filter { element in
            !data.dublinCore.contains { $0.name == (element["name"] ?? element["rel"])?.string }
        }.map { "dublin core: \($0["name"]?.string ?? "")" }
    }

    private func dublinCore(_ page: ExtructFindings) -> [JSONValue] {
        (page.findings["dublincore"]?.items ?? []).flatMap { found in
            (found["elements"]?.items ?? []) + (found["terms"]?.items ?? [])
        }
    }

    private func isPlain(_ element: JSONValue) -> Bool {
        let name = (element["name"] ?? element["rel"])?.string?.lowercased() ?? ""
        return !name.hasPrefix("dc.") && !name.hasPrefix("dc:") && !name.hasPrefix("dcterms")
    }

    @Test func thereIsAsMuchToFindAsWasCounted() throws {
        let pages = ExtructFindings.all
        #expect(pages.count == 65)
        #expect(pages.reduce(0) { $0 + openGraph($1).count } == 462)
        #expect(pages.reduce(0) { $0 + $1.statements.count } == 670)
        #expect(pages.reduce(0) { $0 + dublinCore($1).filter(isPlain).count } == 60)
        #expect(pages.reduce(0) { $0 + dublinCore($1).count } == 68)
    }

    @Test func thereIsMoreThanExtructFinds() throws {
        var blocks = 0
        var nodes = 0
        var unreadable = 0
        var properties = 0
        var cards = 0
        for page in ExtructFindings.all {
            let data = try page.structuredData()
            blocks += data.jsonLD.count
            nodes += data.jsonLD.reduce(0) { $0 + $1.nodes.count }
            unreadable += data.jsonLD.filter { $0.value == nil }.count
            properties += data.openGraph.properties.count
            cards += data.twitterCard.count
            #expect(!data.isTruncated)
        }
        // extruct gives up on nine of the ten pages with JSON-LD, and knows no Twitter cards but as RDFa.
        let found: [Int] = [blocks, nodes, unreadable, properties, cards]
        let expected: [Int] = [14, 14, 0, 613, 242]
        #expect(found == expected)
    }
}
