/// A colour that a page wants the browser's surroundings to have.
///
/// <https://html.spec.whatwg.org/multipage/semantics.html#meta-theme-color>
public struct ThemeColor: Hashable, Sendable, Codable {
    /// The colour, as it is written.
    public let color: String

    /// The media query for which it is; nil for all.
    public let media: String?

    /// Where it stands.
    public let source: MetadataSource
}
