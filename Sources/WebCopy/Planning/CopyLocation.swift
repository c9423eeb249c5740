import WebStandards

/// Where the files of a copy are from, as it says itself: without passwords, and without the folders of this machine.
struct CopyLocation {
    /// The path of the page's folder, if the page is a file.
    private let folder: Substring?

    /// Creates it for a page and what is in its copy.
    init(of page: WebURL) { folder = page.scheme == "file" ? Self.folder(of: page) : nil }

    /// The path of the folder that a file is in, with a "/" at its end.
    private static func folder(of url: WebURL) -> Substring {
        let path = url.pathname
        return path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
    }

    /// Whether a file is in the page's folder or below; false if the page is no file.
    func isBeside(_ url: WebURL) -> Bool {
        guard let folder, url.scheme == "file" else { return false }
        return url.pathname.utf8.starts(with: folder.utf8)
    }

    /// The URL that a copy has for one: of a file, its place beside the page, or only its name.
    func location(of url: WebURL) -> WebURL {
        guard url.scheme == "file" else { return url.withoutCredentials }
        let dropped = isBeside(url) ? folder : Self.folder(of: url)
        let rest = url.pathname.utf8.dropFirst(dropped?.utf8.count ?? 0)
        // Whatever is in a path may be in another one.
        return (try? WebURL("file:///\(Substring(rest))\(url.search)")) ?? .aboutBlank
    }
}
