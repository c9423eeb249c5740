package import WebDocument
package import WebStandards

extension WebURL {
    /// Whether a browser loads something for it that a copy could have.
    ///
    /// What is in a `data:` URL is there already: but for a page, and for a style sheet, which can lead out.
    package func canBeLoaded(as kind: Link.Kind) -> Bool {
        switch scheme {
        case "http", "https", "file", "ftp": true
        case "data": kind == .frame || kind == .object || kind == .stylesheet
        default: false
        }
    }

    /// Whether what it leads to is in itself: of `cid:`, `blob:` and the like a browser has nothing, and complains.
    func hasContents(as kind: Link.Kind) -> Bool { scheme == "data" || scheme == "about" && kind == .frame }

    /// Whether it has a user or a password, and they are those of another URL.
    func hasCredentials(of other: WebURL) -> Bool {
        includesCredentials && username == other.username && password == other.password
    }
}
