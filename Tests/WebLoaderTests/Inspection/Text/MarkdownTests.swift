import Testing

@testable import WebDocument

struct MarkdownTests {
    @Test(arguments: [
        ("<h1>A</h1><h3>B # c</h3>", "# A\n\n### B # c\n"),
        ("<p>a<br>b", "a\\\nb\n"),
        ("<p>a<br>", "a\n"),
        ("<p>a<br>&nbsp;<br>&nbsp;", "a\n"),
        ("a <b>b</b> <em>c</em> <b><i>d</i></b>", "a **b** _c_ **_d_**\n"),
        ("a<b> b </b>c", "a **b** c\n"),
        ("a<i>b</i>c", "a*b*c\n"),
        ("<b>a</b><b>b</b>", "**ab**\n"),
        ("<b>a<b>b</b></b>", "**ab**\n"),
        // Marks that would not be read as such are left out.
        ("a<b>(</b>c", "a(c\n"),
        // Or stand closer.
        ("a<b>(b)</b>c <i>d,</i>e", "a(**b**)c _d_,e\n"),
        ("<b> </b>a<i></i>", "a\n"),
        ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**\n"),
        ("<a href=x?a=1&amp;b=2>t</a>", "[t](http://h.test/d/x?a=1&b=2)\n"),
        ("<a href='x_(y)'>t</a>", "[t](<http://h.test/d/x_(y)>)\n"),
        ("<a href=javascript:x>t</a> <a>u</a> <a href='http://['>v</a>", "t u v\n"),
        ("<a href=x><h2>a</h2><p>b</p></a>", "## [a](http://h.test/d/x)\n\n[b](http://h.test/d/x)\n"),
        ("wow!<a href=x>t</a>", "wow\\![t](http://h.test/d/x)\n"),
        ("<img src=i.png alt='a [b]'>", "![a \\[b\\]](http://h.test/d/i.png)\n"),
        ("<img src=data:x data-src=i.png>", "![](http://h.test/d/i.png)\n"),
        ("<img srcset='i.png 1x, j.png 2x'>", "![](http://h.test/d/i.png)\n"),
        ("<img alt=a>b", "b\n"),
        ("<code>a</code> <code>`b`</code> <kbd> c  d </kbd>e", "`a` `` `b` `` `c d` e\n"),
        (
            "<pre><code class='x language-swift'>let a = 1\n\nb</code></pre>",
            "```swift\nlet a = 1\n\nb\n```\n"
        ),
        ("<pre class=lang-c>```\n</pre>", "````c\n```\n````\n"),
        ("<pre>a<br>b</pre>", "```\na\nb\n```\n"),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d\n"),
        ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b\n"),
        ("<ol><li value=3>a<li>b</ol>", "3. a\n4. b\n"),
        ("<ul><li><p>a</p><p>b</p></ul>", "- a\n\n  b\n"),
        ("<ul><li>a<pre>b</pre></ul>", "- a\n\n  ```\n  b\n  ```\n"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n* b\n"),
        ("<ul><li>a<ol start=5><li>b</ol></ul>", "- a\n\n  5. b\n"),
        ("<blockquote><p>a</p><p>b</p></blockquote><blockquote>c</blockquote>", "> a\n>\n> b\n\n> c\n"),
        ("<blockquote><ul><li>a</ul></blockquote>", "> - a\n"),
        ("a<hr>b", "a\n\n___\n\nb\n"),
        ("<dl><dt>a<dd>b</dl>", "**a**\n\n- b\n"),
        (
            "<table><caption>c</caption><tr><th>a<th>b<tr><td>1|2<td><b>3</b></table>",
            "c\n\n| a | b |\n| --- | --- |\n| 1\\|2 | **3** |\n"
        ),
        ("<table><tr><td>a<td>b</table>", "|  |  |\n| --- | --- |\n| a | b |\n"),
        (
            "<table><tr><th>a<th>b<tr><td rowspan=2>c<td>d<tr><td>e</table>",
            "| a | b |\n| --- | --- |\n| c | d |\n|  | e |\n"
        ),
        (
            "<table><tr><th>a<th>b<tr><td><ul><li>x<li>y <b>z</b></ul><td>1<pre>c d\n e</pre>2</table>",
            "| a | b |\n| --- | --- |\n| <ul><li>x</li><li>y **z**</li></ul> | 1<br>`c d`<br>`e`<br>2 |\n"
        ),
        ("<table><tr><td><ul><li>x</ul><td>b</table>", "- x\n\nb\n"),
        ("<table><tr><td>a</table>", "a\n"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb\n"),
        (
            "a<sup><a href=#n1>1</a></sup><ol><li id=n1>note <a href=#r>↩</a></ol>",
            "a[^1]\n\n[^1]: &#32; &#32;\n\n    note\n"
        ),
        ("a<sup><a href=#none>1</a></sup>", "a<sup>[1](http://h.test/d/page.html#none)</sup>\n"),
    ])
    func markdownIsWritten(markup: String, expected: String) throws {
        let page = try InspectionPages.page("<!DOCTYPE html><body>\(markup)")
        #expect(page.wholeText?.markdown == expected)
    }

    /// Number signs at the end of a heading are no part of it.
    @Test(arguments: [
        ("a #", "a \\#"), ("a ##", "a #\\#"), ("C#", "C#"), ("#", "\\#"), ("# a", "# a"), ("a # b", "a # b"),
        ("a <b>#</b>", "a **#**"),
    ])
    func headingsAreEscaped(markup: String, expected: String) throws {
        let page = try InspectionPages.page("<!DOCTYPE html><h2>\(markup)</h2>")
        #expect(page.wholeText?.markdown == "## \(expected)\n")
    }

    /// Texts that would be markup, and how they are written.
    @Test(arguments: [
        ("1. a", "1\\. a"), ("1) a", "1\\) a"), ("1.5 a", "1.5 a"), ("- a", "\\- a"), ("+ a", "\\+ a"),
        ("# a", "\\# a"),
        ("&gt; a", "\\> a"), ("a - b > c", "a - b > c"), ("=== a", "=== a"), ("a<br>=== a", "a\\\n\\=== a"),
        ("*a*", "\\*a\\*"),
        ("_a_ b_c", "\\_a\\_ b_c"), ("`a`", "\\`a\\`"), ("[a](b)", "\\[a\\](b)"), ("&lt;b&gt;", "\\<b>"),
        ("&amp;amp; &amp; b", "\\&amp; & b"), ("a\\b", "a\\\\b"), ("~~~", "\\~\\~\\~"), ("a | b", "a | b"),
        ("![a]", "!\\[a\\]"), ("--- | ---", "\\--- | ---"), (":--", "\\:--"),
        // Text that looks like markup, but is not.
        ("<b>a</b>: b", "**a**: b"), ("a:<b>b</b>", "a:**b**"), ("[a] b", "[a] b"), ("[x] b", "\\[x\\] b"),
        ("a [x] b", "a [x] b"),
        ("[^a] b", "\\[\\^a\\] b"), ("[a]", "\\[a\\]"), ("[a]: b", "\\[a\\]: b"),
        ("[a [b] c] d", "\\[a [b] c\\] d"),
        ("a &lt; b", "a < b"), ("a &lt;= 1", "a <= 1"), ("-1", "-1"), ("+1", "+1"), ("#1", "#1"),
        ("####### a", "####### a"), (": a", ": a"),
        ("a://b", "a\\://b"), ("a:<i>//b</i>", "a:_//b_"),
        ("<a href=x>a [b] c</a>", "[a \\[b\\] c](http://h.test/d/x)"),
    ])
    func textIsEscaped(markup: String, expected: String) throws {
        let page = try InspectionPages.page("<!DOCTYPE html><p>\(markup)")
        #expect(page.wholeText?.markdown == expected + "\n")
    }

    /// Footnotes as programs write them, each a reference and a note that lead to each other, or one that is raised.
    @Test(arguments: [
        // Sphinx since 2022.
        (
            "<p>A<a class=footnote-reference href=#n id=r role=doc-noteref><span>[</span>1<span>]</span></a> b"
                + "<aside id=n role=doc-footnote><span class=label><span>[</span><a role=doc-backlink href=#r>1</a><span>]</span></span>"
                + "<p>The note of it.</p></aside>",
            "A[^1] b\n\n[^1]: The note of it.\n"
        ),
        // Sphinx before: a term and a definition, or the cells of a table.
        (
            "<p>A <a href=#n id=r>[1]</a> b<dl><dt id=n><span><a href=#r>1</a></span></dt><dd><p>The note of it.</p></dd></dl>",
            "A[^1] b\n\n[^1]: The note of it.\n"
        ),
        (
            "<p>A <a href=#n id=r>[1]</a> b<table id=n><tr><td><a href=#r>[1]</a></td><td>The note of it.</td></tr></table>",
            "A[^1] b\n\n[^1]: The note of it.\n"
        ),
        // Asciidoctor.
        (
            "<p>A<sup>[<a id=r href=#n>1</a>]</sup> b<hr><div id=n><a href=#r>1</a>. The note of it.</div>",
            "A[^1] b\n\n___\n\n[^1]: The note of it.\n"
        ),
        // DocBook.
        (
            "<p>A<a href=#n name=r><sup>[1]</sup></a> b<div id=n><p><a href=#r><sup>[1] </sup></a>The note of it.</p></div>",
            "A[^1] b\n\n[^1]: The note of it.\n"
        ),
        // MediaWiki, with two references to one note.
        (
            "<p>A<sup id=r><a href=#n><span>[</span>1<span>]</span></a></sup> b<sup id=s><a href=#n>[1]</a></sup>"
                + "<ol><li id=n><span>^ <sup><a href=#r>a</a></sup> <sup><a href=#s>b</a></sup></span> <span>The note of it.</span></ol>",
            "A[^1] b[^1]\n\n[^1]: ^ The note of it.\n"
        ),
        // Pandoc.
        (
            "<p>A<a href=#n id=r role=doc-noteref><sup>1</sup></a> b<section><ol><li id=n><p>The note of it.<a href=#r role=doc-backlink>↩︎</a>"
                + "</ol></section>",
            "A[^1] b\n\n[^1]: The note of it.\n"
        ),
        // By hand.
        (
            "<p>A <a href=#n name=r>[1]</a> b<p><a name=n href=#r>[1]</a> The note of it.",
            "A[^1] b\n\n[^1]: The note of it.\n"
        ),
        // A link in brackets that nothing leads back to is a link.
        (
            "<p>A <a href=#n>[1]</a> b<p id=n>The note of it.",
            "A [\\[1\\]](http://h.test/d/page.html#n) b\n\nThe note of it.\n"
        ),
    ])
    func notesAreWritten(markup: String, expected: String) throws {
        let page = try InspectionPages.page("<!DOCTYPE html><body>\(markup)")
        #expect(page.wholeText?.markdown == expected)
    }

    @Test(arguments: [
        ("<ol start=5><li>a<li value=9>b<li>c</ol>", "5. a\n9) b\n10) c\n"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1) b\n"),
        ("<ol reversed start=7><li>a<li>b<li>c</ol>", "7. a\n6) b\n5. c\n"),
        ("<ol><li value=-3>a<li>b</ol>", "0. a\n0) b\n"),
    ])
    func itemsHaveTheirNumbers(markup: String, expected: String) throws {
        let page = try InspectionPages.page("<!DOCTYPE html><body>\(markup)")
        #expect(page.wholeText?.markdown == expected)
    }

    /// Quotation marks are of the text that shows, in both formats.
    @Test func quotationsHaveTheirMarks() throws {
        let page = try InspectionPages.page("<p>He said <q>it is <q><b>so</b></q> </q>, <q></q>.")
        #expect(page.wholeText?.text == "He said “it is ‘so’” , “”.\n")
        #expect(page.wholeText?.markdown == "He said “it is ‘**so**’” , “”.\n")
    }

    @Test(arguments: [
        (
            "<div class='admonition note'><p class=admonition-title>Note</p><p>a</p></div>",
            "> **Note**\n>\n> a\n"
        ),
        ("<div class=warning><h3>Warning</h3><p>a</p></div>", "> ### Warning\n>\n> a\n"),
        ("<details class='tip open' open><summary>T</summary>a</details>", "> **T**\n>\n> a\n"),
        (
            "<div class='admonitionblock warning'><table><tr><td class=icon><div class=title>Warning</div><td class=content>a</table></div>b",
            "> **Warning**\n>\n> a\n\nb\n"
        ),
        ("<div class='alert alert-danger'>a</div>", "> a\n"), ("<div class=notes>a</div>", "a\n"),
        ("<p class=note>a</p>", "a\n"),
    ])
    func boxesAreQuotations(markup: String, expected: String) throws {
        let page = try InspectionPages.page("<!DOCTYPE html><body>\(markup)")
        #expect(page.wholeText?.markdown == expected)
    }

    /// Links of headings to themselves, links to edit, and numbers of lines are no part of a text.
    @Test(arguments: [
        ("<h2 id=a>A<a href=#a>¶</a></h2>", "A"), ("<h2><a href=#a>#</a> A</h2>", "A"),
        ("<h2 id=a><a href=#a>A</a></h2>", "A"),
        ("<h2><a href=page#a><img src=i.png alt=link></a>A</h2>", "A"), ("<h2><a href=#a>#</a></h2>", "#"),
        ("<h2>A<span class=mw-editsection>[<a href=/e>edit</a>]</span></h2>", "A"),
        ("<p>A<a href=#a>¶</a></p>", "A"), ("<p>A <a href=#a>#</a></p>", "A #"),
        ("<dl><dt>A<a href=#a>§</a><dd>b</dl>", "A\nb"),
        (
            "<table><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>",
            "a\nb"
        ),
        ("<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>", "a\nb"),
        ("<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>", "a\nb"),
        ("<pre><span class=lineno>x</span>a</pre>", "xa"),
    ])
    func controlsAreNoText(markup: String, expected: String) throws {
        let page = try InspectionPages.page("<!DOCTYPE html><body>\(markup)")
        #expect(page.wholeText?.text == expected + "\n")
        #expect(page.wholeText?.markdown.contains("¶") == false)
    }
}
