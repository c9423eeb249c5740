import WebStandards

/// The extension that a file of a type has, by which a browser that opens it from a folder knows its type.
enum FileExtension {
    /// The end of a name of a type.
    ///
    /// - Parameters:
    ///   - type: The computed type.
    ///   - name: The name by its URL.
    /// - Returns: The extension that is to be put behind the name, with its dot; empty where the one that it has says the type.
    static func added(for type: MediaType, to name: String) -> String {
        let own = ending(of: name)
        if let known = known(type) {
            return known.contains(own) ? "" : ".\(known[0])"
        }
        // An unknown type must not be opened as one that a browser runs, or takes for a page.
        return passive.contains(own) ? "" : ".bin"
    }

    /// The extension of a name, in lower case and without its dot; empty where it has none.
    static func ending(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
        let letters = name[name.utf8.index(after: dot)...]
        guard 1...5 ~= letters.utf8.count, letters.utf8.allSatisfy(\.isASCIIAlphanumeric) else { return "" }
        return String(asciiLowercasing: letters.utf8)
    }

    /// The extensions that no browser opens as a page, a style sheet or a script.
    ///
    /// Which ones some browser does cannot be listed: it asks the system for the types of those that it does not know itself.
    private static let passive: Set<String> = [
        // Images, sounds and films.
        "3gp", "aac", "aif", "aiff", "apng", "avi", "avif", "bmp", "cur", "flac", "flv", "gif", "heic",
        "heif",
        "ico", "jpeg", "jpg", "jxl", "m4a", "m4v", "mid", "midi", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg",
        "oga", "ogg", "ogv", "opus", "png", "psd", "tif", "tiff", "ts", "wav", "weba", "webm", "webp", "wma",
        "wmv",
        // Fonts.
        "eot", "otf", "ttc", "ttf", "woff", "woff2",
        // Archives, and programs, which are kept on the disk.
        "7z", "apk", "bz2", "cab", "deb", "dll", "dmg", "exe", "gz", "img", "iso", "jar", "msi", "pkg", "rar",
        "rpm", "so", "tar", "tgz", "warc", "wacz", "xz", "zip", "zst",
        // Documents and data.
        "asc", "bib", "bin", "csv", "dat", "doc", "docx", "epub", "ics", "json", "log", "map", "md", "odp",
        "ods",
        "odt", "pdf", "ppt", "pptx", "rtf", "sig", "srt", "tex", "text", "toml", "tsv", "txt", "vcf", "vtt",
        "wasm",
        "xls", "xlsx", "yaml", "yml",
    ]

    /// The extensions of a type, the one that is put first; nil where it is not known.
    private static func known(_ type: MediaType) -> [String]? {
        if type.isHTML { return ["html", "htm"] }
        if type.isJavaScript { return ["js", "mjs"] }
        switch type.essence {
        case "application/xhtml+xml": return ["xhtml", "xht"]
        case "text/css": return ["css"]
        case "text/plain": return ["txt", "text", "log", "md", "csv"]
        case "application/json", "text/json": return ["json", "map"]
        case "application/pdf": return ["pdf"]
        case "application/manifest+json": return ["webmanifest", "json"]
        case "text/vtt": return ["vtt"]
        case "image/svg+xml": return ["svg"]
        case "image/png": return ["png"]
        case "image/jpeg", "image/jpg": return ["jpg", "jpeg"]
        case "image/gif": return ["gif"]
        case "image/webp": return ["webp"]
        case "image/avif": return ["avif"]
        case "image/bmp": return ["bmp"]
        case "image/x-icon", "image/vnd.microsoft.icon": return ["ico"]
        case "font/woff2": return ["woff2"]
        case "font/woff", "application/font-woff": return ["woff"]
        case "font/ttf": return ["ttf"]
        case "font/otf": return ["otf"]
        case "audio/mpeg": return ["mp3"]
        case "audio/wav", "audio/wave", "audio/x-wav": return ["wav"]
        case "audio/ogg", "application/ogg": return ["ogg", "oga", "ogv", "opus"]
        case "video/mp4": return ["mp4", "m4v"]
        case "video/webm", "audio/webm": return ["webm"]
        case "application/rss+xml", "application/atom+xml": return ["xml", "rss", "atom"]
        default: return type.isXML ? ["xml"] : nil
        }
    }
}
