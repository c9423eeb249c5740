/// The meaning of the words in a class or an ID, as authors of pages usually use them.
struct ContentWords: OptionSet {
    let rawValue: UInt8

    /// Not the content: a menu, comments, an advertisement.
    static let unlikely = Self(rawValue: 1)
    /// Possibly content, whatever other words say.
    static let possible = Self(rawValue: 2)
    /// The content, or a part of it.
    static let good = Self(rawValue: 4)
    /// Not the content, or something about it.
    static let bad = Self(rawValue: 8)
    /// The line that names the author.
    static let byline = Self(rawValue: 16)
    /// Buttons for sharing the page.
    static let sharing = Self(rawValue: 32)

    /// The words to look for in a name, and their meanings.
    static let table: [(word: StaticString, meaning: ContentWords)] = [
        ("-ad-", [.unlikely, .bad]), ("article", [.possible, .good]), ("author-name", .byline),
        ("banner", [.unlikely, .bad]), ("blog", .good), ("body", [.possible, .good]),
        ("breadcrumb", .unlikely), ("byline", .byline), ("column", .possible),
        ("comment", [.unlikely, .bad]), ("community", .unlikely), ("contact", .bad),
        ("content", [.possible, .good]), ("cookie", .unlikely), ("dateline", .byline), ("disqus", .unlikely),
        ("entry", .good), ("extra", .unlikely), ("footer", [.unlikely, .bad]), ("gdpr", [.unlikely, .bad]),
        ("header", .unlikely), ("hentry", .good), ("hidden", .bad), ("main", [.possible, .good]),
        ("masthead", .bad), ("media", .bad), ("menu", .unlikely), ("meta", .bad),
        ("outbrain", [.unlikely, .bad]), ("page", .good), ("pager", .unlikely),
        ("pagination", [.unlikely, .good]),
        ("player", [.unlikely, .bad]), ("popup", .unlikely), ("post", .good), ("promo", .bad),
        ("related", [.unlikely, .bad]),
        ("replies", .unlikely), ("rss", .unlikely), ("scroll", .bad),
        ("share", [.bad, .sharing]), ("shopping", .bad), ("sidebar", [.unlikely, .bad]),
        ("skyscraper", [.unlikely, .bad]), ("social", .unlikely), ("sponsor", [.unlikely, .bad]),
        ("story", .good), ("stream", .unlikely), ("supplement", .unlikely),
        ("taboola", [.unlikely, .bad]), ("tags", .bad), ("text", .good), ("widget", .bad),
        ("writtenby", .byline),
    ]

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Adds the meaning of a word that was found in a class or an ID.
    mutating func add(
        _ entry: (word: StaticString, meaning: ContentWords),
        _ name: UnsafeBufferPointer<UInt8>,
        _ start: Int
    ) {
        formUnion(entry.meaning)
        // "shared" and "shares" mean other things.
        let end = start + entry.word.utf8CodeUnitCount
        if entry.meaning.contains(.sharing), end < name.count, unsafe name[end].isASCIIAlphanumeric {
            subtract(.sharing)
        }
    }

    /// 25 for a good name, -25 for a bad one.
    var weight: Int { (contains(.good) ? 25 : 0) - (contains(.bad) ? 25 : 0) }
}
