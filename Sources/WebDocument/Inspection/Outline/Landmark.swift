/// A part of a page that assistive technology lets its users jump to.
///
/// [WAI-ARIA: landmark roles](https://www.w3.org/TR/wai-aria-1.2/#landmark_roles)
public struct Landmark: Hashable, Sendable, Codable {
    /// The role of the part.
    public enum Role: String, Sendable, Codable, CaseIterable {
        /// Information about the site: a `header` of the whole page.
        case banner
        /// Content beside the main content: `aside`.
        case complementary
        /// Information about the page: a `footer` of the whole page.
        case contentInformation = "contentinfo"
        /// A `form` with a name.
        case form
        /// The main content: `main`.
        case main
        /// Links for navigating: `nav`.
        case navigation
        /// A `section` with a name.
        case region
        /// A search function: `search`.
        case search

        /// Whether it is a landmark only where it has a name.
        var needsLabel: Bool { self == .form || self == .region }
    }

    /// The role of the part.
    public let role: Role

    /// The element's name, as "nav".
    public let element: String

    /// Its accessible name, from `aria-labelledby`, `aria-label` or `title`, in this order; `nil` if it has none.
    public let label: String?

    /// The index in ``Outline/landmarks`` of the innermost landmark around it; `nil` if there is none.
    public let parent: Int?

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
