/// The attributes of an element that RDFa uses.
struct RDFaAttributes {
    var about: String?
    var resource: String?
    var href: String?
    var src: String?
    var typeof: String?
    var property: String?
    var rel: String?
    var rev: String?
    var vocab: String?
    var prefix: String?
    var content: String?
    var datatype: String?
    var language: String?
    /// `xml:base`, of XML that is not XHTML.
    var base: String?
    var hasInlist = false

    /// `xmlns:NAME`, which RDFa 1.0 had in place of `prefix`.
    var namespaces: [(prefix: String, name: String)] = []

    /// Reads an element's attributes; nil for an element without any of them.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - language: The language around it.
    init?(_ element: TreeNode, in language: HostLanguage) {
        if language != .html { namespaces = element.declaredPrefixes }
        var isOfInterest = !namespaces.isEmpty
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            guard let path = Self.path(attribute) else {
                if attribute.initial == UInt8(ascii: "x"), take(namespace: attribute) { isOfInterest = true }
                if attribute.hasName("inlist") { hasInlist = true }
                if language == .xml, attribute.isXMLBase {
                    base = attribute.value
                    isOfInterest = true
                }
                continue
            }
            // Where there are both, `xml:lang` holds.
            if path == \.language, self.language != nil, attribute.isPlain { continue }
            self[keyPath: path] = attribute.value
            isOfInterest = true
        }
        guard isOfInterest else { return nil }
    }

    /// The language of a document, which determines what counts besides the attributes of RDFa.
    enum HostLanguage {
        case html
        case xhtml
        /// Other XML, SVG too.
        case xml

        init(_ document: Document) {
            if document.kind == .html {
                self = .html
            } else {
                self = document.node.firstElement?.isHTMLElement == true ? .xhtml : .xml
            }
        }
    }

    private static func path(_ attribute: TreeAttribute) -> WritableKeyPath<RDFaAttributes, String?>? {
        switch attribute.initial {
        case UInt8(ascii: "a"): attribute.hasName("about") ? \.about : nil
        case UInt8(ascii: "r"):
            attribute.hasName("rel")
                ? \.rel : attribute.hasName("resource") ? \.resource : attribute.hasName("rev") ? \.rev : nil
        case UInt8(ascii: "h"): attribute.hasName("href") && attribute.isPlain ? \.href : nil
        case UInt8(ascii: "s"): attribute.hasName("src") ? \.src : nil
        case UInt8(ascii: "t"): attribute.hasName("typeof") ? \.typeof : nil
        case UInt8(ascii: "p"):
            attribute.hasName("property") ? \.property : attribute.hasName("prefix") ? \.prefix : nil
        case UInt8(ascii: "v"): attribute.hasName("vocab") ? \.vocab : nil
        case UInt8(ascii: "c"): attribute.hasName("content") ? \.content : nil
        case UInt8(ascii: "d"): attribute.hasName("datatype") ? \.datatype : nil
        case UInt8(ascii: "l"): attribute.hasName("lang") ? \.language : nil
        default: nil
        }
    }

    /// Reads `xmlns:NAME` as HTML parses it: one name with a colon in it.
    private mutating func take(namespace attribute: TreeAttribute) -> Bool {
        let name = attribute.name
        guard name.hasPrefix("xmlns:"), name.utf8.count > 6 else { return false }
        namespaces.append((String(name.dropFirst(6)), attribute.value))
        return true
    }

    /// Whether the element itself makes a statement, rather than only helps elements inside it to make one.
    var makesStatement: Bool { typeof != nil || property != nil || rel != nil || rev != nil }
}

extension TreeAttribute {
    fileprivate var isXMLBase: Bool {
        hasName("base") && isInNamespace("http://www.w3.org/XML/1998/namespace")
    }
}
