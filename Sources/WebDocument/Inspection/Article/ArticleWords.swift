/// The contents of an element according to the words in its class, its ID or its `property`.
struct ArticleWords: OptionSet {
    let rawValue: UInt16

    /// A date.
    static let date = Self(rawValue: 1)
    /// The date of a change.
    static let modified = Self(rawValue: 2)
    /// An author.
    static let author = Self(rawValue: 4)
    /// Something beside the article: comments, other articles, menus.
    static let beside = Self(rawValue: 8)
    /// The title of an article.
    static let headline = Self(rawValue: 16)
    /// With ``article`` the same.
    static let title = Self(rawValue: 32)
    static let article = Self(rawValue: 64)
    /// No date, whatever other words say.
    static let duration = Self(rawValue: 128)
    /// The end of the page, or with ``article`` that of the article, which may say who wrote it.
    static let footer = Self(rawValue: 256)
    /// The name under which somebody writes on a site, of which a discussion's first one is its author.
    static let user = Self(rawValue: 512)

    private static let table: [String: ArticleWords] = {
        let words: [(StaticString, ArticleWords)] = [
            (
                """
                date datetime time timestamp published publish pubdate pubtime posted dateline publication datum fecha \
                datepublished postdate publishdate postedon publishedon created articledate entrydate newsdate postdate \
                pubdatetime dateposted storydate releasedate veroeffentlicht pub
                """, .date
            ),
            (
                """
                modified updated update lastmod lastupdated updatedate updatetime dateupdated datemodified updatedon revised \
                modification aktualisiert lastmodified
                """, [.date, .modified]
            ),
            (
                """
                author authors byline bylines autor autores auteur auteurs autore autori writer authorname authorlink \
                bylinename byauthor postauthor articleauthor entryauthor reporter journalist creator redakteur writtenby
                """, .author
            ),
            (
                """
                comment comments related sidebar nav menu navigation recommended recommendations recommendation \
                recent popular promo teaser teasers latest trending carousel newsletter cookie cookies breadcrumb \
                breadcrumbs outbrain taboola advert advertisement ads replies disqus sponsored siderail rightrail mostread
                """, .beside
            ),
            ("username poster", .user), ("headline", .headline), ("footer", .footer),
            ("title", .title),
            ("entry article post story news", .article),
            (
                "read reading readtime duration event events countdown picker runtime countdown now current today",
                .duration
            ),
        ]
        var table: [String: ArticleWords] = [:]
        for (list, meaning) in words {
            for word in list.words { table[word] = meaning }
        }
        return table
    }()

    /// The first letters of all words.
    private static let initials: UInt32 = table.keys.reduce(into: 0) { set, word in
        if let first = word.utf8.first { set |= 1 << UInt32(first & 31) }
    }

    /// Reads a class, an ID or a name of a property; its bytes end with NUL.
    ///
    /// Words end before what is no ASCII letter, and before a capital.
    ///
    /// Complexity: O(n) in its length.
    init(_ name: UnsafePointer<UInt8>) {
        var words: ArticleWords = []
        var word: [UInt8] = []
        var cursor = unsafe name
        var previous: UInt8 = 0
        while true {
            let byte = unsafe cursor[0]
            let isCapital = byte.isASCIIUppercase && !previous.isASCIIUppercase
            if !byte.isASCIIAlpha || isCapital {
                words.formUnion(Self.meaning(word))
                word.removeAll(keepingCapacity: true)
            }
            if byte == 0 { break }
            if byte.isASCIIAlpha, word.count < 20 { word.append(byte.asciiLowercased) }
            previous = byte
            unsafe cursor += 1
        }
        self = words
    }

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    private static func meaning(_ word: [UInt8]) -> ArticleWords {
        guard 3..<16 ~= word.count, initials & (1 << UInt32(word[0] & 31)) != 0 else { return [] }
        return table[String(decoding: word, as: UTF8.self)] ?? []
    }

    var isDate: Bool { contains(.date) && !contains(.duration) }
    var isHeadline: Bool { contains(.headline) || contains([.title, .article]) }
}
