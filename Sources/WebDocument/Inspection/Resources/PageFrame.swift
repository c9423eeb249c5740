/// A page inside a page: an `iframe` or a `frame`.
///
/// [The iframe element](https://html.spec.whatwg.org/multipage/iframe-embed-object.html#the-iframe-element)
public struct PageFrame: Hashable, Sendable, Codable {
    /// The element's name, "iframe" or "frame".
    public let element: String

    /// The value of `src`; nil without it.
    public let reference: String?

    /// The URL of ``reference``; nil where that is missing, empty or not a valid URL.
    public let url: WebURL?

    /// The size in bytes of `srcdoc`, the page itself, in UTF-8, which takes precedence over `src`; nil
    /// without it.
    public let sourceDocumentSize: Int?

    /// The permissions in `sandbox`, in lower case and in their order; nil without it, which allows
    /// everything, and empty where nothing is allowed.
    public let sandbox: [String]?

    /// The permissions policy that `allow` states; nil without.
    public let allow: String?

    /// When a browser loads it.
    public let loading: PageImage.Loading

    /// The value of `title`, its accessible name; nil without it.
    public let title: String?

    /// The name by which links open pages in it; nil without.
    public let name: String?

    /// The value of `referrerpolicy`; nil without it.
    public let referrerPolicy: String?

    /// Whether it stands in the contents of a `template`.
    public let isInert: Bool

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
