/// The hints about an element in the words of its class and ID, one bit for each kind of part of a page.
///
/// Authors write these in English whatever the language of the page is. ``ContentModel`` weighs the meaning of a bit
/// for the text inside.
struct ContentHints: OptionSet {
    let rawValue: UInt32

    /// The number of kinds.
    static let count = kinds.count

    /// The words of each kind.
    ///
    /// Those of up to four letters, and those that begin with `=`, count only as whole
    /// words, or in the plural.
    private static let kinds: [[StaticString]] = [
        // The content, or a part of it.
        ["article", "content", "entry", "post", "story", "body", "text", "main"],
        ["comment", "disqus", "discuss", "replies", "=reply", "respond", "livefyre", "feedback"],
        [
            "related", "recommend", "recirc", "more", "also", "similar", "popular", "trending", "latest",
            "teaser", "suggest", "mostread", "outbrain", "taboola", "next", "prev", "plista", "previous",
            "further", "readmore", "promoted",
        ],
        ["=share", "sharing", "social", "facebook", "twitter", "whatsapp", "follow", "addthis", "like"],
        [
            "nav", "navi", "navigation", "menu", "breadcrumb", "pagination", "=pager", "=header", "masthead",
            "toolbar", "skip", "topbar",
        ],
        ["footer", "copyright", "legal", "disclaimer", "imprint", "colophon"],
        [
            "sidebar", "aside", "widget", "rail", "supplement", "extra", "complementary", "box", "infobox",
            "module",
        ],
        [
            "ad", "advert", "promo", "banner", "sponsor", "skyscraper", "adsense", "commercial", "affiliate",
            "partner",
        ],
        [
            "newsletter", "subscri", "signup", "paywall", "login", "register", "optin", "form", "modal",
            "popup",
            "overlay", "cookie", "consent", "gdpr", "cta", "dialog", "notice", "alert",
        ],
        ["byline", "author", "bio", "biography", "profile", "avatar", "contributor", "vcard", "writer"],
        [
            "date", "dateline", "datetime", "time", "published", "timestamp", "updated", "posted", "meta",
            "info",
            "postmeta", "entrymeta",
        ],
        ["tag", "categor", "topic", "keyword", "=label", "kicker", "rubri", "taxonomy"],
        [
            "caption", "credit", "=source", "photo", "image", "img", "figure", "gallery", "=media", "video",
            "player", "picture", "slideshow", "carousel", "slider", "swiper",
        ],
        [
            "intro", "lead", "lede", "summary", "standfirst", "excerpt", "subtitle", "subhead", "dek", "deck",
            "abstract", "description", "strapline",
        ],
        ["title", "headline", "heading", "hed"],
        ["hidden", "sr", "screen-reader", "visually", "print", "collapse", "hide"],
        ["card", "list", "item", "grid", "tile", "feed", "stream", "thumb", "result", "listing"],
        ["quote", "tweet", "embed", "factbox", "note", "toc", "instagram"],
        // The text of an article and nothing else.
        [
            "entry-content", "post-content", "article-body", "articlebody", "article-content",
            "articlecontent",
            "article__body", "article__content", "article_body", "story-body", "storybody", "post-body",
            "postbody", "article-text", "articletext", "storytext", "bodytext", "body-text", "maincontent",
            "main-content", "postcontent", "post_content", "entrycontent", "entry_content", "content-body",
            "body-copy", "field-name-body", "story-content", "article__text", "body__", "__body", "post-text",
            "entry-text",
        ],
        ["paragraph", "copy", "richtext", "rich-text", "prose", "markdown", "wysiwyg"],
        ["footnote", "reference", "cite", "citation", "bibliogr"],
        ["button", "btn", "link", "print", "edit"],
        [
            "=tool", "action", "bar", "control", "rating", "vote", "counter", "=stats", "=views", "=count",
            "=score",
        ],
        ["price", "product", "shop", "cart", "buy", "merch", "donat", "deal"],
    ]

    /// Links to other pages of the site.
    static let related = Self(rawValue: 1 << 2)
    /// Controls for sharing the page.
    static let share = Self(rawValue: 1 << 3)
    /// Prompts for an address, or for anything else.
    static let subscribe = Self(rawValue: 1 << 8)

    /// A word to look for.
    struct Word {
        let bytes: [UInt8]
        let kind: ContentHints
        let isWhole: Bool
    }

    /// The words of all kinds.
    static let words: [Word] = kinds.enumerated().flatMap { index, names in
        names.map { name in
            let isMarked = unsafe name.utf8Start[0] == UInt8(ascii: "=")
            let bytes = Array("\(name)".utf8.dropFirst(isMarked ? 1 : 0))
            return Word(
                bytes: bytes,
                kind: ContentHints(rawValue: 1 << UInt32(truncatingIfNeeded: index)),
                isWhole: isMarked || bytes.count <= 4 && !isPartial(bytes)
            )
        }
    }

    /// Whether a short word counts inside others, too: there are few others that have it.
    private static func isPartial(_ word: [UInt8]) -> Bool {
        word == Array("body".utf8) || word == Array("text".utf8) || word == Array("main".utf8)
            || word == Array("post".utf8) || word == Array("menu".utf8) || word == Array("gdpr".utf8)
            || word == Array("navi".utf8)
    }

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Adds the meaning of a word that was found in a class or an ID.
    mutating func add(_ word: Word, _ name: UnsafeBufferPointer<UInt8>, _ start: Int) {
        guard unsafe !word.isWhole || Self.isWhole(start, start + word.bytes.count, name) else { return }
        formUnion(word.kind)
    }

    /// Whether what stands at a place is a word of its own.
    private static func isWhole(_ start: Int, _ end: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        // A capital begins a word after a small letter.
        if start > 0 {
            let before = unsafe name[start - 1]
            let beginsWord = unsafe name[start].isASCIIUppercase && !before.isASCIIUppercase
            if before.isASCIIAlpha, !beginsWord { return false }
        }
        guard end < name.count else { return true }
        let after = unsafe name[end]
        if !after.isASCIIAlpha || after.isASCIIUppercase { return true }
        let isLast = unsafe end + 1 == name.count || !name[end + 1].isASCIIAlpha
        return after == UInt8(ascii: "s") && isLast
    }
}
