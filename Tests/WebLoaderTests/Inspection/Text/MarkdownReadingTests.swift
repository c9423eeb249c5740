import Foundation
import TestSupport
import Testing

@testable import WebDocument

/// Markdown, read by a program of others: it has the structure and the words of the page.
///
/// `Scripts/read-markdown` compares the words of whole folders of real pages.
@Suite(.enabled(if: MarkdownReader.isInstalled, "cmark-gfm is not installed"))
struct MarkdownReadingTests {
    private static func page(_ markup: String) throws -> ReadableText {
        try #require(try InspectionPages.page("<!DOCTYPE html><body>\(markup)").wholeText)
    }

    @Test(arguments: [
        ("<h2>a</h2><h6>b</h6>", "<h2>a</h2>\n<h6>b</h6>\n"),
        (
            "<ul><li>a<ol><li>b<li>c<ul><li>d</ul></ol><li>e</ul>",
            """
            <ul>
            <li>a
            <ol>
            <li>b</li>
            <li>c
            <ul>
            <li>d</li>
            </ul>
            </li>
            </ol>
            </li>
            <li>e</li>
            </ul>

            """
        ),
        ("<ul><li><div>a</div><li><div>b</div></ul>", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        (
            "<ul><li><input type=checkbox checked> a<li><label><input type=checkbox> b</label></ul>",
            """
            <ul>
            <li><input type="checkbox" checked="" disabled="" /> a</li>
            <li><input type="checkbox" disabled="" /> b</li>
            </ul>

            """
        ),
        ("<ul><li><input type=checkbox></ul>a", "<p>a</p>\n"),
        (
            "<dl><dt>a<dd>b<dd>c</dl><ul><li>d</ul>",
            "<p><strong>a</strong></p>\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n<ul>\n<li>d</li>\n</ul>\n"
        ),
        ("x<sup>2</sup> H<sub>2</sub>O", "<p>x<sup>2</sup> H<sub>2</sub>O</p>\n"),
        ("<s>a</s>b <del>c</del>", "<p><del>a</del>b <del>c</del></p>\n"),
        ("a<b>「b」</b>c", "<p>a「<strong>b</strong>」c</p>\n"),
        ("a <b>b:</b>c <i>(d)</i>e", "<p>a <strong>b</strong>:c (<em>d</em>)e</p>\n"),
        (
            "<a href=x title='b \"c\"'>a</a> <a href=x title=a>a</a>",
            "<p><a href=\"http://h.test/d/x\" title=\"b &quot;c&quot;\">a</a> <a href=\"http://h.test/d/x\">a</a></p>\n"
        ),
        (
            "<figure><div><img src=i.png alt=a></div><figcaption>b <b>c</b></figcaption></figure>d",
            "<p><img src=\"http://h.test/d/i.png\" alt=\"a\" /><br />\nb <strong>c</strong></p>\n<p>d</p>\n"
        ),
        ("<img src=/blank.gif data-src=i.png>", "<p><img src=\"http://h.test/d/i.png\" alt=\"\" /></p>\n"),
        ("<img src=/t width=1 height=1>a", "<p>a</p>\n"),
        (
            "<picture><source srcset='i.webp 2x'><img alt=a></picture>",
            "<p><img src=\"http://h.test/d/i.webp\" alt=\"a\" /></p>\n"
        ),
        (
            "<table><thead><tr><td style='text-align: right'>a<td>b</thead><tr><td>1<br>2<p>3</p>4<td align=center>|</table>",
            """
            <table>
            <thead>
            <tr>
            <th align="right">a</th>
            <th align="center">b</th>
            </tr>
            </thead>
            <tbody>
            <tr>
            <td align="right">1<br>2<br>3<br>4</td>
            <td align="center">|</td>
            </tr>
            </tbody>
            </table>

            """
        ),
        ("<code>a<pre>b\nc</pre></code>", "<p>a</p>\n<pre><code>b\nc\n</code></pre>\n"),
        (
            "<math display=block alttext=a_b><mi>a</mi></math>",
            "<pre><code class=\"language-math\">a_b\n</code></pre>\n"
        ),
        (
            "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^*y^*</annotation></semantics></math>",
            "<p>$<code>x^*y^*</code>$</p>\n"
        ),
        ("<ruby>漢<rt>かん</rt></ruby> <ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>", "<p>漢(かん) a(b)</p>\n"),
        (
            "<blockquote>a<blockquote>b</blockquote></blockquote>",
            "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n"
        ),
    ])
    func structureIsReadBack(markup: String, expected: String) async throws {
        let markdown = try Self.page(markup).markdown
        #expect(try await MarkdownReader.html(markdown) == expected, "\(markdown)")
    }

    /// A block of code as pages mark its language.
    @Test(arguments: [
        ("<pre><code class='language-js'>", "js"), ("<pre class=lang-c++>", "c++"),
        ("<pre class='brush: js; x'>", "js"),
        ("<pre class='brush:php'>", "php"), ("<pre><code class='hljs python'>", "python"),
        ("<pre lang=swift>", "swift"),
        ("<pre lang=en>", ""), ("<pre lang=de-CH>", ""), ("<pre data-lang=go>", "go"),
        ("<div class='highlight highlight-source-rust'><pre>", "rust"),
        ("<div class='language-js highlighter-rouge'><div class=highlight><pre class=highlight><code>", "js"),
        ("<div class='highlight-python notranslate'><div class=highlight><pre>", "python"),
        ("<div class='highlight-default notranslate'><div class=highlight><pre>", ""),
        (
            "<div class=sourceCode><pre class='sourceCode haskell'><code class='sourceCode haskell'>",
            "haskell"
        ),
        ("<pre class='language-a`b'>", ""),
    ])
    func languageIsNamed(markup: String, language: String) throws {
        #expect(try Self.page("\(markup)x").markdown == "```\(language)\nx\n```\n")
    }

    /// Notes as makers of pages mark them: each is one, under the mark that the page shows.
    @Test(arguments: [
        // Wikipedia, GitHub, WordPress
        (
            "a<sup id=r><a href=#n><span>[</span>1<span>]</span></a></sup>",
            "<ol><li id=n><a href=#r>^</a> a note</ol>", "1"
        ),
        (
            "a<sup><a href=#user-content-fn-1 data-footnote-ref>1</a></sup>",
            "<section data-footnotes><ol><li id=user-content-fn-1><p>a note <a href=#r>↩</a></ol></section>",
            "1"
        ),
        ("a<sup class=fn><a href=#u>2</a></sup>", "<ol><li id=u>a note <a href=#u-link>↩︎</a></ol>", "2"),
        // pandoc, with roles and without
        (
            "a<a href=#fn1 role=doc-noteref><sup>1</sup></a>",
            "<section role=doc-endnotes><hr><ol><li id=fn1><p>a note<a href=#r role=doc-backlink>↩︎</a></ol></section>",
            "1"
        ),
        ("a<a href=#fn1><sup>b</sup></a>", "<ol><li id=fn1><p>a note</ol>", "b"),
        // Sphinx, and a paragraph
        (
            "a<a href=#id2 role=doc-noteref>1</a>", "<aside role=doc-footnote id=id2><p>a note</p></aside>",
            "1"
        ),
        ("a<sup><a href=#p>*</a></sup>", "<p id=p>a note", "1"),
    ])
    func notesAreReadBack(text: String, notes: String, label: String) async throws {
        let read = try await MarkdownReader.html(try Self.page("<p>\(text)</p>\(notes)<p>b").markdown)
        #expect(read.contains("<p>a<sup class=\"footnote-ref\"><a href=\"#fn-\(label)\""))
        #expect(read.contains("<li id=\"fn-\(label)\">\n<p>a note <a href="))
    }

    /// References that are not notes: a link in code, a link back, a second element of the same name.
    @Test func whatIsNoNoteStays() async throws {
        let markdown = try Self.page(
            "<p>a<code><sup><a href=#n>1</a></sup></code><p>b<sup><a href=#m>2</a></sup>"
                + "<ol><li id=n>c<li id=m>d<li id=m>e</ol><p id=q>f<sup><a href=#q>3</a></sup>"
        ).markdown
        #expect(
            markdown
                == "a`1`\n\nb[^2]\n\n1. c\n\n[^2]: &#32; &#32;\n\n    d\n\n3. e\n\nf<sup>[3](http://h.test/d/page.html#q)</sup>\n"
        )
    }

    // MARK: - Words

    /// The pages of `Fixtures/html`: the same words in the same order as in the plain text.
    ///
    /// None has notes, whose marks are the reader's own, and which it moves to the end.
    @Test func wordsOfFixturesAreReadBack() async throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: ProjectFolder.fixtures,
            includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "html" }
        #expect(files.count > 100)
        for file in files {
            let markup = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            let page = try InspectionPages.page(markup)
            for text in [page.mainText, page.wholeText] {
                guard let text else { continue }
                // Alternative texts and addresses are attributes, which Markdown alone has.
                let read = try await MarkdownReader.html(text.markdown)
                let again = try InspectionPages.page("<!DOCTYPE html><body>\(read)")
                #expect(
                    MarkdownReader.words(try #require(again.wholeText).text)
                        == MarkdownReader.words(text.text),
                    "\(file.lastPathComponent)"
                )
            }
        }
    }
}
