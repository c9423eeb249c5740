/// A `script` element of a page.
///
/// [The script element](https://html.spec.whatwg.org/multipage/scripting.html#the-script-element)
public struct PageScript: Hashable, Sendable, Codable {
    /// How a browser interprets it, by its `type` and `language`.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A script of JavaScript.
        case classic
        /// A module of JavaScript.
        case module
        /// An import map: where modules are found.
        case importMap = "importmap"
        /// Speculation rules: what a browser may load ahead.
        case speculationRules = "speculationrules"
        /// Data that a browser does not interpret: JSON, templates and the like.
        case data
    }

    /// How a browser interprets it.
    public let kind: Kind

    /// The value of `type`; nil without it.
    public let type: String?

    /// The value of `src` (`href` of SVG); nil for an inline script.
    public let reference: String?

    /// The URL of ``reference``; nil where that is missing, empty or not a valid URL.
    public let url: WebURL?

    /// The size of the text inside, in bytes of UTF-8; nil for a script with ``reference``.
    public let inlineSize: Int?

    /// Whether it runs as soon as it is loaded.
    public let isAsync: Bool

    /// Whether it runs once the page is parsed.
    public let isDeferred: Bool

    /// Whether browsers that support modules skip it.
    public let isNoModule: Bool

    /// The value of `integrity`: the digests that its file has to have; nil without it.
    public let integrity: String?

    /// The value of `crossorigin`; nil without it.
    public let crossOrigin: CrossOrigin?

    /// The nonce by which a Content-Security-Policy allows it; nil without one.
    public let nonce: String?

    /// The value of `referrerpolicy`; nil without it.
    public let referrerPolicy: String?

    /// Whether it stands in the contents of a `template`, where it does not run.
    public let isInert: Bool

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    /// Whether the parser waits until it is loaded and has run.
    public var blocksParsing: Bool {
        kind == .classic && reference != nil && !isAsync && !isDeferred && !isNoModule && !isInert
    }
}
