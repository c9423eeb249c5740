extension Link {
    /// The purpose of a reference.
    ///
    /// More kinds may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The kind's name, as in "navigation".
        public let rawValue: String

        /// A kind of this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A page to go to: `a`, `area`, the links of a feed.
        public static let navigation = Kind(rawValue: "navigation")
        /// A file to save: `a` or `area` with `download`.
        public static let download = Kind(rawValue: "download")
        /// A URL that is notified when a link is followed.
        public static let ping = Kind(rawValue: "ping")
        /// The page that this page loads by itself after a time.
        public static let refresh = Kind(rawValue: "refresh")
        /// A style sheet.
        public static let stylesheet = Kind(rawValue: "stylesheet")
        /// A script.
        public static let script = Kind(rawValue: "script")
        /// An image.
        public static let image = Kind(rawValue: "image")
        /// A font.
        public static let font = Kind(rawValue: "font")
        /// Audio, video, or a track of text for it.
        public static let media = Kind(rawValue: "media")
        /// A page inside the page.
        public static let frame = Kind(rawValue: "frame")
        /// Something embedded: `embed`, `object`.
        public static let object = Kind(rawValue: "object")
        /// Where a form is sent.
        public static let form = Kind(rawValue: "form")
        /// An icon of the page.
        public static let icon = Kind(rawValue: "icon")
        /// The web application's manifest.
        public static let manifest = Kind(rawValue: "manifest")
        /// Something to be loaded, or connected to, early.
        public static let preload = Kind(rawValue: "preload")
        /// The same content in another form: a language, a feed.
        public static let alternate = Kind(rawValue: "alternate")
        /// The page's preferred URL.
        public static let canonical = Kind(rawValue: "canonical")
        /// A source that a quotation or a change cites.
        public static let citation = Kind(rawValue: "citation")
        /// The `map` of an image.
        public static let map = Kind(rawValue: "map")
        /// A resource that a script loads when it comes into view, by convention: `data-src` and the like.
        public static let lazy = Kind(rawValue: "lazy")
        /// Any other.
        public static let other = Kind(rawValue: "other")

        /// The kinds above.
        public static let known: [Kind] = [
            navigation, download, ping, refresh, stylesheet, script, image, font, media, frame, object, form,
            icon,
            manifest, preload, alternate, canonical, citation, map, lazy, other,
        ]
    }
}

extension Link.Kind {
    /// The kind of a `link` element, or of a Link field, by the words of its `rel`.
    ///
    /// <https://html.spec.whatwg.org/multipage/links.html#linkTypes>
    init(rel: [String]) {
        // An alternative style sheet is a style sheet.
        if rel.contains("stylesheet") {
            self = .stylesheet
            return
        }
        for word in rel {
            switch word {
            case "canonical": self = .canonical
            case "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon": self = .icon
            case "manifest": self = .manifest
            case "preload", "prefetch", "prerender", "modulepreload", "preconnect", "dns-prefetch":
                self = .preload
            case "alternate": self = .alternate
            default: continue
            }
            return
        }
        self = .other
    }
}
