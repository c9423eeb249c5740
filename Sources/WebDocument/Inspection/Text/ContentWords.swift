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
    private static let table: [(word: StaticString, meaning: ContentWords)] = [
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

    /// The entries of ``table`` that begin with each byte.
    private static let byInitial: [Range<Int>] = {
        var ranges = [Range<Int>](repeating: 0..<0, count: 128)
        for (index, entry) in table.enumerated() {
            let initial = Int(unsafe entry.word.utf8Start[0] & 0x7F)
            ranges[initial] = (ranges[initial].isEmpty ? index : ranges[initial].lowerBound)..<index + 1
        }
        return ranges
    }()

    /// Reads a class or an ID; its bytes end with NUL.
    ///
    /// Complexity: O(n) in its length.
    init(_ name: UnsafePointer<UInt8>) {
        var words: ContentWords = []
        var start = unsafe name
        while case let byte = unsafe start[0].asciiLowercased, byte != 0 {
            if byte < 0x80 {
                for index in Self.byInitial[Int(byte)] where unsafe Self.begins(start, Self.table[index].word)
                {
                    let entry = Self.table[index]
                    words.formUnion(entry.meaning)
                    // "shared" and "shares" mean other things.
                    let end = unsafe start[entry.word.utf8CodeUnitCount]
                    if entry.meaning.contains(.sharing), end.isASCIIAlphanumeric { words.subtract(.sharing) }
                }
            }
            unsafe start += 1
        }
        self = words
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Whether text that ends with NUL begins with a word, whatever its case.
    private static func begins(_ text: UnsafePointer<UInt8>, _ word: StaticString) -> Bool {
        for index in 0..<word.utf8CodeUnitCount
        where unsafe text[index].asciiLowercased != word.utf8Start[index] { return false }
        return true
    }

    /// 25 for a good name, -25 for a bad one.
    var weight: Int { (contains(.good) ? 25 : 0) - (contains(.bad) ? 25 : 0) }
}
