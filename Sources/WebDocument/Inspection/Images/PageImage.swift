/// An image of a page, with the files from which a browser chooses one.
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

    /// Files to choose from: those of a `source` of a `picture`, or those of the image itself.
    public struct Source: Hashable, Sendable, Codable {
        /// The element's name, "source" or "img".
        public let element: String

        /// The `srcset`, in its order; not the image's `src`, which is ``PageImage/reference``.
        public let candidates: [Candidate]

        /// The value of `sizes`: how wide the image will be; nil without it.
        public let sizes: String?

        /// The value of `media`: the displays that these files are for; nil for all.
        public let media: String?

        /// The value of `type`: the MIME type; nil without it.
        public let type: String?
    }

    /// A file that a `srcset` offers.
    public struct Candidate: Hashable, Sendable, Codable {
        /// The URL, as written.
        public let reference: String
        /// The URL; nil where the reference is not a valid URL.
        public let url: WebURL?
        /// The size of image or of screen that it is for.
        public let descriptor: ImageDescriptor
    }

    /// The element's name: "img", "input" (with `type=image`), or "image" of SVG.
    public let element: String

    /// The value of `src` (`href` of SVG); nil without it.
    public let reference: String?

    /// The URL of ``reference``; nil where that is missing, empty or not a valid URL.
    public let url: WebURL?

    /// The sources of the `picture` around it, in the order in which a browser considers them, and behind
    /// them the image itself; empty where there is no choice.
    public let sources: [Source]

    /// The alternative text, as written; empty for an image that is decoration, nil where there is no `alt`.
    public let alternativeText: String?

    /// The value of `width`, in CSS pixels; nil where it is not a number.
    public let declaredWidth: Int?

    /// The value of `height`, in CSS pixels; nil where it is not a number.
    public let declaredHeight: Int?

    /// When a browser loads it.
    public let loading: Loading

    /// Whether other content waits for it to be decoded.
    public let decoding: Decoding

    /// The value of `fetchpriority` in lower case, "high" or "low"; nil for others.
    public let fetchPriority: String?

    /// The value of `crossorigin`, "anonymous" or "use-credentials"; nil without it.
    public let crossOrigin: CrossOrigin?

    /// Whether it stands in the contents of a `template`, of which nothing is loaded until a script copies them.
    public let isInert: Bool

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    /// The header of its file; nil where the file was not measured, was not available, or is not an image.
    ///
    /// `Page.measuredImages(maximumFiles:maximumBytes:)` measures the files.
    package(set) public var header: ImageHeader?

    /// The URL to use where an image can have only one: ``url``, or else the first one in a `srcset`.
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

/// Whether a resource of another origin is requested with CORS, and with cookies.
///
/// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#cors-settings-attribute>
public enum CrossOrigin: String, Sendable, Codable, CaseIterable {
    /// With CORS, without credentials of other origins.
    case anonymous
    /// With CORS and credentials.
    case useCredentials = "use-credentials"

    /// Reads the value of the attribute; nil without one.
    init?(_ value: String?) {
        guard let value else { return nil }
        self = value.isEqualIgnoringASCIICase(to: "use-credentials") ? .useCredentials : .anonymous
    }
}
