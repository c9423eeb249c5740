internal import WebDocument

/// The numbers of the element and attribute names that the comparison uses.
struct KnownNames {
    let table, tr, td, th, caption, link, meta, title, a, input: Int32
    let src, srcset, href, alt, name, type, rel, d, rowspan, colspan, nonce, id, className, style, value,
        content: Int32
    let property, httpEquiv, charset, hreflang, media, integrity, itemprop, hidden, template: Int32

    init(_ names: inout FlatTree.Names) {
        table = names.number("table")
        tr = names.number("tr")
        td = names.number("td")
        th = names.number("th")
        caption = names.number("caption")
        link = names.number("link")
        meta = names.number("meta")
        title = names.number("title")
        a = names.number("a")
        input = names.number("input")
        src = names.number("src")
        srcset = names.number("srcset")
        href = names.number("href")
        alt = names.number("alt")
        name = names.number("name")
        type = names.number("type")
        rel = names.number("rel")
        d = names.number("d")
        rowspan = names.number("rowspan")
        colspan = names.number("colspan")
        nonce = names.number("nonce")
        id = names.number("id")
        className = names.number("class")
        style = names.number("style")
        value = names.number("value")
        content = names.number("content")
        property = names.number("property")
        httpEquiv = names.number("http-equiv")
        charset = names.number("charset")
        hreflang = names.number("hreflang")
        media = names.number("media")
        integrity = names.number("integrity")
        itemprop = names.number("itemprop")
        hidden = names.number("hidden")
        template = names.number("template")
    }
}
