import HTTPTypes
import Testing
import WebDifference
import WebStandards

@testable import WebDocument

/// Tests of the differences that are omitted, and of the rules that omit them.
@Suite struct DifferenceRuleTests {
    typealias Difference = PageDifference

    private func compare(
        _ old: String,
        _ new: String,
        _ change: (inout Difference.Options) throws -> Void = { _ in }
    ) throws -> Difference {
        var options = Difference.Options()
        options.keepsHidden = true
        try change(&options)
        return try Difference(from: ParsedPage(html: old), to: ParsedPage(html: new), options: options)
    }

    private func said(_ difference: Difference) -> [String] {
        difference.changes.map { "\($0.kind.rawValue) \($0.old ?? "-") > \($0.new ?? "-")" }
    }

    private func hidden(_ difference: Difference) -> [String] {
        difference.hidden.map { "\($0.rule): \($0.change.old ?? "-") > \($0.change.new ?? "-")" }
    }

    @Test func `each rule says what it hid`() throws {
        let difference = try compare(
            "<p title=a>x<p class=clock>10:00<p>same<script nonce=aB3dE6gH9jKl>y</script><p>in 3 days",
            "<p title=b>x<p class=clock>11:00<p>same<script nonce=zY8xW5vU2tSr>y</script><p>in 4 days"
        ) {
            $0.ignoredSelectors = [try Selector(".clock"), try Selector(".none")]
            $0.ignoredAttributes = ["title"]
            $0.ignoredPatterns = [try TextPattern("[0-9]+ days")]
        }
        #expect(difference.isSame)
        #expect(
            Set(hidden(difference)) == [
                "selector .clock: 10:00 > 11:00", "attribute title: a > b",
                "volatile: aB3dE6gH9jKl > zY8xW5vU2tSr", "pattern [0-9]+ days: in 3 days > in 4 days",
            ]
        )
        #expect(difference.ignored == ["selector": 1, "attribute": 1, "volatile": 1, "pattern": 1])
    }

    @Test func `what a selector leaves out counts only if it differs`() throws {
        let difference = try compare("<p class=clock>1<p>x", "<p class=clock>1<p>x") {
            $0.ignoredSelectors = [try Selector(".clock")]
        }
        #expect(difference.ignored.isEmpty)
    }

    @Test(arguments: [
        // Only there: the same.
        ("<p>Tea, 3 comments", "<p>Tea, 12 comments", true), ("<p>3 comments<p>x", "<p>x", true),
        ("<p>x", "<p>x<p>4 comments, 5 comments", true), ("<p>Tea 3 comments", "<p>Tea", true),
        ("<img src=a alt='3 comments'>", "<img src=a alt='4 comments'>", true),
        // There and elsewhere: a change.
        ("<p>Tea, 3 comments", "<p>Coffee, 4 comments", false), ("<p>x", "<p>x<p>Tea, 3 comments", false),
        ("<p>3 comment", "<p>4 comment", false), ("<p>Tea 3 comments", "<p>Tea!", false),
    ])
    func `a pattern hides what it matches, and nothing else`(
        _ old: String,
        _ new: String,
        _ isSame: Bool
    )
        throws
    {
        let difference = try compare(old, new) { $0.ignoredPatterns = [try TextPattern("[0-9]+ comments")] }
        #expect(difference.isSame == isSame, "\(said(difference))")
        #expect(difference.hidden.isEmpty != isSame)
    }

    @Test func `of a word only what matches does not count`() throws {
        for (old, new, isSame) in [("10x", "10y", false), ("10x", "11x", true), ("v10", "v11", true)] {
            let difference = try compare("<p>\(old)", "<p>\(new)") {
                $0.ignoredPatterns = [try TextPattern("[0-9]+")]
            }
            #expect(difference.isSame == isSame, "\(old) \(new)")
        }
    }

    @Test func `of a long text all is looked at, not only what is shown`() throws {
        let filler = String(repeating: "word ", count: 3000)
        let difference = try compare("<p>3 comments \(filler) end", "<p>4 comments \(filler) finish") {
            $0.ignoredPatterns = [try TextPattern("[0-9]+ comments")]
        }
        #expect(difference.changes.count == 1)
    }

    @Test(
        arguments: [
            ("<p>1,000 cups", "<p>1,040 cups", .relative(0.05), true),
            ("<p>1,000 cups", "<p>1,060 cups", .relative(0.05), false),
            ("<p>$3.50 a cup", "<p>$3.75 a cup", .absolute(0.5), true),
            ("<p>$3.50 a cup", "<p>$4.75 a cup", .absolute(0.5), false),
            ("<p>3,50 EUR", "<p>3,75 EUR", .absolute(0.5), true),
            ("<p>1.234.567 cups", "<p>1.234.569 cups", .absolute(2), true),
            // Something else differs too.
            ("<p>10 cups", "<p>11 pots", .relative(0.5), false),
            // A version is no number.
            ("<p>lib 1.2.3", "<p>lib 1.2.4", .relative(0.5), false),
            (
                "<table><tr><th>k<th>v<tr><td>a<td>10</table>",
                "<table><tr><th>k<th>v<tr><td>a<td>11</table>",
                .absolute(1), true
            ),
            ("<meta name=x content=10><p>a", "<meta name=x content=11><p>a", .absolute(1), true),
        ] as [(String, String, Difference.Tolerance, Bool)]
    )
    func `numbers may differ by so much`(
        _ old: String,
        _ new: String,
        _ tolerance: Difference.Tolerance,
        _ isSame: Bool
    ) throws {
        let difference = try compare(old, new) { $0.ignoredNumberDifference = tolerance }
        #expect(difference.isSame == isSame, "\(said(difference))")
    }

    @Test func `what differs between two loads is learned`() throws {
        let old = "<h1>Tea</h1><p>At 10:31, 5 readers<p class=ad>Buy shoes<p data-t=1>Milk<p>Sugar"
        let page = try ParsedPage(
            html: "<h1>Tea</h1><p>At 10:45, 7 readers<p class=ad>Buy hats<p data-t=2>Milk<p>Honey"
        )
        let again = try ParsedPage(
            html: "<h1>Tea</h1><p>At 10:46, 8 readers<p class=ad>Buy soap<p data-t=3>Milk<p>Honey"
        )
        var options = Difference.Options()
        options.keepsHidden = true
        options.noise = try Difference.Noise(of: page, again: again)
        #expect(options.noise?.count == 3)
        let difference = try Difference(from: ParsedPage(html: old), to: page, options: options)
        #expect(said(difference) == ["text Sugar > Honey"])
        #expect(difference.hidden.map(\.rule) == ["learned", "learned", "learned"])
        // Content that stayed the same between the loads is not noise.
        let other = try Difference(
            from: ParsedPage(html: old.replacing("readers", with: "writers")),
            to: page,
            options: options
        )
        #expect(other.changes.count == 2)
    }

    @Test func `responses are compared where both are responses`() throws {
        func page(_ status: HTTPResponse.Status, _ fields: HTTPFields) throws -> ParsedPage {
            var fields = fields
            fields[.contentType] = fields[.contentType] ?? "text/html"
            return try ParsedPage(
                WebResponse(
                    url: WebURL("http://a.test/"),
                    status: status,
                    headerFields: fields,
                    body: Array("<p>x".utf8),
                    source: .network
                ),
                PageContent.Settings()
            )
        }
        let old = try page(.ok, [.contentLanguage: "en", .server: "a", .cacheControl: "no-store"])
        let new = try page(.notFound, [.contentLanguage: "fr", .server: "b", .eTag: "x"])
        let difference = try Difference(from: old, to: new)
        #expect(
            difference.changes.map {
                "\($0.kind.rawValue) \($0.name ?? "-") \($0.old ?? "-") > \($0.new ?? "-")"
            } == [
                "response status 200 > 404", "response cache-control no-store > -",
                "response content-language en > fr",
            ]
        )
        var options = Difference.Options()
        options.responseFields = ["Server"]
        #expect(
            try Difference(from: old, to: new, options: options).changes.map(\.name) == ["status", "server"]
        )
        #expect(try Difference(from: ParsedPage(html: "<p>x"), to: new).isSame)
    }

    @Test func `findings are compared if asked for`() throws {
        let (old, new) = (
            "<!doctype html><title>x</title><p>x<img src=a alt=x>",
            "<!doctype html><title>x</title><p>x<img src=a>"
        )
        #expect(try compare(old, new).changes.allSatisfy { $0.kind != .finding })
        let difference = try compare(old, new) { $0.comparesFindings = true }
        let found = difference.changes.filter { $0.kind == .finding }
        #expect(found.map(\.operation) == [.added])
        #expect(found.first?.newLine == 1)
    }

    @Test func `data is compared by its paths`() throws {
        let old = try JSONValue(parsing: Array(#"{"a":1,"b":[{"c":"x"},{"c":"y"}],"d":[1,2]}"#.utf8)[...])
        let new = try JSONValue(
            parsing: Array(#"{"b":[{"c":"x"},{"c":"z"}],"a":2,"d":[2,1],"e":null}"#.utf8)[...]
        )
        let difference = Difference(data: old, new)
        #expect(
            difference.changes.map { "\($0.name ?? "") \($0.old ?? "-") > \($0.new ?? "-")" } == [
                "b[1].c y > z", "a 1 > 2", "d [1,2] > [2,1]", "e - > null",
            ]
        )
        #expect(difference.ignored == [:])
        #expect(Difference(data: old, old).isSame)
        var deep = JSONValue.array([])
        for _ in 0..<300 { deep = .array([.object([.init("name", deep)])]) }
        #expect(Difference(data: deep, new).changes.allSatisfy { ($0.name ?? "").utf8.count < 2000 })
    }
}
