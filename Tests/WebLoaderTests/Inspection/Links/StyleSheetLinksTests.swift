import Testing
import WebDocument
import WebStandards

/// The references of style sheets that are files.
struct StyleSheetLinksTests {
    private func links(_ body: [UInt8], type: String = "text/css") throws -> [Link] {
        var response = WebResponse(
            url: try WebURL("http://h.test/css/a.css"),
            status: 200,
            body: body,
            source: .network
        )
        response.headerFields[.contentType] = type
        return StyleSheetLinks.find(in: response)
    }

    @Test func eachHasItsPlace() throws {
        let sheet =
            "@import \"b.css\";\r\n/* url(no) */\n p { background: url(../c.png) }\n\té { src: url( 'd' ) }"
        let found = try links(Array(sheet.utf8))
        #expect(
            found.map { $0.url?.href } == [
                "http://h.test/css/b.css", "http://h.test/c.png", "http://h.test/css/d",
            ]
        )
        #expect(found.map(\.kind) == [.stylesheet, .image, .image])
        #expect(found.map { $0.position?.line } == [1, 3, 4])
        #expect(found.map { $0.position?.column } == [9, 18, 16])
    }

    @Test func theEncodingIsTheSheetsOwn() throws {
        let latin = Array("@charset \"iso-8859-1\"; a { b: url(\"".utf8) + [0xE9] + Array("\") }".utf8)
        #expect(try links(latin).first?.reference == "é")
        #expect(try links(latin, type: "text/css; charset=utf-8").first?.reference == "\u{FFFD}")
        #expect(try links(Array("a { b: url(\"é\") }".utf8)).first?.reference == "é")
    }
}
