/// Pages of any size, like those of a shop.
enum SyntheticPage {
    /// A page of about `bytes` bytes.
    static func articles(bytes: Int) -> String {
        var page =
            "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>A page of some size</title></head><body><main>"
        page.reserveCapacity(bytes + 2_000)
        let text = String(repeating: "page load cache link base rule budget tree node text ", count: 6)
        var index = 0
        while page.utf8.count < bytes {
            page += """
                <article class="card c\(index % 17)" id="a\(index)"><h2><a href="/item/\(index)?ref=x">Item \(index)</a></h2>\
                <p class="lead">\(text)</p><p>\(text)<b>some</b> <i>more</i></p><ul><li>one</li><li>two</li></ul>\
                <span class="price">\(index % 997).50</span></article>\n
                """
            index += 1
        }
        return page + "</main></body></html>"
    }

    /// A page with `count` links, all different.
    static func links(_ count: Int) -> String {
        var page = "<!DOCTYPE html><html lang=en><head><title>Links</title></head><body><ul>"
        for index in 0..<count {
            page +=
                "<li><a href=\"../section\(index % 101)/item-\(index).html?page=\(index % 7)\">Item \(index)</a>\n"
        }
        return page + "</ul></body></html>"
    }
}
