package import WebDocument
package import WebStandards

/// A reference of a page or a style sheet, with the facts that decide its replacement in a copy.
package struct CopyReference: Sendable {
    /// The URL that it refers to, with its fragment.
    package let url: WebURL

    /// The kind of the reference.
    package let kind: Link.Kind

    /// Whether a browser loads it to draw the page; false for links to elsewhere.
    package let isRequisite: Bool

    /// Whether the page can do without it: alternate and disabled style sheets, manifests, resources of a type that no
    /// browser shows.
    package var isOptional = false

    /// Whether the page's own policy (CSP) keeps browsers from loading it.
    package var isForbidden = false

    /// The element's local name; nil for a reference of a style sheet that is a file of its own.
    package var element: String?

    /// The attribute's name; nil for CSS in the text of an element, and in a file of its own.
    package var attribute: String?

    /// Whether it is in CSS: of a style sheet, of a `style` attribute.
    package var isStyle = false

    /// Whether a browser asks for it with CORS whatever the element says, or may do so: the image of a mask, in CSS.
    package var needsCORS = false

    /// The words of the element's `rel`.
    package var rel: [String] = []

    /// The element's `type`, as it is written.
    package var type: String?

    /// The element's `sandbox`, as it is written; nil where it has none.
    package var sandbox: String?

    /// Whether it has the user and the password of its base URL, which a copy must not contain.
    package var hasCredentialsOfPage = false

    /// The number of `srcdoc` attributes around it.
    package var frameDepth = 0

    /// Whether style sheets of the page itself apply to its element: false in shadow roots and in a `srcdoc`.
    package var isInPageScope = true

    /// Whether the image is shown at another size than its own, since a `srcset` declares its density.
    package var isScaled = false

    /// The absolute URL as a copy may have it.
    package var address: String { (hasCredentialsOfPage ? url.withoutCredentials : url).href }

    /// Whether a browser loads something for it that a copy could have.
    package var canBeLoaded: Bool { url.canBeLoaded(as: kind) }

    /// The URL without its fragment.
    package var resource: WebURL { url.withoutFragment }

    /// Whether it is a `use` of SVG, of which a part of another file is shown.
    package var isSymbol: Bool { element == "use" && !isStyle }

    package init(url: WebURL, kind: Link.Kind, isRequisite: Bool) {
        self.url = url
        self.kind = kind
        self.isRequisite = isRequisite
    }
}
