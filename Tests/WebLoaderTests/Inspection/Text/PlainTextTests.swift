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
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", "a\nb\n\nc\n\nd\n"),
        ("<pre>a\n  b\n</pre>c", "a\n  b\n\nc\n"),
        ("<pre><span>a</span>\n\n<span> b</span></pre>", "a\n\n b\n"),
        ("<table><tr><td>a<td>b<tr><th>c</th> <td>d</table>", "a\tb\nc\td\n"),
        ("a<script>x</script><style>x</style><template>x</template><!--x-->b", "ab\n"),
        ("<p>a</p>   <p>  </p><p>b", "a\n\nb\n"),
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
