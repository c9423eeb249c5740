/// The part that an element has in a discussion, by the words of its class and its ID.
///
/// These are written in English on pages of all languages. A name is cut at what is not a letter, at capitals, and into
/// the words of ``table`` where it is made of nothing else: `commentList`, `comment-list` and `commentlist` are the
/// same.
struct DiscussionWords: OptionSet {
    let rawValue: UInt16

    /// A comment, a reply or an answer.
    static let post = Self(rawValue: 1)
    /// A post or a message: of a forum, if others are beside it, or else an article.
    static let possiblePost = Self(rawValue: 2)
    /// Holds posts.
    static let region = Self(rawValue: 4)
    /// Names who wrote a post.
    static let author = Self(rawValue: 8)
    /// Says when it was written.
    static let date = Self(rawValue: 16)
    /// Holds what it says.
    static let body = Self(rawValue: 32)
    /// The controls of posts: forms, buttons, counts.
    static let control = Self(rawValue: 64)
    /// A list of what was said on other pages, or is to be read next.
    static let elsewhere = Self(rawValue: 128)

    /// The meaning of a single word.
    private enum Meaning: UInt8 {
        case comment, comments, post, thread, author, date, body, list, item, control, elsewhere, neutral,
            subject
    }

    private static let table: [(word: StaticString, meaning: Meaning)] = [
        ("add", .control), ("age", .date), ("ago", .date), ("answer", .comment), ("answers", .comments),
        ("area", .list), ("article", .neutral), ("author", .author),
        ("avatar", .neutral), ("bar", .control), ("bit", .item), ("block", .item), ("body", .body),
        ("box", .item), ("btn", .control), ("bubble", .neutral),
        ("category", .subject), ("tag", .subject), ("has", .subject), ("type", .subject), ("is", .subject),
        ("term", .subject), ("cat", .subject), ("button", .control), ("by", .author),
        ("byline", .author), ("cancel", .control), ("card", .item),
        ("children", .list), ("closed", .control), ("cmnt", .comment), ("cmt", .comment), ("cmts", .comments),
        ("comm", .comment), ("comment", .comment), ("commentaire", .comment), ("commentaires", .comments),
        ("commentario", .comment), ("comentario", .comment), ("comentarios", .comments),
        ("commentary", .neutral), ("commentator", .author), ("commented", .elsewhere),
        ("commenter", .author), ("comments", .comments), ("community", .neutral),
        ("container", .list), ("content", .body), ("contents", .body), ("cookie", .control),
        ("cookies", .control), ("copy", .body), ("count", .control), ("counter", .control),
        ("created", .date), ("creator", .author), ("date", .date), ("datetime", .date), ("delete", .control),
        ("description", .body), ("discussion", .comments), ("discussions", .comments), ("disqus", .comments),
        ("edit", .control), ("editor", .control), ("email", .control), ("entry", .item), ("error", .control),
        ("even", .item), ("feed", .list), ("field", .neutral), ("fn", .author), ("footer", .neutral),
        ("form", .control), ("forum", .thread), ("full", .neutral), ("group", .item), ("head", .neutral),
        ("header", .neutral), ("heading", .control), ("icon", .control), ("info", .neutral), ("inner", .item),
        ("input", .control), ("item", .item), ("jump", .control), ("kommentar", .comment),
        ("kommentare", .comments), ("latest", .elsewhere), ("like", .control), ("likes", .control),
        ("link", .control), ("links", .control), ("list", .list), ("lists", .list), ("load", .control),
        ("login", .control), ("member", .author), ("menu", .control), ("message", .post),
        ("messages", .thread), ("meta", .neutral), ("more", .control), ("most", .elsewhere), ("msg", .post),
        ("name", .author), ("nav", .control), ("navigation", .control), ("new", .control), ("nick", .author),
        ("nickname", .author), ("no", .control), ("node", .item), ("none", .control), ("notes", .control),
        ("notice", .control), ("num", .control), ("number", .control), ("odd", .item), ("off", .control),
        ("open", .control), ("pager", .control), ("pagination", .control), ("parent", .item),
        ("policy", .control), ("popular", .elsewhere), ("post", .post), ("posted", .date),
        ("poster", .author), ("posts", .thread), ("preview", .elsewhere), ("prev", .control),
        ("profile", .author), ("promo", .elsewhere), ("published", .date), ("quote", .control),
        ("rating", .control), ("recent", .elsewhere), ("related", .elsewhere), ("replies", .comments),
        ("reply", .comment), ("report", .control), ("respond", .control), ("response", .comment),
        ("responses", .comments), ("review", .post), ("reviewer", .author), ("reviews", .thread),
        ("root", .item), ("row", .item), ("score", .control), ("section", .list), ("see", .control),
        ("share", .control), ("single", .item), ("sort", .control), ("status", .control),
        ("stream", .list), ("submit", .control), ("teaser", .elsewhere), ("template", .control),
        ("text", .body), ("textarea", .control), ("thread", .thread), ("time", .date),
        ("timestamp", .date), ("title", .control), ("toggle", .control), ("tool", .control),
        ("toolbar", .control), ("tools", .control), ("topic", .thread), ("trackback", .neutral),
        ("tree", .list), ("user", .author), ("username", .author), ("view", .item), ("vote", .control),
        ("votes", .control), ("when", .date), ("widget", .neutral), ("wrap", .item), ("wrapper", .item),
        ("write", .control), ("writer", .author),
    ]

    /// The entries of ``table`` that begin with each letter.
    private static let byInitial: [[(word: StaticString, meaning: Meaning)]] = {
        var entries = [[(word: StaticString, meaning: Meaning)]](repeating: [], count: 26)
        for entry in table {
            let initial = unsafe Int(entry.word.utf8Start[0] &- 0x61)
            if entries.indices.contains(initial) { entries[initial].append(entry) }
        }
        // Longer words come first, so that "comments" is not read as "comment".
        return entries.map { $0.sorted { $0.word.utf8CodeUnitCount > $1.word.utf8CodeUnitCount } }
    }()

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Reads a class or an ID, whose bytes end with NUL.
    ///
    /// Complexity: O(n) in its length.
    init(_ value: UnsafePointer<UInt8>) {
        var words: DiscussionWords = []
        var cursor = unsafe value
        while unsafe cursor[0] != 0 {
            if unsafe cursor[0].isASCIIWhitespace {
                unsafe cursor += 1
            } else {
                words.formUnion(unsafe Self.name(&cursor))
            }
        }
        self = words
    }

    /// Reads a name up to white space or the end.
    private static func name(_ cursor: inout UnsafePointer<UInt8>) -> DiscussionWords {
        var found: UInt16 = 0
        var last: Meaning?
        var count = 0
        var endsUnknown = false
        while case let byte = unsafe cursor[0], byte != 0, !byte.isASCIIWhitespace {
            guard byte.isASCIIAlpha else {
                unsafe cursor += 1
                continue
            }
            let length = unsafe runLength(cursor)
            var index = 0
            var known: UInt16 = 0
            var size = 0
            var end: Meaning?
            while index < length, let (meaning, length) = unsafe longest(cursor + index, length - index) {
                known |= 1 << UInt16(meaning.rawValue)
                end = meaning
                size += 1
                index += length
            }
            endsUnknown = index < length
            // "hnuser", "bigusername": what ends so names people.
            if endsUnknown, unsafe ends(cursor, length, "user") || ends(cursor, length, "username") {
                known = 1 << UInt16(Meaning.author.rawValue)
                end = .author
                size = 1
                endsUnknown = false
            }
            if endsUnknown {
                count += 1
            } else {
                found |= known
                last = end
                count += size
            }
            unsafe cursor += length
        }
        return meaning(found, last: last, count, endsUnknown)
    }

    /// Returns the combined meaning of all words of a name.
    private static func meaning(_ found: UInt16, last: Meaning?, _ count: Int, _ endsUnknown: Bool) -> Self {
        func has(_ meaning: Meaning) -> Bool { found & 1 << UInt16(meaning.rawValue) != 0 }
        guard found != 0, count <= 8 else { return [] }
        // "category-comments" is what an article is about.
        if has(.subject) { return [] }
        if has(.elsewhere) { return .elsewhere }
        let isAbout = has(.comment) || has(.comments)
        let isPart = has(.author) || has(.date) || has(.body)
        if has(.control) {
            return isPart && !isAbout && !has(.post) && count == 2 && last != .control ? part(last) : .control
        }
        if isPart, !endsUnknown, let last {
            if last == .comment { return .post }
            // "post-author" and "author-name", but not "text-block".
            if last == .author || last == .date || last == .body { return part(last) }
            if isAbout || has(.post) || last == .neutral {
                return has(.author) ? .author : has(.date) ? .date : last == .neutral ? [] : .body
            }
        }
        if isPart { return [] }
        if has(.comments) || isAbout && has(.list) { return endsUnknown ? [] : .region }
        // "comment", "single-comment", "comment-item", but not "comment-like-this".
        if has(.comment) { return endsUnknown || has(.neutral) && last == .neutral ? [] : .post }
        if has(.post) { return endsUnknown || has(.list) || last == .neutral ? [] : .possiblePost }
        if has(.thread) { return endsUnknown ? [] : has(.item) ? .possiblePost : [] }
        return []
    }

    private static func part(_ meaning: Meaning?) -> Self {
        switch meaning {
        case .author: .author
        case .date: .date
        case .body: .body
        default: []
        }
    }

    /// How many letters there are up to the next word of a name: "commentList" has two words, "HTMLText" as well.
    private static func runLength(_ start: UnsafePointer<UInt8>) -> Int {
        var length = 1
        while case let byte = unsafe start[length], byte.isASCIIAlpha {
            if byte.isASCIIUppercase, unsafe !start[length - 1].isASCIIUppercase { break }
            length += 1
        }
        return length
    }

    private static func longest(_ start: UnsafePointer<UInt8>, _ length: Int) -> (Meaning, Int)? {
        let initial = unsafe Int(start[0].asciiLowercased &- 0x61)
        guard byInitial.indices.contains(initial) else { return nil }
        for entry in byInitial[initial] {
            let size = entry.word.utf8CodeUnitCount
            if size <= length, unsafe equal(start, entry.word) { return (entry.meaning, size) }
        }
        return nil
    }

    private static func ends(_ start: UnsafePointer<UInt8>, _ length: Int, _ word: StaticString) -> Bool {
        let size = word.utf8CodeUnitCount
        return unsafe length > size && equal(start + (length - size), word)
    }

    private static func equal(_ start: UnsafePointer<UInt8>, _ word: StaticString) -> Bool {
        for index in 0..<word.utf8CodeUnitCount
        where unsafe start[index].asciiLowercased != word.utf8Start[index] { return false }
        return true
    }
}
