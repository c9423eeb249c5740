import Testing

@testable import WebDocument

/// Scripts, style sheets, frames and comments.
@Suite(.timeLimit(.minutes(20)))
struct PageResourceTests {
    @Test(
        arguments: [
            ("<script>ab</script>", "classic inline 2"),
            ("<script src=a></script>", "classic http://h.test/d/a blocking"),
            ("<script src=a async></script>", "classic http://h.test/d/a async"),
            ("<script src=a defer></script>", "classic http://h.test/d/a defer"),
            ("<script src=a nomodule></script>", "classic http://h.test/d/a nomodule"),
            ("<script src=a type=module></script>", "module http://h.test/d/a defer"),
            ("<script src=''></script>", "classic - blocking"),
            ("<script type=''></script>", "classic inline 0"),
            ("<script type=' TEXT/JavaScript '></script>", "classic inline 0"),
            ("<script type='text/javascript;x=y'></script>", "data inline 0"),
            ("<script type=application/ld+json>{}</script>", "data inline 2"),
            ("<script type=importmap>{}</script>", "importMap inline 2"),
            ("<script type=SpeculationRules>{}</script>", "speculationRules inline 2"),
            ("<script language=vbscript></script>", "data inline 0"),
            ("<script language=JavaScript1.2></script>", "classic inline 0"),
            ("<svg><script href=a /></svg>", "classic http://h.test/d/a blocking"),
            ("<template><script src=a></script></template>", "classic http://h.test/d/a inert"),
        ]
    )
    func scripts(markup: String, expected: String) throws {
        let scripts = try InspectionPages.page(markup).scripts.map { script in
            var words = ["\(script.kind)"]
            words.append(script.inlineSize.map { "inline \($0)" } ?? script.url?.href ?? "-")
            if script.isAsync { words.append("async") }
            if script.isDeferred { words.append("defer") }
            if script.isNoModule { words.append("nomodule") }
            if script.blocksParsing { words.append("blocking") }
            if script.isInert { words.append("inert") }
            return words.joined(separator: " ")
        }
        #expect(scripts == [expected])
    }

    @Test func scriptsSayHowTheyAreTrusted() throws {
        let script = try #require(
            try InspectionPages.page(
                "<script src=a integrity=sha256-x crossorigin=use-credentials nonce=n referrerpolicy=origin></script>"
            ).scripts.first
        )
        #expect([script.integrity, script.nonce, script.referrerPolicy] == ["sha256-x", "n", "origin"])
        #expect(script.crossOrigin == .useCredentials)
    }

    @Test(
        arguments: [
            ("<style media=print>abc</style>", "style inline 3 print"),
            ("<link rel='icon STYLESHEET' href=a>", "link http://h.test/d/a"),
            ("<link rel='alternate stylesheet' href=a title=t>", "link http://h.test/d/a alternate"),
            ("<link rel=stylesheet href=a disabled>", "link http://h.test/d/a disabled"),
            ("<svg><style>a</style></svg>", "style inline 1"),
        ]
    )
    func styles(markup: String, expected: String) throws {
        let styles = try InspectionPages.page(markup).stylesheets.map { style in
            var words = [style.element, style.inlineSize.map { "inline \($0)" } ?? style.url?.href ?? "-"]
            if let media = style.media { words.append(media) }
            if style.isAlternate { words.append("alternate") }
            if style.isDisabled { words.append("disabled") }
            return words.joined(separator: " ")
        }
        #expect(styles == [expected])
    }

    @Test(arguments: [
        "<link rel=stylesheet>", "<link rel=icon href=a>", "<link href=a>", "<math><style>a</style></math>",
    ])
    func whatIsNoStyleSheetIsNot(markup: String) throws {
        #expect(try InspectionPages.page(markup).stylesheets.isEmpty)
    }

    @Test func framesSayWhatTheyMayDo() throws {
        let frames = try InspectionPages.page(
            """
            <iframe src=a sandbox='allow-SCRIPTS  allow-forms' allow=camera loading=lazy title=t name=n></iframe>
            <iframe srcdoc='<p>é' sandbox></iframe><iframe></iframe>
            """
        ).frames
        #expect(frames.map(\.url?.href) == ["http://h.test/d/a", nil, nil])
        #expect(frames.map(\.sandbox) == [["allow-scripts", "allow-forms"], [], nil])
        #expect(frames.map(\.sourceDocumentSize) == [nil, 5, nil])
        #expect(frames.map(\.loading) == [.lazy, .eager, .eager])
        #expect([frames[0].allow, frames[0].title, frames[0].name] == ["camera", "t", "n"])
        #expect(
            try InspectionPages.page("<frameset><frame src=a></frameset>").frames.map(\.element) == ["frame"]
        )
    }

    @Test(
        arguments: [
            ("<!-- a -->", " a ", nil), ("<!---->", "", nil),
            ("<!--[if lt IE 9]><p><![endif]-->", "[if lt IE 9]><p><![endif]", "lt IE 9"),
            ("<!--[if !IE]><!-->", "[if !IE]><!", "!IE"),
            ("<!--[IF (IE 6)|(IE 7)]>x<![endif]-->", "[IF (IE 6)|(IE 7)]>x<![endif]", "(IE 6)|(IE 7)"),
            ("<!--[iffy]-->", "[iffy]", nil), ("<!--[if IE-->", "[if IE", nil), ("<!x>", "x", nil),
        ]
    )
    func comments(markup: String, text: String, condition: String?) throws {
        let comments = try InspectionPages.page(markup).comments
        #expect(comments.map(\.text) == [text])
        #expect(comments.map(\.condition) == [condition])
    }

    @Test func commentsHaveTheirPlaces() throws {
        let page = try InspectionPages.page("<!--a-->\n <p><!--b\n--><b>x</b><!-->\n</3><!c>é<!d>")
        let positions = page.comments.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0)" }
        #expect(positions == ["1:1", "2:5", "3:12", "4:1", "4:5", "4:10"])
        // The surrounding elements keep their positions.
        let bold = try page.document?.querySelector("b")
        #expect(bold?.position == SourcePosition(line: 3, column: 4))
    }

    @Test func placesOfElementsThatNoTagMakesAreTheTagsBefore() throws {
        let page = try InspectionPages.page("<html>\n<!--a-->\n<!--b-->x")
        let body = try page.document?.querySelector("body")
        #expect(body?.position == SourcePosition(line: 1, column: 1))
    }

    // MARK: - Hostile pages

    @Test(
        arguments: [
            "<script src=x></script>", "<link rel=stylesheet href=x>", "<iframe src=x></iframe>", "<!--x-->",
            "<script>",
            "<style>", "<template><script></script>",
        ]
    )
    func manyTakeLinearTime(markup: String) throws {
        let page = try InspectionPages.page(String(repeating: markup, count: 20_000))
        _ = (page.scripts, page.stylesheets, page.frames, page.comments)
    }
}
