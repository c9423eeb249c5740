/// A reference that a page makes to something else, or to a place in itself.
public struct Link: Equatable, Sendable {
    /// The purpose of the reference.
    public let kind: Kind

    /// The element's local name, as in "a"; nil for a reference in a header field.
    public let element: String?

    /// The attribute's local name, as in "href"; nil for a reference in a header field or in the element's text.
    public let attribute: String?

    /// The header field's name, "Link" or "Refresh"; nil for a reference in the document.
    public let field: String?

    /// The reference as it is written; where one attribute or text holds several, as a `srcset`, a `ping` or
    /// a style sheet, only this one of them.
    public let reference: String

    /// The absolute URL; nil where the reference is not a valid URL, as ``failure`` explains.
    public let url: WebURL?

    /// Why the reference is not a valid URL; nil where it is one.
    public let failure: WebURLError?

    /// The words of the element's, or the Link field's, `rel`, in lower case and in their order.
    public let rel: [String]

    /// The text inside an `a` (without what is inside another one in it), the `alt` of an image or area, the title
    /// of a Link field; white space collapsed; nil for others.
    public internal(set) var text: String?

    /// The size of image or of screen that it is for; nil where the reference is not part of a `srcset`, or
    /// has no descriptor there.
    public let descriptor: ImageDescriptor?

    /// Whether it stands in the contents of a `template`, of which nothing is loaded until a script copies them.
    public let isInert: Bool

    /// Where the element stands in the source; nil for a header field, and where the parser did not keep it.
    ///
    /// A reference inside a `srcdoc` has the place of its `iframe`.
    public let position: SourcePosition?
}

/// The size of image, or of screen, that a URL of a `srcset` is for.
///
/// <https://html.spec.whatwg.org/multipage/images.html#srcset-attributes>
public struct ImageDescriptor: Hashable, Sendable, Codable {
    /// The image's width in pixels, as in "640w"; nil where it is not given.
    public let width: Int?

    /// The image's height in pixels, as in "480h"; nil where it is not given.
    public let height: Int?

    /// How many of the image's pixels make one of the page's, as in "2x"; nil where it is not given.
    public let density: Double?

    init(width: Int? = nil, height: Int? = nil, density: Double? = nil) {
        self.width = width
        self.height = height
        self.density = density
    }
}
