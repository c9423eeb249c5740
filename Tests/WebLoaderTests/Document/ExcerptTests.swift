import Testing

@testable import WebDocument

/// Pages of which parts are left.
struct ExcerptTests {
    @Test(arguments: [
        // Style sheets stay wherever they are, and so does what says where references lead.
        (
            "<title>T</title><div><style>a{}</style><b>x</b></div><p>P</p>",
            "<html><head><title>T</title></head><body><style>a{}</style><p>P</p></body></html>"
        ),
        (
            "<div><base href='/b/'><link rel=stylesheet href=s><link rel=author href=s></div><p>P</p>",
            "<html><head></head><body><base href=\"/b/\"><link rel=\"stylesheet\" href=\"s\"><p>P</p></body></html>"
        ),
        // But for those of a shadow root or a template: they are for what is in there.
        (
            "<div><template shadowrootmode=open><style>a{}</style><base href='/'><i>y</i></template>x</div><p>P</p>",
            "<html><head></head><body><p>P</p></body></html>"
        ),
        (
            "<div><template><style>a{}</style><template><style>b{}</style></template></template></div><p>P</p>",
            "<html><head></head><body><p>P</p></body></html>"
        ),
        (
            "<div><template><style>a{}</style></template></div><div><style>b{}</style></div><p>P</p>",
            "<html><head></head><body><style>b{}</style><p>P</p></body></html>"
        ),
    ])
    func `styles for the page stay, and others go with what they are in`(html: String, left: String) throws {
        let document = try #require(try ParsedPage(html: html).document)
        let elements = try document.querySelectorAll("p")
        #expect(String(decoding: document.excerpt(elements), as: UTF8.self) == left)
    }
}
