/// What the search of the main content is told of the article: its title, and whether its author is known.
struct ArticleFacts {
    /// The title, without the site's name.
    let title: String?

    /// The authors that metadata name, separated by commas; nil where they name none, so that what names them in the
    /// text is looked for.
    let byline: String?

    /// The words of the title, in lower case.
    private let titleWords: Set<String>

    init(_ article: PageArticle) {
        title = article.title?.value
        let isStated =
            article.authors.first.map { $0.source.kind == .meta || $0.source.kind == .jsonLD } ?? false
        byline = isStated ? article.authors.map(\.value).joined(separator: ", ") : nil
        titleWords = Set(Self.words(title ?? ""))
    }

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
