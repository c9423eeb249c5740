/// An image of a page, with what a browser chooses its file by.
///
/// [The img element](https://html.spec.whatwg.org/multipage/embedded-content.html#the-img-element)
public struct PageImage: Hashable, Sendable, Codable {
    /// When a browser loads it.
    public enum Loading: String, Sendable, Codable {
        /// With the page.
        case eager
        /// When it comes near the part of the page that is seen.
        case lazy
    }

    /// Whether other content waits for it to be decoded.
    public enum Decoding: String, Sendable, Codable {
        /// As the browser likes.
        case auto
        /// Nothing waits.
        case asynchronous = "async"
        /// All waits.
        case synchronous = "sync"
    }

    /// Files to choose from: what a `source` of a `picture` offers, or the image itself.
    public struct Source: Hashable, Sendable, Codable {
        /// The element's name, "source" or "img".
        public let element: String

        /// The `srcset`, in its order; not the image's `src`, which is ``PageImage/reference``.
        public let candidates: [Candidate]

        /// How wide the image will be, as `sizes` says it; nil without.
        public let sizes: String?

        /// Of which displays these are, as `media` says it; nil for all.
        public let media: String?

        /// The MIME type, as `type` says it; nil without.
        public let type: String?
    }

    /// A file that a `srcset` offers.
    public struct Candidate: Hashable, Sendable, Codable {
        /// The URL, as written.
        public let reference: String
        /// The URL; nil where the reference is none.
        public let url: WebURL?
        /// For what size of image or of screen it is.
        public let descriptor: ImageDescriptor
    }

    /// The element's name: "img", "input" (with `type=image`), or "image" of SVG.
    public let element: String

    /// What `src` (`href` of SVG) says; nil without.
    public let reference: String?

    /// The URL of ``reference``; nil where that is none, or empty.
    public let url: WebURL?

    /// The sources of the `picture` around it, in the order in which a browser considers them, and behind them the
    /// image itself; empty where nothing is to be chosen.
    public let sources: [Source]

    /// The text that stands for it, as written; empty for an image that is decoration, nil where there is no `alt`.
    public let alternativeText: String?

    /// What `width` says, in CSS pixels; nil where it says no number.
    public let declaredWidth: Int?

    /// What `height` says, in CSS pixels; nil where it says no number.
    public let declaredHeight: Int?

    /// When a browser loads it.
    public let loading: Loading

    /// Whether other content waits for it to be decoded.
    public let decoding: Decoding

    /// What `fetchpriority` says in lower case, "high" or "low"; nil for neither.
    public let fetchPriority: String?

    /// What `crossorigin` asks for, "anonymous" or "use-credentials"; nil without.
    public let crossOrigin: CrossOrigin?

    /// Whether it stands in the contents of a `template`, of which nothing is loaded until a script copies them.
    public let isInert: Bool

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    /// What its file's first bytes say; nil where nobody looked, or it was not at hand, or is no image.
    ///
    /// ``Page/measuredImages(maximumFiles:maximumBytes:)`` looks.
    public internal(set) var header: ImageHeader?

    /// The URL whose file stands for the image where only one can: ``url``, or else the first that a `srcset` offers.
    public var primaryURL: WebURL? {
        if let url { return url }
        for source in sources.reversed() {
            for candidate in source.candidates {
                if let url = candidate.url { return url }
            }
        }
        return nil
    }
}

/// Whether a resource of another origin is asked for with CORS, and with cookies.
///
/// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#cors-settings-attribute>
public enum CrossOrigin: String, Sendable, Codable, CaseIterable {
    /// With CORS, without credentials of other origins.
    case anonymous
    /// With CORS and credentials.
    case useCredentials = "use-credentials"

    /// What the attribute's value asks for; nil without one.
    init?(_ value: String?) {
        guard let value else { return nil }
        self = value.isEqualIgnoringASCIICase(to: "use-credentials") ? .useCredentials : .anonymous
    }
}
