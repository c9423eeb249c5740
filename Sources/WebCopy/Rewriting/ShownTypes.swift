import WebStandards

extension MediaType {
    /// Whether browsers show it as a page, with scripts: some take style sheets of XSLT for XML.
    var isShownAsMarkup: Bool { isHTML || isXML || essence == "text/xsl" }
}

/// The types of images that browsers show.
enum ShownTypes {
    /// Whether an image of a type that is stated may be shown; true where none is.
    static func contain(_ type: String?) -> Bool {
        guard let type, !type.isEmpty else { return true }
        guard let essence = MediaType(type)?.essence else { return false }
        return essences.contains(essence)
    }

    private static let essences: Set<String> = [
        "image/apng", "image/avif", "image/bmp", "image/gif", "image/jpeg", "image/jpg", "image/pjpeg",
        "image/png", "image/svg+xml", "image/vnd.microsoft.icon", "image/webp", "image/x-icon", "image/x-png",
    ]
}
