import Testing

@testable import webinspect

/// What is shown of a source.
struct SourceTests {
    @Test(arguments: [
        ("page.html", "page.html"), ("a@b/page.html", "a@b/page.html"), ("-", "-"),
        ("http://h/a@b", "http://h/a@b"), ("mailto:ann@h", "mailto:ann@h"),
        ("http://ann:secret@h/a", "http://***@h/a"), ("http://secret@h/", "http://***@h/"),
        ("http:ann:secret@h/a", "http://***@h/a"), ("HTTPS:/ann:secret@h/a", "https://***@h/a"),
        ("http:\\\\ann:secret@h/a", "http://***@h/a"), ("ht\ttp://ann:secret@h/a", "http://***@h/a"),
        ("http://ann:secret@[/", "http://***@[/"), ("http:ann:secret@h:99999/", "http://***@h:99999/"),
        ("http://ann:secret@h/a@b", "http://***@h/a@b"), ("https://u:p@", "https://***@"),
    ])
    func passwordsAreNotShown(text: String, shown: String) {
        #expect(Source.redacted(text) == shown)
    }
}
