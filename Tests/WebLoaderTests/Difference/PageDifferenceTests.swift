import TestSupport
import Testing
import WebDifference

/// Tests of the reported differences between two pages.
@Suite struct PageDifferenceTests {
    typealias Difference = PageDifference

    private func compare(
        _ old: String,
        _ new: String,
        _ options: Difference.Options = Difference.Options()
    ) throws -> Difference {
        try Difference(from: ParsedPage(html: old), to: ParsedPage(html: new), options: options)
    }

    private func said(_ difference: Difference) -> [String] {
        difference.changes.map {
            "\($0.kind.rawValue) \($0.operation.rawValue): \($0.old ?? "-") > \($0.new ?? "-")"
        }
    }

    @Test func `only what is selected is compared, where it stands`() throws {
        var options = Difference.Options()
        options.selection = try Selector("b, ul, ul li")
        let old = "<title>1</title><p>a <b>one</b><b>two</b><p class=x><b>x</b><ul><li>c</ul>"
        let new = "<title>2</title><p>z <b>one</b><b>six</b><p class=x><b>y</b><ul><li>d</ul>"
        #expect(
            try said(compare(old, new, options)) == [
                "text changed: two > six", "text changed: x > y", "list changed: c > d",
            ]
        )
        options.ignoredSelectors = [try Selector(".x b"), try Selector("p + ul > li")]
        let difference = try compare(old, new, options)
        #expect(said(difference) == ["text changed: two > six"])
        #expect(difference.ignored == ["selector": 2])
    }

    @Test(arguments: [
        ("<p>One word here", "<p>One term here", ["text changed: One word here > One term here"]),
        ("<h2>Tea</h2><p>a", "<h2>Coffee</h2><p>a", ["heading changed: Tea > Coffee"]),
        ("<ul><li>a<li>b</ul>", "<ul><li>a<li>x y<li>b</ul>", ["list added: - > x y"]),
        ("<ul><li>a<li>b<li>c</ul>", "<ul><li>a<li>c</ul>", ["list removed: b > -"]),
        ("<p>See <a href=/a>this</a> now", "<p>See <a href=/b>this</a> now", ["link changed: /a > /b"]),
        ("<p>See <a href=/a>this</a> now", "<p>See <a href=/a>that</a> now", ["link changed: this > that"]),
        ("<img src=/a.jpg alt=one>", "<img src=/a.jpg alt=two>", ["image changed: one > two"]),
        (
            "<p>x<img src=/IMG_2041.jpg>", "<p>x<img src=/IMG_2087.jpg>",
            ["image changed: /IMG_2041.jpg > /IMG_2087.jpg"]
        ),
        ("<title>Tea</title>", "<title>Coffee</title>", ["metadata changed: Tea > Coffee"]),
        (
            "<meta name=description content=one>", "<meta name=description content=two>",
            ["metadata changed: one > two"]
        ),
        ("<html lang=en><p>a", "<html lang=fr><p>a", ["attribute changed: en > fr"]),
        (
            "<form><input name=a></form>", "<form><input name=a disabled></form>",
            ["attribute added: - > disabled"]
        ),
        (
            "<p hidden>a</p><input name=a required checked=checked>b",
            "<p hidden=hidden>a</p><input name=a required='' checked>b", []
        ),
        ("<p hidden>a</p>b", "<p hidden=until-found>a</p>b", ["attribute changed:  > until-found"]),
        ("<x-y open=1>a</x-y>", "<x-y open=2>a</x-y>", ["attribute changed: 1 > 2"]),
        ("<marquee loop=1>a</marquee>", "<marquee loop=2>a</marquee>", ["attribute changed: 1 > 2"]),
        (
            "<form><input name=a type=hidden value=7></form>",
            "<form><input name=a type=hidden value=8></form>",
            ["form changed: 7 > 8"]
        ),
        (
            "<form><select name=s><option>one<option>two</select></form>",
            "<form><select name=s><option>one<option>six</select></form>", ["form changed: two > six"]
        ),
        ("<p style='color: red'>a", "<p style='color: blue'>a", ["style changed: color: red > color: blue"]),
        (
            "<script src=/jquery-3.1.0.js></script>", "<script src=/jquery-3.7.1.js></script>",
            ["script changed: /jquery-3.1.0.js > /jquery-3.7.1.js"]
        ),
        (
            #"<script type="application/ld+json">{"name":"a","price":"1"}</script>"#,
            #"<script type="application/ld+json">{"price":"2","name":"a"}</script>"#,
            ["structured-data changed: 1 > 2"]
        ),
        (
            "<table><tr><th>k<th>v<tr><td>a<td>1<tr><td>b<td>2</table>",
            "<table><tr><th>k<th>v<tr><td>a<td>1<tr><td>b<td>3</table>", ["table changed: 2 > 3"]
        ),
        (
            "<table><tr><th>k<th>v<tr><td>a<td>1<tr><td>b<td>2</table>",
            "<table><tr><th>k<th>v<tr><td>a<td>1<tr><td>c<td>9<tr><td>b<td>2</table>",
            ["table added: - > c 9"]
        ),
        (
            "<table><tr><th>k<th>v<th>w<tr><td>a<td>1<td>5<tr><td>b<td>2<td>6</table>",
            "<table><tr><th>k<th>w<tr><td>a<td>5<tr><td>b<td>6</table>", ["table removed: v 1 2 > -"]
        ),
        (
            "<p>The first paragraph.<p>The second one is long enough.<p>The third has more words than others.",
            "<p>The first paragraph.<p>The third has more words than others.<p>The second one is long enough.",
            ["text moved: The second one is long enough. > The second one is long enough."]
        ),
        (
            "<table><tr><th>k<th>v<tr><td>a<td>1<tr><td>b<td>2<tr><td>c<td>3</table>",
            "<table><tr><th>k<th>v<tr><td>b<td>2<tr><td>c<td>3<tr><td>a<td>1</table>",
            ["table moved: a 1 > a 1"]
        ),
        ("<p>See <b>this</b> now", "<p>See this now", ["text changed: <b>this</b> > this"]),
        ("<p>See <i>this one</i>", "<p>See this <em>one</em>", ["text changed: <i>this</i> > this"]),
        ("<p>See <strong>this</strong>", "<p>See <b>this</b>", []),
        (
            "<table><tr><th>k<th>v<tr><td>a<td><u>1</u></table>",
            "<table><tr><th>k<th>v<tr><td>a<td>1</table>",
            ["table changed: <u>1</u> > 1"]
        ),
        (
            "<link rel=icon href=/i.png sizes=16x16>", "<link rel=icon href=/i.png sizes=32x32>",
            ["metadata changed: 16x16 > 32x32"]
        ),
        (
            #"<script type="application/ld+json">{"@type":"A","x":1}</script><script type="application/ld+json">{"@type":"B","y":[1,2,3]}</script>"#,
            #"<script type="application/ld+json">{"@type":"B","y":[1,2,4]}</script>"#,
            ["structured-data removed: {\"@type\":\"A\",\"x\":1} > -", "structured-data changed: 3 > 4"]
        ),
    ])
    func `an edit is one change of its kind`(_ old: String, _ new: String, _ wanted: [String]) throws {
        #expect(said(try compare(old, new)) == wanted)
    }

    @Test(arguments: [
        ("<p class='a b'>x", "<p class='b a'>x"),
        ("<p id=a class=b>x", "<p class=b id=a>x"),
        ("<p>one two", "<p>one\n  two <!-- now -->"),
        ("<script nonce=aB3dE6gH9jKl>x</script>", "<script nonce=zY8xW5vU2tSr>x</script>"),
        (
            "<form><input type=hidden name=csrf_token value=a8f3k2m9q1z7></form>",
            "<form><input type=hidden name=csrf_token value=p4d8s6g2h5j1></form>"
        ),
        (
            "<p><a href='/a?PHPSESSID=0123456789abcdef0123456789abcdef'>x</a>",
            "<p><a href='/a?PHPSESSID=fedcba9876543210fedcba9876543210'>x</a>"
        ),
        ("<link rel=stylesheet href=/a.css?v=17>", "<link rel=stylesheet href=/a.css?v=18>"),
        ("<script src=/main.3f9a1c2b.js></script>", "<script src=/main.9c8b7a6d.js></script>"),
        ("<p class=css-1a2b3c>x", "<p class=css-9z8y7x>x"),
        ("<p class=sc-hnuty1>x", "<p class=sc-vaeld2>x"),
        ("<p class='a sc-bdVaJa'>x", "<p class='a sc-cSHVUG'>x"),
        ("<div id=div-gpt-ad-1700000000123-0></div>", "<div id=div-gpt-ad-1800000000456-0></div>"),
        ("<table><tr><td>a<td>b</table>", "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>"),
    ])
    func `what a server makes anew is no change`(_ old: String, _ new: String) throws {
        let difference = try compare(old, new)
        #expect(difference.isSame, "\(said(difference))")
        #expect(said(difference).isEmpty)
    }

    @Test(arguments: [
        ("<p><a href='/list?page=2'>x</a>", "<p><a href='/list?page=3'>x</a>"),
        ("<p><a href='/watch?v=aB3dE6gH9jK'>x</a>", "<p><a href='/watch?v=zY8xW5vU2tS'>x</a>"),
        ("<p class=col-4>x", "<p class=col-6>x"), ("<p class=css-header>x", "<p class=css-footer>x"),
        ("<script src=/lib-3.1.0.js></script>", "<script src=/lib-3.7.1.js></script>"),
    ])
    func `what can be counted is a change`(_ old: String, _ new: String) throws {
        #expect(try compare(old, new).changes.count == 1)
    }

    @Test func `all tells what is volatile`() throws {
        var options = Difference.Options()
        options.includesVolatile = true
        let difference = try compare("<p class=css-1a2b3c>x", "<p class=css-9z8y7x>x", options)
        #expect(said(difference) == ["attribute changed: css-1a2b3c > css-9z8y7x"])
    }

    @Test func `rules leave out elements and attributes`() throws {
        var options = Difference.Options()
        options.ignoredSelectors = [try Selector(".clock")]
        options.ignoredAttributes = ["title"]
        let difference = try compare(
            "<p title=a>x<p class=clock>10:00",
            "<p title=b>x<p class=clock>11:00",
            options
        )
        #expect(difference.isSame)
        #expect(difference.ignored == ["selector": 1, "attribute": 1])
    }

    @Test func `the way back is the mirror`() throws {
        let old = "<h1>T</h1><p>one two three<ul><li>a<li>b</ul><p>moved from here to there<img src=a.png>"
        let new = "<p>moved from here to there<h1>T</h1><p>one two four<ul><li>b<li>c</ul>"
        let there = try compare(old, new).changes
        let back = try compare(new, old).changes
        #expect(Set(there.map { [$0.old, $0.new] }) == Set(back.map { [$0.new, $0.old] }))
    }

    @Test(
        .enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"),
        arguments: [
            String(repeating: "<div>", count: 100_000) + "x", String(repeating: "<p>same", count: 50_000),
            String(repeating: "<li>a<li>b", count: 20_000), "", "\0<p",
        ]
    )
    func `a hostile page is the same as itself, and differs from another`(_ page: String) throws {
        #expect(try compare(page, page).isSame)
        #expect(try !compare(page, page + "<p>other").isSame)
    }

    @Test func `a long text is shown from where it differs`() throws {
        let filler = String(repeating: "word é ", count: 3000)
        let change = try #require(try compare("<p>\(filler) cup", "<p>\(filler) pot").changes.first)
        #expect(change.old?.hasPrefix("…") == true)
        #expect(change.old?.hasSuffix("cup") == true)
        #expect((change.old ?? "").utf8.count < 4200)
        #expect(!(change.old ?? "").contains("\u{FFFD}"))
        let one = String(repeating: "é", count: 5000)
        let other = try #require(try compare("<p>\(one)a", "<p>\(one)b").changes.first)
        #expect(!(other.new ?? "").contains("\u{FFFD}"))
    }

    @Test func `blocks stand side by side, in the order of the new page`() throws {
        var options = Difference.Options()
        options.keepsRows = true
        let stays = "this paragraph stays where it is, and is longer than the one that is moved"
        let difference = try compare(
            "<p>one<p>a text that is moved to the end<p>\(stays)<p>gone away<p>two words",
            "<p>one<p>\(stays)<p>two terms<img src=a alt=cup><p>a text that is moved to the end",
            options
        )
        #expect(
            difference.rows.map { "\($0.operation?.rawValue ?? "-") \($0.old ?? "-") | \($0.new ?? "-")" }
                == [
                    "- one | one", "- \(stays) | \(stays)", "removed gone away | -",
                    "- two words | two terms",
                    "added - | [image cup a]",
                    "moved a text that is moved to the end | a text that is moved to the end",
                ]
        )
        #expect(try compare("<p>a", "<p>b").rows.isEmpty)
    }

    @Test(arguments: [
        ("<p><b>x</b>", "<p><i>x</i>"), ("<div><p>x</div><p>y", "<p>x<div><p>y</div>"),
        ("<p a=1>x", "<p b=1>x"),
    ])
    func `pages of one text in other elements are compared in one order`(_ old: String, _ new: String) throws
    {
        let there = try compare(old, new).changes.map { "\($0.old ?? "-") \($0.new ?? "-")" }
        let back = try compare(new, old).changes.map { "\($0.new ?? "-") \($0.old ?? "-")" }
        #expect(there.sorted() == back.sorted())
    }

    @Test func `paths and lines lead to the elements`() throws {
        let change = try #require(try compare("<p>a\n<p>b c d", "<p>a\n\n<p>b c e").changes.first)
        #expect(change.oldLine == 2)
        #expect(change.newLine == 3)
        #expect(change.newPath == "html > body:nth-child(2) > p:nth-child(2)")
    }

    @Test func `pages that were cut off are the same only if their bytes are`() throws {
        var limits = LoadLimits()
        limits.maximumNodes = 500
        let text = (0..<5000).map { "<p>Paragraph number \($0)" }.joined()
        func page(_ end: String) throws -> ParsedPage { try ParsedPage(html: text + end, limits: limits) }
        let (old, new) = (try page("<p>old"), try page("<p>new"))
        try #require(old.isTruncated && new.isTruncated)
        let difference = try PageDifference(from: old, to: new)
        #expect(difference.isCoarse)
        #expect(difference.changes.map(\.name) == ["body"])
        #expect(try PageDifference(from: old, to: page("<p>old")).isSame)
    }

    @Test func `a block that was moved and edited is one change`() throws {
        let blocks = (0..<6).map {
            "<p>The block with the number\($0) says what it has to say about thing\($0)."
        }
        var moved = blocks
        moved.insert(moved.remove(at: 4).replacing("what it has", with: "all that it wants"), at: 1)
        let changes = try PageDifference(
            from: ParsedPage(html: blocks.joined()),
            to: ParsedPage(html: moved.joined())
        ).changes
        #expect(changes.map(\.operation) == [.changed])
        #expect(changes.first?.old?.contains("thing4") == true)
        #expect(changes.first?.new?.contains("all that it wants") == true)
    }
}
