/// An attribute of HTML that holds references, with the table of all these attributes.
struct LinkSource {
    /// The syntax of the attribute's value.
    enum Form {
        /// A URL; an empty one refers to the page itself.
        case url
        /// A URL; an empty one is ignored.
        case nonEmptyURL
        /// URLs that white space separates.
        case urls
        /// The candidates of a `srcset`.
        case imageCandidates
        /// Declarations of CSS.
        case style
        /// Seconds, and a URL.
        case refresh
        /// The markup of a page.
        case markup
    }

    /// A further condition for the attribute to count.
    enum Condition {
        case none
        /// `input` with `type=image`.
        case imageButton
        /// `input` or `button` that sends a form.
        case submitButton
        /// `source` that is not in a `picture`, where only its `srcset` counts.
        case notInPicture
        /// `meta` with `http-equiv=refresh`.
        case refreshPragma
    }

    /// The element's name; nil for any element.
    let element: StaticString?
    let attribute: StaticString
    let kind: Link.Kind
    let form: Form
    let condition: Condition

    private init(
        _ element: StaticString?,
        _ attribute: StaticString,
        _ kind: Link.Kind,
        _ form: Form = .nonEmptyURL,
        if condition: Condition = .none
    ) {
        self.element = element
        self.attribute = attribute
        self.kind = kind
        self.form = form
        self.condition = condition
    }

    private static let all: [LinkSource] = [
        LinkSource("a", "href", .navigation, .url),
        LinkSource("a", "ping", .ping, .urls),
        LinkSource("area", "href", .navigation, .url),
        LinkSource("area", "ping", .ping, .urls),
        // The kind of a link element follows from its rel.
        LinkSource("link", "href", .other),
        LinkSource("link", "imagesrcset", .other, .imageCandidates),
        LinkSource("img", "src", .image),
        LinkSource("img", "srcset", .image, .imageCandidates),
        LinkSource("img", "longdesc", .other),
        LinkSource("img", "usemap", .map),
        LinkSource("script", "src", .script),
        LinkSource("iframe", "src", .frame),
        LinkSource("iframe", "srcdoc", .frame, .markup),
        LinkSource("frame", "src", .frame),
        LinkSource("form", "action", .form, .url),
        LinkSource("button", "formaction", .form, .url, if: .submitButton),
        LinkSource("input", "formaction", .form, .url, if: .submitButton),
        LinkSource("input", "src", .image, if: .imageButton),
        LinkSource("input", "usemap", .map, if: .imageButton),
        LinkSource("source", "src", .media, if: .notInPicture),
        LinkSource("source", "srcset", .image, .imageCandidates),
        LinkSource("video", "src", .media),
        LinkSource("video", "poster", .image),
        LinkSource("audio", "src", .media),
        LinkSource("bgsound", "src", .media),
        LinkSource("track", "src", .media),
        LinkSource("embed", "src", .object),
        LinkSource("object", "data", .object),
        LinkSource("object", "usemap", .map),
        LinkSource("blockquote", "cite", .citation, .url),
        LinkSource("q", "cite", .citation, .url),
        LinkSource("ins", "cite", .citation, .url),
        LinkSource("del", "cite", .citation, .url),
        LinkSource("meta", "content", .refresh, .refresh, if: .refreshPragma),
        LinkSource("body", "background", .image),
        LinkSource("table", "background", .image),
        LinkSource("thead", "background", .image),
        LinkSource("tbody", "background", .image),
        LinkSource("tfoot", "background", .image),
        LinkSource("tr", "background", .image),
        LinkSource("td", "background", .image),
        LinkSource("th", "background", .image),
        LinkSource(nil, "style", .image, .style),
        // Attributes that scripts for lazy loading read, by convention.
        LinkSource(nil, "data-src", .lazy),
        LinkSource(nil, "data-srcset", .lazy, .imageCandidates),
        LinkSource(nil, "data-lazy-src", .lazy),
        LinkSource(nil, "data-lazy-srcset", .lazy, .imageCandidates),
        LinkSource("img", "data-original", .lazy),
        LinkSource("img", "data-lazy", .lazy),
        LinkSource("video", "data-poster", .lazy),
    ]

    /// The table by the first letter of the attribute, so that most attributes are compared with few entries.
    private static let byInitial: [[LinkSource]] = (0..<26).map { letter in
        all.filter { unsafe Int($0.attribute.utf8Start[0]) - Int(UInt8(ascii: "a")) == letter }
    }

    /// The entry for an attribute in no namespace of an element of HTML; nil if it holds no reference.
    static func find(_ element: TreeNode, _ attribute: TreeAttribute) -> LinkSource? {
        let initial = Int(attribute.initial) - Int(UInt8(ascii: "a"))
        guard 0..<26 ~= initial else { return nil }
        for source in byInitial[initial] where attribute.hasName(source.attribute) {
            if let name = source.element, !element.hasName(name) { continue }
            return source
        }
        return nil
    }

    // MARK: - SVG

    /// The purpose of `href`, or `xlink:href`, on elements of SVG; on others it is ``Link/Kind/other``.
    static let svgKinds: [(element: StaticString, kind: Link.Kind)] = [
        ("a", .navigation), ("image", .image), ("use", .image), ("feImage", .image), ("script", .script),
    ]

    /// Attributes of SVG that hold a value of CSS.
    static let svgStyles: [StaticString] = [
        "style", "fill", "stroke", "filter", "mask", "clip-path", "marker-start", "marker-mid", "marker-end",
        "cursor",
    ]
}
