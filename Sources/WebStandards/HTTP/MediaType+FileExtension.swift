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

    /// The type that a browser sends with a file of this name, nil if the extension is unknown or missing.
    ///
    /// It differs from ``forFile(named:)``, where a type decides how a file is read.
    package static func forUpload(of name: String) -> MediaType? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let office = "application/vnd.openxmlformats-officedocument"
        let type: String
        switch name[dot...].dropFirst().lowercased() {
        case "csv": type = "text/csv"
        case "tsv": type = "text/tab-separated-values"
        case "md", "markdown": type = "text/markdown"
        case "ics": type = "text/calendar"
        case "map": return nil
        case "gz", "tgz": type = "application/gzip"
        case "zip": type = "application/zip"
        case "tar": type = "application/x-tar"
        case "7z": type = "application/x-7z-compressed"
        case "doc": type = "application/msword"
        case "xls": type = "application/vnd.ms-excel"
        case "ppt": type = "application/vnd.ms-powerpoint"
        case "docx": type = "\(office).wordprocessingml.document"
        case "xlsx": type = "\(office).spreadsheetml.sheet"
        case "pptx": type = "\(office).presentationml.presentation"
        case "odt": type = "application/vnd.oasis.opendocument.text"
        case "ods": type = "application/vnd.oasis.opendocument.spreadsheet"
        case "odp": type = "application/vnd.oasis.opendocument.presentation"
        case "rtf": type = "application/rtf"
        case "epub": type = "application/epub+zip"
        case "wasm": type = "application/wasm"
        case "mp3": type = "audio/mpeg"
        case "m4a": type = "audio/x-m4a"
        case "wav": type = "audio/wav"
        case "flac": type = "audio/flac"
        case "ogg", "oga", "opus": type = "audio/ogg"
        case "mp4", "m4v": type = "video/mp4"
        case "mov": type = "video/quicktime"
        case "webm": type = "video/webm"
        case "bmp": type = "image/bmp"
        case "heic", "heif": type = "image/heif"
        case "tif", "tiff": type = "image/tiff"
        case "ico": type = "image/vnd.microsoft.icon"
        case "woff": type = "font/woff"
        case "woff2": type = "font/woff2"
        case "ttf": type = "font/ttf"
        default: return forFile(named: name)
        }
        return MediaType(type)
    }
}
