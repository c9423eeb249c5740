/// The facts about the article for the search of its main content, from its metadata alone.
///
/// It is enough to know the article's heading, and whether an author is to be looked for; ``PageArticle`` knows more,
/// and takes longer.
struct ArticleFacts {
    /// The title, without the site's name where that can be recognized.
    let title: String?

    /// The author, from metadata; nil where they name none.
    let byline: String?

    /// The page's description; `nil` if it has none.
    let description: String?

    /// The words of the title, in lower case.
    private let titleWords: Set<String>

    /// Prefers the metadata of `meta` elements and JSON-LD, and takes the author from these only.
    init(_ metadata: PageMetadata) {
        let shared = metadata.titles.first { $0.source.kind == .meta || $0.source.kind == .jsonLD }
        title = shared?.text ?? metadata.title.map(Self.withoutSiteName)
        byline =
            metadata.authors.first { author in
                (author.source.kind == .meta || author.source.kind == .jsonLD) && !author.text.contains("://")
            }?.text
        description = metadata.description
        titleWords = Set(Self.words(title ?? ""))
    }

    /// The title up to its last separator, if four words or more come before it.
    private static func withoutSiteName(_ title: String) -> String {
        let bytes = Array(title.utf8)
        var end: Int?
        for index in bytes.indices.dropFirst().dropLast()
        where bytes[index - 1] == 0x20 && bytes[index + 1] == 0x20 {
            switch bytes[index] {
            case UInt8(ascii: "|"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "\\"),
                UInt8(ascii: ">"):
                end = index - 1
            default: break
            }
        }
        guard let end else { return title }
        let name = bytes[..<end]
        return name.split(separator: 0x20).count > 3 ? String(decoding: name, as: UTF8.self) : title
    }

    // MARK: - Titles

    /// Whether a heading repeats the title: less than a quarter of it, in bytes, is other words.
    func titleIsRepeated(in heading: String) -> Bool {
        guard !titleWords.isEmpty else { return false }
        let words = Self.words(heading)
        guard !words.isEmpty else { return false }
        var length = 0
        var otherLength = 0
        for word in words {
            length += word.utf8.count + 1
            if !titleWords.contains(word) { otherLength += word.utf8.count + 1 }
        }
        return otherLength * 4 < length
    }

    /// The words of a text, runs of letters and digits, in lower case.
    private static func words(_ text: String) -> [String] {
        text.unicodeScalars.split { !($0.properties.isAlphabetic || $0.properties.numericType != nil) }
            .map { String($0).lowercased() }
    }
}
