import WebStandards

/// A folder that is read as the site that it will be served as: its links are resolved as they will be then.
///
/// A path that begins with "/" begins at the folder, also by way of a `base`; no path leaves the folder, and "//host"
/// is another host.
struct FolderSite: Sendable {
    /// The folder's URL, ending with "/".
    let root: WebURL

    /// No host has this name ([RFC 6761, section 6.4](https://www.rfc-editor.org/rfc/rfc6761#section-6.4)).
    private static let origin = "https://folder.invalid/"

    /// Returns the URL that a file is served at; `nil` if it is outside of the folder.
    func served(_ file: WebURL) -> WebURL? { Self.moved(file, from: root.href, to: Self.origin) }

    /// Returns the file behind a URL of the site; `nil` for other URLs.
    func file(_ url: WebURL) -> WebURL? { Self.moved(url, from: Self.origin, to: root.href) }

    private static func moved(_ url: WebURL, from start: String, to other: String) -> WebURL? {
        let href = url.href
        guard href.hasPrefix(start) else { return nil }
        return try? WebURL(other + href.dropFirst(start.count))
    }
}
