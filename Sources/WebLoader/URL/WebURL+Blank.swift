extension WebURL {
    /// `about:blank`, the URL of what has none.
    public static let aboutBlank: WebURL = {
        var layout = URLLayout()
        layout.schemeEnd = 5
        layout.usernameEnd = 6
        layout.hostStart = 6
        layout.hostEnd = 6
        layout.pathStart = 6
        layout.queryStart = 11
        layout.fragmentStart = 11
        layout.flags = [.hasOpaquePath]
        return WebURL(href: "about:blank", layout: layout)
    }()
}
