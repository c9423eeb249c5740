import HTTPTypes
import TestSupport
import Testing

@testable import WebDocument
@testable import WebLoader

/// Trees that become markup, and become trees again.
struct TreePropertyTests {
    private static let seeds = PropertySeeds.first(25)

    private func document(_ markup: String, type: String = "text/html; charset=utf-8") throws -> Document {
        try #require(try InspectionPages.page(markup, type: type).document)
    }

    /// Conforming markup is parsed as it is written, and serialized as it was: every byte is the same.
    @Test(arguments: seeds)
    func conformingMarkupIsItsOwnTree(seed: Int) throws {
        var random = SeededSequence(seed)
        for _ in 0..<20 {
            let body = GeneratedTree.flow(&random, depth: 4).map(\.markup).joined()
            // Of white space before anything else nobody knows whether it was in the body.
            let markup = "<!DOCTYPE html><html><head></head><body><i></i>\(body)</body></html>"
            let first = try document(markup)
            #expect(first.markup() == markup, "seed \(seed)")
            #expect(try document(first.markup()).dump == first.dump, "seed \(seed)")
        }
    }

    /// The content of an element, parsed as a fragment inside such an element, is the same.
    @Test(arguments: seeds)
    func fragmentsOfConformingMarkupAreWhatTheyWere(seed: Int) throws {
        var random = SeededSequence(seed)
        for _ in 0..<10 {
            let body = GeneratedTree.flow(&random, depth: 4).map(\.markup).joined()
            let tree = try document("<!DOCTYPE html><html><head></head><body><i></i>\(body)</body></html>")
            for node in try tree.querySelectorAll("body, body *") where node.namespaceName == nil {
                let fragment = try Document.fragment(node.innerHTML, inside: node.name).document
                // Text in a script or a style is not escaped, but it is in the element that represents it here.
                let isRaw = ["script", "style", "iframe"].contains(node.name)
                let found = isRaw ? fragment.root?.textContent : fragment.root?.innerHTML
                #expect(found == (isRaw ? node.textContent : node.innerHTML), "seed \(seed), \(node.name)")
            }
        }
    }

    /// Any markup stays the same once it has been serialized often enough.
    ///
    /// The HTML standard warns that serialized markup may be parsed as another tree. Content that moves, moves out of
    /// elements that must not contain it (a link in a link, a form in a form, content that does not belong in a table),
    /// and stays there; each line feed at the beginning of a `pre` is removed. So the number of rounds is bounded by
    /// the markup's tags. One element is omitted: `plaintext`, which nothing ends, so that it grows by the end tags
    /// after it.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#serialising-html-fragments>
    @Test(arguments: seeds)
    func tagSoupSettles(seed: Int) throws {
        var random = SeededSequence(seed)
        for _ in 0..<60 {
            let soup = TagSoup.markup(&random)
            var (last, rounds) = (try document(soup).markup(), 0)
            while rounds < 30 {
                let next = try document(last).markup()
                if next == last { break }
                last = next
                rounds += 1
            }
            #expect(rounds < 30, "seed \(seed): \(soup.debugDescription)")
        }
    }

    /// The XML serialization is well-formed; a parser of XML reads the same tree from it, which is serialized in the
    /// same way.
    @Test(arguments: seeds)
    func xmlIsTheSameTree(seed: Int) throws {
        var random = SeededSequence(seed)
        for round in 0..<40 {
            let markup =
                round % 2 == 0
                ? GeneratedTree.flow(&random, depth: 4).map(\.markup).joined() : TagSoup.markup(&random)
            let xml = try document("<!DOCTYPE html>" + markup).markup(.xml)
            let page = try InspectionPages.page(xml, type: "application/xhtml+xml")
            #expect(page.warnings == [], "seed \(seed): \(markup.debugDescription)")
            // Of an empty element, a tree of XML does not know whether it has an end tag.
            let again = try document(#require(page.document).markup(), type: "application/xhtml+xml")
            #expect(again.dump == page.document?.dump, "seed \(seed): \(markup.debugDescription)")
            #expect(again.markup() == page.document?.markup(), "seed \(seed)")
            guard round % 2 == 0, !markup.contains("<template") else { continue }
            let html = try document("<!DOCTYPE html>" + markup)
            #expect(
                again.root?.textContent == html.root?.textContent,
                "seed \(seed): \(markup.debugDescription)"
            )
            #expect(again.counts.elements == html.counts.elements, "seed \(seed): \(markup.debugDescription)")
        }
    }

    /// Where the network cuts the bytes makes no difference.
    @Test(arguments: seeds)
    func piecesMakeTheSameTree(seed: Int) throws {
        var random = SeededSequence(seed)
        for _ in 0..<10 {
            var markup =
                random.one(of: 3)
                ? "<meta charset=\(random.pick(["utf-8", "windows-1251", "shift_jis", "utf-16"]))>" : ""
            for _ in 0..<(1 + random.next(40)) { markup += TagSoup.markup(&random) }
            let type = random.pick(["text/html", "text/html; charset=utf-8", "text/html; charset=gb18030"])
            var body = Array(markup.utf8)
            // Bytes that are no text, here and there.
            for _ in 0..<random.next(4) { body[random.next(body.count)] = UInt8(random.next(256)) }
            var response = WebResponse(
                url: try WebURL("http://a.test/"),
                status: 200,
                headerFields: HTTPFields(lines: [("Content-Type", type)]),
                body: [],
                source: .network
            )
            let settings = PageContent.Settings()
            let arriving = ArrivingHTML(settings, .inline, hints: nil)
            try arriving.receive(head: response)
            var start = 0
            while start < body.count {
                let end = min(body.count, start + 1 + random.next(random.pick([2, 20, 2000])))
                try arriving.receive(Array(body[start..<end]).span)
                start = end
            }
            response.body = body
            let pieces = try PageContent(response, settings, arriving.finish())
            let whole = try PageContent(response, settings)
            #expect(pieces.document?.dump == whole.document?.dump, "seed \(seed): \(markup.debugDescription)")
            #expect(pieces.detection == whole.detection, "seed \(seed)")
            #expect(pieces.warnings == whole.warnings, "seed \(seed)")
        }
    }
}
