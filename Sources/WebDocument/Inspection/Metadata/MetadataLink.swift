/// A URL that belongs to a page in some way: its canonical one, another language's, an icon, a feed.
public struct MetadataLink: Hashable, Sendable, Codable {
    /// A size of an icon.
    public struct Size: Hashable, Sendable, Codable {
        /// In pixels.
        public let width: Int
        /// In pixels.
        public let height: Int
    }

    /// The reference as it is written.
    public let reference: String

    /// The absolute URL; nil where the reference is not a valid URL.
    public let url: WebURL?

    /// Where it was found.
    public let source: MetadataSource

    /// The words of `rel`, in lower case.
    public let rel: [String]

    /// `type`, a media type; nil where it is not given.
    public let type: String?

    /// `media`, a media query; nil where it is not given.
    public let media: String?

    /// `hreflang`, a language tag or "x-default"; nil where it is not given.
    public let language: String?

    /// `title`, white space collapsed; nil where it is not given.
    public let title: String?

    /// `color`, of a `mask-icon`; nil where it is not given.
    public let color: String?

    /// The sizes of an icon; empty where none are given, or any size fits.
    public let sizes: [Size]

    /// Whether `sizes` has "any": the icon scales.
    public let isScalable: Bool
}

extension MetadataLink.Size {
    /// Reads one word of `sizes`, as in "32x32"; nil for any other text.
    ///
    /// <https://html.spec.whatwg.org/multipage/semantics.html#attr-link-sizes>
    init?(_ word: String) {
        let parts = word.utf8.split(
            maxSplits: 1,
            omittingEmptySubsequences: false,
            whereSeparator: { $0.asciiLowercased == UInt8(ascii: "x") }
        )
        guard parts.count == 2, let width = Self.pixels(parts[0]), let height = Self.pixels(parts[1]) else {
            return nil
        }
        self.init(width: width, height: height)
    }

    private static func pixels(_ digits: Substring.UTF8View) -> Int? {
        guard let first = digits.first, first != UInt8(ascii: "0"), digits.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return Int(inBounds: Substring(digits))
    }
}
