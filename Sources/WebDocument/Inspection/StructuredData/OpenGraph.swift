/// The Open Graph properties of a page.
///
/// <https://ogp.me/>
public struct OpenGraph: Hashable, Sendable, Codable {
    /// An image, a video or a sound, with the properties after it that describe it.
    public struct Media: Hashable, Sendable, Codable {
        /// Its properties, without the name of the kind: "url", "secure_url", "type", "width", "height", "alt".
        public internal(set) var properties: [MetaProperty] = []

        /// The absolute URL; nil where the reference is not a valid URL.
        public internal(set) var url: WebURL?

        /// The URL as it is written; nil where there are only other properties.
        public var reference: String? { properties.first { $0.name == "url" }?.content }
    }

    /// All properties, in document order, including those of related vocabularies: "og:title", "article:author".
    public private(set) var properties: [MetaProperty] = []

    /// The images, the preferred one first.
    public private(set) var images: [Media] = []

    /// The videos.
    public private(set) var videos: [Media] = []

    /// The sounds.
    public private(set) var audios: [Media] = []

    /// Creates an empty value.
    public init() {}

    /// The contents of the properties of a name, in document order.
    ///
    /// Complexity: O(n) in the number of properties.
    public subscript(name: String) -> [String] {
        properties.filter { $0.name == name }.map(\.content)
    }

    /// Whether a name in lower case is one of the protocol's vocabularies.
    static func isProperty(_ name: String) -> Bool {
        guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        switch name[..<colon] {
        case "og", "fb", "article", "book", "profile", "music", "video", "product", "place", "business",
            "website", "restaurant", "game", "al":
            return true
        default: return false
        }
    }

    /// Resolves the URLs of media, after all properties have been added.
    mutating func resolve(_ resolver: ReferenceResolver, _ budget: InspectionBudget) {
        Self.resolve(&images, resolver, budget)
        Self.resolve(&videos, resolver, budget)
        Self.resolve(&audios, resolver, budget)
    }

    private static func resolve(
        _ media: inout [Media],
        _ resolver: ReferenceResolver,
        _ budget: InspectionBudget
    ) {
        let base = resolver.base?.href.utf8.count ?? 0
        for index in media.indices {
            guard let reference = media[index].reference,
                budget.spend(size: 64, text: reference.utf8.count + base)
            else {
                continue
            }
            // An invalid URL is nil; the reference is there.
            media[index].url = try? resolver.resolve(reference)
        }
    }

    /// Adds the next property of the page.
    ///
    /// [Arrays and structured properties](https://ogp.me/#structured)
    mutating func append(_ property: MetaProperty) {
        properties.append(property)
        guard property.name.hasPrefix("og:") else { return }
        let parts = property.name.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 2)
        guard parts.count > 1 else { return }
        let part = parts.count > 2 ? String(Substring(parts[2])) : "url"
        let own = MetaProperty(name: part, content: property.content, position: property.position)
        switch Substring(parts[1]) {
        case "image": Self.append(own, to: &images, begins: parts.count == 2)
        case "video": Self.append(own, to: &videos, begins: parts.count == 2)
        case "audio": Self.append(own, to: &audios, begins: parts.count == 2)
        default: break
        }
    }

    /// Adds a property to the last medium, or begins another medium with it.
    private static func append(_ property: MetaProperty, to media: inout [Media], begins: Bool) {
        // "og:image:url" is the same as "og:image", and often both are there.
        let isAnother =
            property.name == "url" && media.last?.reference.map { $0 != property.content } ?? false
        if begins || isAnother || media.isEmpty { media.append(Media()) }
        media[media.count - 1].properties.append(property)
    }
}
