/// A style sheet of a page: a `style` element, or a `link` with the `rel` "stylesheet".
///
/// [Styling](https://html.spec.whatwg.org/multipage/semantics.html#the-style-element)
public struct PageStyle: Hashable, Sendable, Codable {
    /// The element's name, "style" or "link".
    public let element: String

    /// What `href` says; nil for `style`.
    public let reference: String?

    /// The URL of ``reference``; nil where that is none, or empty.
    public let url: WebURL?

    /// Bytes of the text inside, in UTF-8; nil for `link`.
    public let inlineSize: Int?

    /// The displays that it is for, as `media` says it; nil for all.
    public let media: String?

    /// What `type` says; nil without.
    public let type: String?

    /// What `title` says, which makes it one that can be chosen; nil without.
    public let title: String?

    /// Whether it is one of those that are off until somebody chooses them.
    public let isAlternate: Bool

    /// Whether `disabled` has a browser not load it.
    public let isDisabled: Bool

    /// What `integrity` says: the digests that its file has to have; nil without.
    public let integrity: String?

    /// What `crossorigin` asks for; nil without.
    public let crossOrigin: CrossOrigin?

    /// The nonce by which a Content-Security-Policy knows it; nil without.
    public let nonce: String?

    /// Whether it stands in the contents of a `template`.
    public let isInert: Bool

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
