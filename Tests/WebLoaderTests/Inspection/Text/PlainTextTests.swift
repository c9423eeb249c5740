import Testing

@testable import WebDocument

struct PlainTextTests {
    @Test(arguments: [
        ("a  b\n\tc", "a b c\n"),
        ("<p>a<p>b", "a\n\nb\n"),
        ("<div>a</div><div>b</div>c", "a\nb\nc\n"),
        ("a<br>b<br><br>c", "a\nb\n\nc\n"),
        ("<b>a</b>b <i> c</i>", "ab c\n"),
        ("<h1>a</h1>b", "a\n\nb\n"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", "a\nb\nc\n\nd\n"),
        ("a<ul><li>b<li><p>c</p></ul>d", "a\n\nb\n\nc\n\nd\n"),
        ("<br><br>a<br><br><br>b<p>c<br></p><br>d<br>", "a\n\nb\n\nc\n\nd\n"),
        ("<pre>a\n  b\n</pre>c", "a\n  b\n\nc\n"),
        ("<pre><span>a</span>\n\n<span> b</span></pre>", "a\n\n b\n"),
        ("<table><tr><td>a<td>b<tr><th>c</th> <td>d</table>", "a\tb\nc\td\n"),
        (
            "a<table><caption>b</caption><tr><td><td>c<td><td><p>d<td><tr><td>e<p>f</p><td>g</table>h",
            "a\n\nb\n\tc\t\td\ne\n\nf\n\ng\n\nh\n"
        ),
        ("<pre>a\n\n</pre><pre>\n\n b</pre>", "a\n\n\n b\n"),
        (
            "<ruby>a<rt>b</rt></ruby> <ruby>c<rp>(</rp><rt>d</rt><rp>)</rp></ruby><ruby>e<rt></rt></ruby>",
            "a(b) c(d)e\n"
        ),
        ("a <math alttext='x^2'><mi>x</mi><mn>2</mn></math> b", "a x^2 b\n"),
        ("a<script>x</script><style>x</style><template>x</template><!--x-->b", "ab\n"),
        ("<p>a</p>   <p>  </p><p>b", "a\n\nb\n"),
        ("a<p hidden>b</p><p style='display:none'>c</p><p aria-hidden=true>d</p>", "a\n"),
        ("<a href=x>link</a><img src=x alt=image>", "link\n"),
        ("<select><option>x</select><textarea>x</textarea>a", "a\n"),
        ("a&nbsp;b", "a\u{A0}b\n"),
        ("", ""),
    ])
    func textIsThatOfLines(markup: String, expected: String) throws {
        let page = try InspectionPages.page("<!DOCTYPE html><body>\(markup)")
        #expect(page.wholeText?.text == expected)
    }
}
