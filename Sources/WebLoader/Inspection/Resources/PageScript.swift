/// A `script` element of a page.
///
/// [The script element](https://html.spec.whatwg.org/multipage/scripting.html#the-script-element)
public struct PageScript: Hashable, Sendable, Codable {
    /// What a browser takes it for, by its `type` and `language`.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A script of JavaScript.
        case classic
        /// A module of JavaScript.
        case module
        /// Where modules are found.
        case importMap = "importmap"
        /// What a browser may load ahead.
        case speculationRules = "speculationrules"
        /// Data, of which a browser makes nothing: JSON, templates and the like.
        case data
    }

    /// What a browser takes it for.
    public let kind: Kind

    /// What `type` says; nil without.
    public let type: String?

    /// What `src` (`href` of SVG) says; nil for an inline script.
    public let reference: String?

    /// The URL of ``reference``; nil where that is none, or empty.
    public let url: WebURL?

    /// Bytes of the text inside, in UTF-8; nil for a script with ``reference``.
    public let inlineSize: Int?

    /// Whether it runs as soon as it is there.
    public let isAsync: Bool

    /// Whether it runs once the page is parsed.
    public let isDeferred: Bool

    /// Whether browsers that know modules pass over it.
    public let isNoModule: Bool

    /// What `integrity` says: the digests that its file has to have; nil without.
    public let integrity: String?

    /// What `crossorigin` asks for; nil without.
    public let crossOrigin: CrossOrigin?

    /// The nonce by which a Content-Security-Policy knows it; nil without.
    public let nonce: String?

    /// What `referrerpolicy` says; nil without.
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
