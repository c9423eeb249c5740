/// The groups of MIME types that the standards define.
///
/// [MIME Sniffing: MIME type groups](https://mimesniff.spec.whatwg.org/#mime-type-groups)
extension MediaType {
    /// Whether this is `text/html`; XHTML is XML, not HTML.
    public var isHTML: Bool { isEssence("text", "html") }

    /// Whether this is an XML MIME type: `text/xml`, `application/xml`, or a subtype that ends in `+xml`.
    public var isXML: Bool {
        subtype.hasSuffix("+xml") || isEssence("text", "xml") || isEssence("application", "xml")
    }

    /// Whether this is a JSON MIME type: `application/json`, `text/json`, or a subtype that ends in `+json`.
    public var isJSON: Bool {
        subtype.hasSuffix("+json") || isEssence("application", "json") || isEssence("text", "json")
    }

    /// Whether this is one of the sixteen names of JavaScript.
    public var isJavaScript: Bool {
        switch subtype {
        case "javascript", "ecmascript", "x-javascript", "x-ecmascript":
            type == "text" || type == "application"
        case "javascript1.0", "javascript1.1", "javascript1.2", "javascript1.3", "javascript1.4",
            "javascript1.5", "jscript", "livescript":
            type == "text"
        default:
            false
        }
    }

    /// Whether the type is `image`.
    public var isImage: Bool { type == "image" }

    /// Whether the type is `audio` or `video`, or this is `application/ogg`.
    public var isAudioOrVideo: Bool {
        type == "audio" || type == "video" || isEssence("application", "ogg")
    }

    /// Whether the type is `font`, or this is one of the older names of fonts.
    public var isFont: Bool {
        if type == "font" { return true }
        guard type == "application" else { return false }
        return switch subtype {
        case "font-cff", "font-otf", "font-sfnt", "font-ttf", "font-woff", "vnd.ms-fontobject",
            "vnd.ms-opentype":
            true
        default:
            false
        }
    }

    /// Whether this is an archive: ZIP, gzip or RAR under the type names that sniffing returns.
    public var isArchive: Bool {
        guard type == "application" else { return false }
        return subtype == "zip" || subtype == "x-gzip" || subtype == "x-rar-compressed"
    }

    /// Whether this is `application/zip` or a subtype that ends in `+zip`.
    public var isZipBased: Bool { subtype.hasSuffix("+zip") || isEssence("application", "zip") }

    /// Whether a browser might run script from it: XML, HTML or PDF.
    public var isScriptable: Bool { isXML || isHTML || isEssence("application", "pdf") }

    /// Whether this is an Atom or RSS feed: `application/atom+xml` or `application/rss+xml`.
    public var isFeed: Bool {
        isEssence("application", "atom+xml") || isEssence("application", "rss+xml")
    }
}
