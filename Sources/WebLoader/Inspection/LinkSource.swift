/// An attribute that holds a reference: the one table of where references stand.
struct LinkSource {
    let element: StaticString
    let attribute: StaticString
    let kind: Link.Kind

    private init(_ element: StaticString, _ attribute: StaticString, _ kind: Link.Kind) {
        self.element = element
        self.attribute = attribute
        self.kind = kind
    }

    /// By element, those most common in pages first.
    static let all: [LinkSource] = [
        LinkSource("a", "href", .navigation),
        LinkSource("img", "src", .image),
        LinkSource("link", "href", .other),
        LinkSource("script", "src", .script),
        LinkSource("area", "href", .navigation),
        LinkSource("iframe", "src", .frame),
        LinkSource("frame", "src", .frame),
        LinkSource("form", "action", .form),
        LinkSource("button", "formaction", .form),
        LinkSource("input", "formaction", .form),
        LinkSource("input", "src", .image),
        LinkSource("source", "src", .media),
        LinkSource("video", "src", .media),
        LinkSource("video", "poster", .image),
        LinkSource("audio", "src", .media),
        LinkSource("track", "src", .media),
        LinkSource("embed", "src", .object),
        LinkSource("object", "data", .object),
        LinkSource("blockquote", "cite", .citation),
        LinkSource("q", "cite", .citation),
        LinkSource("ins", "cite", .citation),
        LinkSource("del", "cite", .citation),
    ]
}

extension Link.Kind {
    /// What a `link` element is for, by the words of its `rel`.
    init(rel: [String]) {
        for word in rel {
            switch word {
            case "stylesheet": self = rel.contains("alternate") ? .alternate : .stylesheet
            case "canonical": self = .canonical
            case "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon": self = .icon
            case "preload", "prefetch", "modulepreload", "preconnect", "dns-prefetch": self = .preload
            case "alternate": self = rel.contains("stylesheet") ? .stylesheet : .alternate
            default: continue
            }
            return
        }
        self = .other
    }
}
