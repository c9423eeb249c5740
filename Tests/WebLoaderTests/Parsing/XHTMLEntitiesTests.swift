import Testing

@testable import WebDocument

/// The entities that XHTML's document types have.
struct XHTMLEntitiesTests {
    private static func page(_ doctype: String, _ body: String) throws -> ParsedPage {
        try InspectionPages.page(
            "\(doctype)\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>t</title></head><body>\(body)</body></html>",
            type: "application/xhtml+xml"
        )
    }

    private static let strict =
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\""

    @Test(arguments: [
        "-//W3C//DTD XHTML 1.0 Strict//EN", "-//W3C//DTD XHTML 1.0 Transitional//EN",
        "-//W3C//DTD XHTML 1.0 Frameset//EN", "-//W3C//DTD XHTML 1.1//EN", "-//W3C//DTD XHTML Basic 1.0//EN",
        "-//W3C//DTD MathML 2.0//EN", "-//WAPFORUM//DTD XHTML Mobile 1.0//EN", " -//W3C//DTD\nXHTML 1.1//EN ",
    ])
    func theyAreThoseOfHTML(id: String) throws {
        let page = try Self.page(
            "<!DOCTYPE html PUBLIC '\(id)' 'x.dtd'>",
            "<p title='&eacute;t&eacute;'>&mdash;&euro;</p>"
        )
        #expect(try page.querySelector("p")?.textContent == "—€")
        #expect(try page.querySelector("p")?.attribute("title") == "été")
        #expect(page.warnings.isEmpty)
    }

    /// The markup in the body, and its text.
    @Test(arguments: [
        ("&lt;b&gt; &amp;eacute; &LT;i&GT; &AMP;amp; &nvlt;", "<b> &eacute; <i> &amp; <\u{20D2}"),
        ("<!-- &eacute; --><![CDATA[&eacute;]]>&eacute;", "&eacute;é"),
        ("&amp;&eacute;&#233;&quot;&apos;", "&éé\"'"),
    ])
    func markupStaysText(body: String, text: String) throws {
        #expect(try Self.page(Self.strict + ">", body).querySelector("body")?.textContent == text)
    }

    @Test func theDocumentsOwnDeclarationsCount() {
        func replaced(_ text: String) -> String? {
            var text = text
            let bytes = text.withUTF8 { unsafe XHTMLEntities.replaced($0) }
            return bytes.map { String(decoding: $0, as: UTF8.self) }
        }
        let own = Self.strict + " [<!ENTITY eacute \"E\"><!-- ]> -->]>"
        #expect(replaced(own + "<p>&eacute;&egrave;</p>") == own + "<p>&eacute;è</p>")
        #expect(replaced(own + "<p>&eacute;</p>") == nil)
        #expect(replaced("<!DOCTYPE html><p>&eacute;</p>") == nil)
        #expect(replaced("<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01//EN'><p>&eacute;</p>") == nil)
        for end in ["&", "&e", "&eacute", "<!-- &eacute;", "<![CDATA[&eacute;", "&eacutes;"] {
            #expect(replaced(Self.strict + "><p>" + end) == nil)
        }
    }
}
