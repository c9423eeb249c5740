import Testing
import WebDocument

@testable import WebCopy

/// Images that scripts load later, in copies that have none.
@Suite struct LazyImagesTests {
    static let cases: [(markup: String, shown: String)] = [
        (
            "<img src=small.gif data-src=a.png>",
            "<img data-src-shown=small.gif src=\"new/a.png\">"
        ),
        ("<img data-lazy-src='b.png'>", "<img src='new/b.png'>"),
        (
            "<img src=small.gif srcset='small.gif 1w' data-src=c.png>",
            "<img data-src-shown=small.gif data-srcset-shown='small.gif 1w' src=\"new/c.png\">"
        ),
        ("<img data-srcset='d.png 1x, e.png 2x'>", "<img srcset='new/e.png 2x'>"),
        ("<video data-poster=f.png></video>", "<video poster=\"new/f.png\"></video>"),
        ("<iframe data-src=g.html></iframe>", "<iframe src=\"new/g.html\"></iframe>"),
        ("<img src=h.png data-src=' '>", "<img src=\"new/h.png\" data-src=' '>"),
        ("<img src=h.png data-src='/k_{width}.png'>", "<img src=\"new/h.png\" data-src='/k_{width}.png'>"),
        ("<div data-src=i.png></div>", "<div data-src=i.png></div>"),
        // The first one counts, wherever the other stands.
        (
            "<img data-src=j.png src=small.gif src=other.gif>",
            "<img src=\"new/j.png\" data-src-shown=small.gif src=other.gif>"
        ),
    ]

    @Test(arguments: cases)
    func `what a script would load is shown, on request`(_ markup: String, _ shown: String) throws {
        var options = PageRewriter.Options()
        options.showsLazyImages = true
        let copy = try PageRewriterTests.copy(markup, options)
        #expect(copy.text.hasSuffix(shown), "\(copy.text)")
        let hasLate = shown.contains("new/") && !shown.contains("h.png")
        #expect(copy.changed["lazy"] == (hasLate ? 1 : nil))
    }

    @Test func `without being asked for it is left alone`() throws {
        let copy = try PageRewriterTests.copy("<img src=a.png data-src=b.png>")
        #expect(copy.text.hasSuffix("<img src=\"new/a.png\" data-src=b.png>"))
    }

    @Test func `what is no URL for a browser stays harmless`() throws {
        var options = PageRewriter.Options()
        options.showsLazyImages = true
        let copy = try PageRewriterTests.copy("<iframe data-src='javascript:alert(1)'></iframe>", options)
        #expect(!copy.text.contains("javascript:"))
    }
}
