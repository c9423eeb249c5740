/// A style sheet of a page: a `style` element, or a `link` with the `rel` "stylesheet".
///
/// [Styling](https://html.spec.whatwg.org/multipage/semantics.html#the-style-element)
public struct PageStylesheet: Hashable, Sendable, Codable {
    /// The element's name, "style" or "link".
    public let element: String

    /// The value of `href`; nil for `style`.
    public let reference: String?

    /// The URL of ``reference``; nil where that is missing, empty or not a valid URL.
    public let url: WebURL?

    /// The size of the text inside, in bytes of UTF-8; nil for `link`.
    public let inlineSize: Int?

    /// The value of `media`: the displays that it is for; nil for all.
    public let media: String?

    /// The value of `type`; nil without it.
    public let type: String?

    /// The value of `title`, which makes it one that users can choose; nil without it.
    public let title: String?

    /// Whether it is an alternative style sheet, which is off until a user chooses it.
    public let isAlternate: Bool

    /// Whether it has `disabled`, so that a browser does not load it.
    public let isDisabled: Bool

    /// The value of `integrity`: the digests that its file has to have; nil without it.
    public let integrity: String?

    /// The value of `crossorigin`; nil without it.
    public let crossOrigin: CrossOrigin?

    /// The nonce by which a Content-Security-Policy allows it; nil without one.
    public let nonce: String?

    /// Whether it stands in the contents of a `template`.
    public let isInert: Bool

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
