import WebStandards

/// A resource that a page, a frame or a style sheet needs.
struct ResourceWish: Hashable, Sendable {
    /// The use of a resource, which decides how it is parsed.
    enum Use: Hashable, Sendable {
        /// A resource of which only the bytes count: an image, a font, a script.
        case bytes
        /// Audio or video, which may be left to the network.
        case media
        /// A style sheet, decoded with its referrer's encoding if it declares none.
        case styleSheet(TextEncoding)
        /// A page, an image or anything else in a frame.
        case frame
        /// An SVG of which a part is shown in the page.
        case symbols
    }

    /// A resource and its use.
    struct Need: Hashable, Sendable {
        let url: WebURL
        let use: Use
    }

    /// The URL, without its fragment.
    let url: WebURL
    let use: Use
    /// The number of frames and style sheets around it.
    let depth: Int
    /// Whether the copy can do without it.
    var isOptional = false
    /// Whether a style sheet refers to it, so that it is unknown whether the page shows it.
    var isStyle = false

    /// The resource and its use, at any depth.
    var need: Need { Need(url: url, use: use) }

    /// The maximum depth of nested frames, or of nested imports, that are followed.
    static let maximumDepth = 24
}
