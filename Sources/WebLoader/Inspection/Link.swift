/// A reference that a page makes to something else, or to a place in itself.
public struct Link: Equatable, Sendable {
    /// What a reference is for. Open: more kinds may come.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The kind's name, as in "navigation".
        public let rawValue: String

        /// A kind of this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somewhere to go: `a`, `area`.
        public static let navigation = Kind(rawValue: "navigation")
        /// A style sheet.
        public static let stylesheet = Kind(rawValue: "stylesheet")
        /// A script.
        public static let script = Kind(rawValue: "script")
        /// An image.
        public static let image = Kind(rawValue: "image")
        /// Audio, video, or a track of text for it.
        public static let media = Kind(rawValue: "media")
        /// A page inside the page.
        public static let frame = Kind(rawValue: "frame")
        /// Where a form is sent.
        public static let form = Kind(rawValue: "form")
        /// An icon of the page.
        public static let icon = Kind(rawValue: "icon")
        /// Something to be loaded early.
        public static let preload = Kind(rawValue: "preload")
        /// The same in another form: a language, a feed.
        public static let alternate = Kind(rawValue: "alternate")
        /// The page's preferred URL.
        public static let canonical = Kind(rawValue: "canonical")
        /// Something embedded: `embed`, `object`.
        public static let object = Kind(rawValue: "object")
        /// A source that a quotation or a change cites.
        public static let citation = Kind(rawValue: "citation")
        /// Any other `link` element.
        public static let other = Kind(rawValue: "other")
    }

    /// What it is for.
    public let kind: Kind

    /// The element's local name, as in "a".
    public let element: String

    /// The attribute's local name, as in "href".
    public let attribute: String

    /// The reference as it is written.
    public let reference: String

    /// The absolute URL; nil where the reference is no URL, which ``failure`` explains.
    public let url: WebURL?

    /// Why the reference is no URL; nil where it is one.
    public let failure: WebURLError?

    /// The words of the element's `rel`, in lower case and in their order.
    public let rel: [String]

    /// The text inside an `a`, the `alt` of an image or area, white space collapsed; nil for other elements.
    public let text: String?

    /// Where the element stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
