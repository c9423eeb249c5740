import WebStandards

/// The locations that a copy has for its files: without passwords, and without the folders of this machine.
struct CopyLocation {
    /// The path of the page's folder, if the page is a file.
    private let folder: Substring?

    /// Creates the locations for a page and the files of its copy.
    init(of page: WebURL) { folder = page.scheme == "file" ? Self.folder(of: page) : nil }

    /// Returns the path of the folder that a file is in, with a "/" at its end.
    private static func folder(of url: WebURL) -> Substring {
        let path = url.pathname
        return path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
    }

    /// Whether a file is in the page's folder or below; false if the page is not a file.
    func isBeside(_ url: WebURL) -> Bool {
        guard let folder, url.scheme == "file" else { return false }
        return url.pathname.utf8.starts(with: folder.utf8)
    }

    /// Returns the URL that a copy has for another URL: for a file, its place beside the page, or only its name.
    func location(of url: WebURL) -> WebURL {
        guard url.scheme == "file" else { return url.withoutCredentials }
        let dropped = isBeside(url) ? folder : Self.folder(of: url)
        let rest = url.pathname.utf8.dropFirst(dropped?.utf8.count ?? 0)
        // The rest of a valid path is valid in another URL.
        return (try? WebURL("file:///\(Substring(rest))\(url.search)")) ?? .aboutBlank
    }
}
