package import WebDocument
package import WebStandards

extension WebURL {
    /// Whether a browser loads something for it that a copy could have.
    ///
    /// The contents of a `data:` URL need no loading, except for those of pages and style sheets, which can refer to
    /// other URLs.
    package func canBeLoaded(as kind: Link.Kind) -> Bool {
        switch scheme {
        case "http", "https", "file", "ftp": true
        case "data": kind == .frame || kind == .object || kind == .stylesheet
        default: false
        }
    }

    /// Whether the URL contains its resource: browsers have none for `cid:`, `blob:` and the like, and report an error.
    func hasContents(as kind: Link.Kind) -> Bool { scheme == "data" || scheme == "about" && kind == .frame }

    /// Whether it has a user or a password, and they are those of another URL.
    func hasCredentials(of other: WebURL) -> Bool {
        includesCredentials && username == other.username && password == other.password
    }
}
