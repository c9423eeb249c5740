/// A page inside a page: an `iframe` or a `frame`.
///
/// [The iframe element](https://html.spec.whatwg.org/multipage/iframe-embed-object.html#the-iframe-element)
public struct PageFrame: Hashable, Sendable, Codable {
    /// The element's name, "iframe" or "frame".
    public let element: String

    /// What `src` says; nil without.
    public let reference: String?

    /// The URL of ``reference``; nil where that is none, or empty.
    public let url: WebURL?

    /// Bytes of `srcdoc`, the page itself, in UTF-8, which goes before `src`; nil without.
    public let sourceDocumentSize: Int?

    /// What `sandbox` lets the page do, in lower case and in its order; nil without, which lets it do all, and empty
    /// where it may do nothing.
    public let sandbox: [String]?

    /// The permissions policy that `allow` states; nil without.
    public let allow: String?

    /// When a browser loads it.
    public let loading: PageImage.Loading

    /// What `title` says, its accessible name; nil without.
    public let title: String?

    /// The name by which links open pages in it; nil without.
    public let name: String?

    /// What `referrerpolicy` says; nil without.
    public let referrerPolicy: String?

    /// Whether it stands in the contents of a `template`.
    public let isInert: Bool

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
