import Testing

@testable import WebDocument

struct MarkdownTests {
    @Test(arguments: [
        ("<h1>A</h1><h3>B # c</h3>", "# A\n\n### B \\# c\n"),
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

    /// Texts that would be markup, and how they are written.
    @Test(arguments: [
        ("1. a", "1\\. a"), ("1) a", "1\\) a"), ("1.5 a", "1.5 a"), ("- a", "\\- a"), ("+ a", "\\+ a"),
        ("# a", "\\# a"),
        ("&gt; a", "\\> a"), ("a - b > c", "a - b > c"), ("=== a", "\\=== a"), ("*a*", "\\*a\\*"),
        ("_a_ b_c", "\\_a\\_ b_c"), ("`a`", "\\`a\\`"), ("[a](b)", "\\[a\\](b)"), ("&lt;b&gt;", "\\<b>"),
        ("&amp;amp; &amp; b", "\\&amp; & b"), ("a\\b", "a\\\\b"), ("~~~", "\\~\\~\\~"), ("a | b", "a | b"),
        ("![a]", "!\\[a\\]"), ("--- | ---", "\\--- | ---"), (":--", "\\:--"),
    ])
    func textIsEscaped(markup: String, expected: String) throws {
        let page = try InspectionPages.page("<!DOCTYPE html><p>\(markup)")
        #expect(page.wholeText?.markdown == expected + "\n")
    }
}
