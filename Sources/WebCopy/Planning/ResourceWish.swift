import WebStandards

/// A resource that a page, a frame or a style sheet needs.
struct ResourceWish: Hashable, Sendable {
    /// What it is needed as, which decides what is read in it.
    enum Use: Hashable, Sendable {
        /// Something whose bytes are all that counts: an image, a font, a script.
        case bytes
        /// Audio or video, which may be left to the network.
        case media
        /// A style sheet, decoded with its referrer's encoding if nothing else says one.
        case styleSheet(TextEncoding)
        /// A page, an image or anything else in a frame.
        case frame
        /// An SVG of which a part is shown in the page.
        case symbols
    }

    /// A resource, and what it is needed as.
    struct Need: Hashable, Sendable {
        let url: WebURL
        let use: Use
    }

    /// The URL, without its fragment.
    let url: WebURL
    let use: Use
    /// Frames and style sheets around it.
    let depth: Int
    /// Whether nobody misses it.
    var isOptional = false
    /// Whether it is a style sheet that refers to it, so that it is not known whether the page shows it.
    var isStyle = false

    /// What is needed, however deep.
    var need: Need { Need(url: url, use: use) }

    /// Frames within frames, or imports within imports, that are followed.
    static let maximumDepth = 24
}
