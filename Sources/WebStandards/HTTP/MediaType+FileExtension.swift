extension MediaType {
    /// The type for a file's extension, nil if the extension is unknown or missing.
    package static func forFile(named path: String) -> MediaType? {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")),
            !path[dot...].utf8.contains(UInt8(ascii: "/"))
        else { return nil }
        let type: String
        switch path[dot...].dropFirst().lowercased() {
        case "html", "htm", "shtml": type = "text/html"
        case "xhtml", "xht": type = "application/xhtml+xml"
        case "xml", "xsl", "xslt": type = "text/xml"
        case "rss": type = "application/rss+xml"
        case "atom": type = "application/atom+xml"
        case "svg": type = "image/svg+xml"
        case "txt", "text", "log", "md", "csv": type = "text/plain"
        case "css": type = "text/css"
        case "js", "mjs": type = "text/javascript"
        case "json", "map": type = "application/json"
        case "pdf": type = "application/pdf"
        case "png": type = "image/png"
        case "jpg", "jpeg": type = "image/jpeg"
        case "gif": type = "image/gif"
        case "webp": type = "image/webp"
        case "avif": type = "image/avif"
        case "ico": type = "image/x-icon"
        default: return nil
        }
        return MediaType(type)
    }
}
