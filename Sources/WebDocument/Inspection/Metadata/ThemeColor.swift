/// A colour that a page asks the browser to use for its user interface.
///
/// <https://html.spec.whatwg.org/multipage/semantics.html#meta-theme-color>
public struct ThemeColor: Hashable, Sendable, Codable {
    /// The colour, as it is written.
    public let color: String

    /// The media query that it is for; nil for all.
    public let media: String?

    /// Where it was found.
    public let source: MetadataSource
}
