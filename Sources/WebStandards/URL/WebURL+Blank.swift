extension WebURL {
    /// `about:blank`, the URL of a page without a URL.
    public static let aboutBlank = about("about:blank")

    /// `about:srcdoc`, the URL of a page in the `srcdoc` attribute of an `iframe`.
    package static let aboutSrcdoc = about("about:srcdoc")

    /// A URL of the scheme "about" that has a path and nothing else.
    private static func about(_ href: String) -> WebURL {
        var layout = URLLayout()
        layout.schemeEnd = 5
        layout.usernameEnd = 6
        layout.hostStart = 6
        layout.hostEnd = 6
        layout.pathStart = 6
        layout.queryStart = UInt32(truncatingIfNeeded: href.utf8.count)
        layout.fragmentStart = layout.queryStart
        layout.flags = [.hasOpaquePath]
        return WebURL(href: href, layout: layout)
    }
}
