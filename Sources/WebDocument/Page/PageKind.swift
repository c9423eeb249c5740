/// How a resource is treated, by its MIME type.
public enum PageKind: String, Sendable, Codable, CaseIterable {
    /// HTML, parsed as such.
    case html
    /// XHTML, parsed as XML.
    case xhtml
    /// RSS or Atom, parsed as XML.
    case feed
    /// Any other XML, including SVG, parsed as such.
    case xml
    /// Text without markup: plain, CSS, JavaScript, JSON.
    case text
    /// Anything else, an image or a PDF: kept and described, not parsed.
    case other

    init(_ type: MediaType) {
        if type.isHTML {
            self = .html
        } else if type.essence == "application/xhtml+xml" {
            self = .xhtml
        } else if type.isFeed {
            self = .feed
        } else if type.isXML {
            self = .xml
        } else if type.type == "text" || type.isJSON || type.isJavaScript {
            self = .text
        } else {
            self = .other
        }
    }
}
