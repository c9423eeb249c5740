/// A reference of a page with its place in the source.
package struct PlacedReference: Sendable {
    /// How a place is written, which says how another reference is.
    package enum Syntax: Sendable {
        /// A URL, which is all of an attribute.
        case url
        /// One of several URLs that white space separates.
        case urls
        /// A candidate of a `srcset`.
        case imageCandidate
        /// A string, or a `url()`, of CSS.
        case style
        /// The URL of a refresh.
        case refresh
        /// The text of an element of a feed.
        case text
    }

    /// A part of the source.
    package struct Place: Sendable {
        /// The element's start tag, as its number among ``PageSource/tags``.
        package let tag: Int

        /// The attribute, as its number among ``PageSource/attributes``; nil for the element's text.
        package let attribute: Int?

        /// The part of the attribute's decoded value, or of the element's decoded text.
        package let range: Range<Int>

        /// In CSS all of the `url()` that the URL is in; the same as ``range`` otherwise.
        package let value: Range<Int>

        package let syntax: Syntax

        /// The type that `image-set()` says the image is of; nil where it says none.
        package var type: String?

        /// Whether its place in CSS alone makes it no reference, though a browser may take it for one:
        /// ``ParsedPage/links`` does not have it.
        package var isUncertain = false
    }

    /// The reference, as ``ParsedPage/links`` has it.
    package let link: Link

    /// Where it is; nil for what is not in the source: header fields, `xml-stylesheet`, what an entity stands for.
    package let place: Place?
}

extension Link.Kind {
    /// Whether browsers load it as soon as they meet it.
    var isLoadedAtOnce: Bool {
        switch self {
        case .stylesheet, .script, .image, .font, .media, .frame, .object: true
        default: false
        }
    }
}
