/// The structure of a page as assistive technology presents it: its headings, its landmarks and its sections.
///
/// Elements that the `hidden` attribute or `aria-hidden` hides are left out, and so are template contents and
/// shadow roots; style sheets are ignored.
///
/// [HTML Accessibility API Mappings](https://www.w3.org/TR/html-aam-1.0/#html-element-role-mappings)
public struct Outline: Hashable, Sendable, Codable {
    /// The headings, in document order.
    public let headings: [OutlineHeading]

    /// The landmarks, in document order.
    public let landmarks: [Landmark]

    /// The `article`, `aside`, `nav` and `section` elements, in document order.
    public let sections: [OutlineSection]
}

/// A heading for assistive technology: `h1` through `h6`, and elements with the role `heading`.
public struct OutlineHeading: Hashable, Sendable, Codable {
    /// 1 or more: `aria-level`, or else the number in the element's name, or else 2.
    public let level: Int

    /// How many levels are missing between the heading before and this one, or before this one if it is the
    /// first; 0 if none is missing.
    public let skippedLevels: Int

    /// Its text and that of images in it, white space stripped and collapsed; without that of a heading inside it.
    public let text: String

    /// The element's name, as "h2".
    public let element: String

    /// The index in ``Outline/sections`` of the innermost section around it; `nil` if there is none.
    public let section: Int?

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}

/// An `article`, `aside`, `nav` or `section`.
///
/// [Sectioning content](https://html.spec.whatwg.org/multipage/dom.html#sectioning-content)
public struct OutlineSection: Hashable, Sendable, Codable {
    /// The element's name.
    public let element: String

    /// The index in ``Outline/sections`` of the innermost section around it; `nil` if there is none.
    public let parent: Int?

    /// How many sections are around it.
    public let depth: Int

    /// The index in ``Outline/headings`` of its own heading: the first one in it that is in no section inside; `nil` if
    /// there is none.
    public internal(set) var heading: Int?

    /// Its accessible name, from `aria-labelledby`, `aria-label` or `title`; `nil` if it has none.
    public internal(set) var label: String?

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
