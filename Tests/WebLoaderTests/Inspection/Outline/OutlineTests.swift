import Testing

@testable import WebDocument

/// Headings as assistive technology has them, landmarks and sections.
@Suite(.timeLimit(.minutes(20)))
struct OutlineTests {
    private func outline(_ markup: String) throws -> Outline {
        try InspectionPages.page(markup).outline
    }

    @Test(
        "Headings have their levels, and how many are skipped",
        arguments: [
            ("<h1>a</h1><h2>b</h2>", ["1 h1 a", "2 h2 b"]),
            ("<h2>a</h2><h5>b</h5><h3>c</h3>", ["2 h2 a -1", "5 h5 b -2", "3 h3 c"]),
            ("<div role=heading>a</div>", ["2 div a -1"]),
            ("<div role=heading aria-level=7>a</div>", ["7 div a -6"]),
            ("<h3 aria-level=1>a</h3>", ["1 h3 a"]), ("<h3 aria-level=x>a</h3>", ["3 h3 a -2"]),
            ("<h3 aria-level=0>a</h3>", ["3 h3 a -2"]),
            ("<h1 role=presentation>a</h1>", []), ("<h1 role=tab>a</h1>", []),
            ("<h1 role=nosuch>a</h1>", ["1 h1 a"]), ("<h1 role='nosuch NONE'>a</h1>", []),
            ("<h1 role=none aria-label=x>a</h1>", ["1 h1 a"]),
            ("<h1 role=none tabindex=0>a</h1>", ["1 h1 a"]),
            ("<h1 hidden>a</h1><h2>b</h2>", ["2 h2 b -1"]), ("<h1 hidden=until-found>a</h1>", ["1 h1 a"]),
            ("<div aria-hidden=true><h1>a</h1></div>", []), ("<h1 aria-hidden=false>a</h1>", ["1 h1 a"]),
            ("<h1>a<b hidden>x</b></h1>", ["1 h1 a"]), ("<h1><img alt=Logo></h1>", ["1 h1 Logo"]),
            ("<h1>a<a href=#a>¶</a></h1>", ["1 h1 a"]),
            ("<h1><a href=#a><img alt=Logo></a></h1>", ["1 h1 Logo"]),
            ("<h1>a<div><h2>b</h2></div></h1>", ["1 h1 a", "2 h2 b"]),
            ("<template><h1>a</h1></template><svg><title><h1>b</h1></title></svg>", ["1 h1 b"]),
        ]
    )
    func headings(markup: String, expected: [String]) throws {
        let headings = try outline(markup).headings.map { heading in
            "\(heading.level) \(heading.element) \(heading.text)"
                + (heading.skippedLevels > 0 ? " -\(heading.skippedLevels)" : "")
        }
        #expect(headings == expected)
    }

    @Test(
        "Landmarks are what the mapping of HTML and role say",
        arguments: [
            (
                "<header></header><nav></nav><main></main><aside></aside><search></search><footer></footer>",
                ["banner", "navigation", "main", "complementary", "search", "contentinfo"]
            ),
            ("<article><header></header><footer></footer></article>", []),
            ("<main><header></header><aside></aside></main>", ["main", "complementary<0"]),
            ("<div role=region><header></header></div>", []),
            ("<div role=article><footer></footer></div>", []),
            ("<section><aside></aside></section>", []),
            ("<section><aside aria-label=x></aside></section>", ["complementary x"]),
            ("<form></form><section></section><div role=region></div><div role=form></div>", []),
            (
                "<form title=a></form><section aria-label=' b \n c '></section><div role=region title=d></div>",
                ["form a", "region b c", "region d"]
            ),
            ("<section aria-label=' '></section>", []),
            ("<nav role=menu></nav><nav role='x navigation'></nav>", ["navigation"]),
            ("<div role=NAVIGATION></div>", ["navigation"]), ("<header role=none></header>", []),
            ("<header role=none aria-label=x></header>", ["banner x"]),
            (
                "<nav aria-labelledby='a b missing'></nav><p id=a>One<p id=b>Two<p id=a>No",
                ["navigation One Two"]
            ),
            ("<nav aria-labelledby=missing aria-label=x title=y></nav>", ["navigation x"]),
            ("<nav aria-labelledby=a></nav><div id=a aria-label=Own>x</div>", ["navigation Own"]),
            ("<nav aria-labelledby=a></nav><div id=a>x <img alt=Pic></div>", ["navigation x Pic"]),
            ("<section title=a><section><nav></nav></section></section>", ["region a", "navigation<0"]),
            ("<nav hidden></nav><svg><nav></nav></svg><template><nav></nav></template>", []),
        ]
    )
    func landmarks(markup: String, expected: [String]) throws {
        let landmarks = try outline(markup).landmarks.map { landmark in
            "\(landmark.role.rawValue)\(landmark.label.map { " \($0)" } ?? "")"
                + (landmark.parent.map { "<\($0)" } ?? "")
        }
        #expect(landmarks == expected)
    }

    @Test func sectionsNestAndHaveTheirHeadings() throws {
        let outline = try outline(
            """
            <h1>Page</h1><article><p><h2>A</h2><section><h3>B</h3></section><h2>C</h2></article>
            <nav aria-label=Site></nav><section><aside><h4>D</h4></aside></section>
            """
        )
        let sections = outline.sections.map { section in
            [
                section.element, String(section.depth), section.parent.map { String($0) } ?? "-",
                section.heading.map { outline.headings[$0].text } ?? "-", section.label ?? "-",
            ].joined(separator: " ")
        }
        #expect(
            sections == [
                "article 0 - A -", "section 1 0 B -", "nav 0 - - Site", "section 0 - - -", "aside 1 3 D -",
            ]
        )
        #expect(outline.headings.map(\.section) == [nil, 0, 1, 0, 4])
    }

    @Test func attributesOfOtherNamespacesSayNothing() throws {
        let page = try InspectionPages.page(
            """
            <html xmlns="http://www.w3.org/1999/xhtml" xmlns:x="urn:x"><h1 x:role="none" x:hidden="">a</h1></html>
            """,
            type: "application/xhtml+xml"
        )
        #expect(page.inventory.outline.headings.map(\.text) == ["a"])
    }

    @Test func everythingHasItsPlace() throws {
        let outline = try outline("<main>\n <section>\n  <h2>x")
        #expect(outline.landmarks.first?.position == SourcePosition(line: 1, column: 1))
        #expect(outline.sections.first?.position == SourcePosition(line: 2, column: 2))
        #expect(outline.headings.first?.position == SourcePosition(line: 3, column: 3))
    }

    // MARK: - Hostile pages

    @Test func whatNestsTakesLinearTime() throws {
        let nested = String(repeating: "<section aria-label=x><nav><div role=heading>t", count: 20_000)
        let outline = try outline(nested)
        #expect(outline.sections.count == 40_000)
        #expect(outline.headings.count == 20_000)
    }

    @Test func labelsWithoutNumberOfOneLargeTextHaveABound() throws {
        let text = String(repeating: "x ", count: 500_000)
        let outline = try outline(
            "<div id=a aria-label='\(text)'>\(text)</div><div id=b>\(text)</div>"
                + String(repeating: "<nav aria-labelledby='a b'></nav>", count: 50_000)
        )
        #expect(outline.landmarks.count == 50_000)
        #expect(outline.landmarks.allSatisfy { $0.label?.utf8.count ?? 0 <= 1000 })
        #expect(outline.landmarks.first?.label?.utf8.count ?? 0 > 900)
    }

    @Test func labelsAreCutAtWholeCharacters() throws {
        let outline = try outline(
            "<nav aria-labelledby=a></nav><p id=a>x\(String(repeating: "é", count: 600))"
        )
        #expect(outline.landmarks.first?.label == "x" + String(repeating: "é", count: 499))
    }
}
