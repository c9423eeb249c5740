/// The part of an element in a discussion according to its attributes, or of a text according to its characters.
struct DiscussionMarks: OptionSet {
    let rawValue: UInt32

    /// A post by microdata, RDFa or a microformat.
    static let statedPost = Self(rawValue: 1)
    /// A comment, a reply or an answer by its class or ID.
    static let namedPost = Self(rawValue: 2)
    /// A post of a forum, or an article, by its class or ID.
    static let possiblePost = Self(rawValue: 4)
    /// Holds posts.
    static let region = Self(rawValue: 8)
    /// Names an author by an attribute that is made for it.
    static let statedAuthor = Self(rawValue: 16)
    /// Names an author by its class or ID.
    static let namedAuthor = Self(rawValue: 32)
    /// A link to the page of a person, by its path.
    static let profileLink = Self(rawValue: 64)
    /// Has a date in an attribute.
    static let statedDate = Self(rawValue: 128)
    /// Has a date by its class or ID.
    static let namedDate = Self(rawValue: 256)
    /// A text whose digits are those of a date or a time.
    static let shownDate = Self(rawValue: 512)
    /// Holds a post's text by an attribute that is made for it.
    static let statedBody = Self(rawValue: 1024)
    /// Holds a post's text by its class or ID.
    static let namedBody = Self(rawValue: 2048)
    /// Forms, buttons, counts.
    static let control = Self(rawValue: 4096)
    /// Lists what is on other pages.
    static let elsewhere = Self(rawValue: 8192)
    /// A link that leads to a place on a page: `href` with a `#`.
    static let placeLink = Self(rawValue: 16384)
    /// A review by microdata or RDFa.
    static let review = Self(rawValue: 32768)
    /// A heading.
    static let heading = Self(rawValue: 65536)

    static let author: Self = [.statedAuthor, .namedAuthor, .profileLink]
    static let date: Self = [.statedDate, .namedDate, .shownDate]
    static let body: Self = [.statedBody, .namedBody]

    /// Reads an entry.
    ///
    /// Complexity: O(n) in the length of its attributes, or of a text of up to 64 bytes.
    init(_ entry: ContentTree.Entry) {
        if entry.element == .text {
            self = unsafe entry.node.textBytes.map { unsafe Self.showsDate($0) } == true ? .shownDate : []
            return
        }
        var marks: Self = entry.marks.contains(.author) ? .statedAuthor : []
        if entry.element.traits.contains(.heading) { marks.insert(.heading) }
        var attribute = entry.node.firstAttribute
        while let current = attribute {
            attribute = current.next
            guard let value = unsafe current.valueBytes else { continue }
            switch current.initial {
            case UInt8(ascii: "c"), UInt8(ascii: "i"):
                if current.hasName("class") || current.hasName("id") {
                    marks.insert(unsafe DiscussionWords(value), of: entry.element)
                    if current.hasName("class") { marks.formUnion(unsafe Self.microformat(value)) }
                } else if current.hasName("itemprop") {
                    marks.formUnion(unsafe Self.property(value))
                } else if current.hasName("itemtype") {
                    marks.formUnion(unsafe Self.type(value))
                }
            case UInt8(ascii: "d"):
                if unsafe current.hasName("datetime") || Self.isEpoch(current, value) {
                    marks.insert(.statedDate)
                }
            case UInt8(ascii: "h"):
                if entry.element == .a, current.hasName("href") { marks.formUnion(unsafe Self.link(value)) }
            case UInt8(ascii: "p"):
                if current.hasName("property") { marks.formUnion(unsafe Self.property(value)) }
            case UInt8(ascii: "t"):
                if current.hasName("typeof") { marks.formUnion(unsafe Self.type(value)) }
            default: break
            }
        }
        // "byuser" and the like are said of the whole post.
        if !marks.isDisjoint(with: [.statedPost, .namedPost]) { marks.subtract([.author, .date, .body]) }
        self = marks
    }

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    private mutating func insert(_ words: DiscussionWords, of element: ContentElement) {
        if words.contains(.elsewhere) { insert(.elsewhere) }
        if words.contains(.control) { insert(.control) }
        if words.contains(.author) { insert(.namedAuthor) }
        if words.contains(.date) { insert(.namedDate) }
        if words.contains(.body) { insert(.namedBody) }
        if words.contains(.region) { insert(.region) }
        guard Self.mayBePost(element) else { return }
        if words.contains(.post) { insert(.namedPost) }
        if words.contains(.possiblePost) { insert(.possiblePost) }
    }

    /// Whether an element may be a post, by its kind.
    static func mayBePost(_ element: ContentElement) -> Bool {
        switch element {
        case .article, .section, .div, .li, .dd, .dl, .blockquote, .table, .tbody, .tr, .td, .other: true
        default: false
        }
    }

    // MARK: - Structured data

    private static let types: [(name: StaticString, marks: DiscussionMarks)] = [
        ("comment", .statedPost), ("usercomments", .statedPost), ("answer", .statedPost),
        ("question", .statedPost), ("discussionforumposting", .statedPost),
        ("review", [.statedPost, .review]), ("userreview", [.statedPost, .review]),
    ]

    /// The marks of a type of schema.org, the last part of whose name counts.
    private static func type(_ value: UnsafePointer<UInt8>) -> Self {
        var marks: Self = []
        unsafe forEachWord(value) { word in
            let name = unsafe localName(word)
            for type in types where unsafe isEqual(name, type.name) { marks.formUnion(type.marks) }
        }
        return marks
    }

    private static let properties: [(name: StaticString, marks: DiscussionMarks)] = [
        ("author", .statedAuthor), ("creator", .statedAuthor), ("datepublished", .statedDate),
        ("datecreated", .statedDate), ("commenttime", .statedDate), ("text", .statedBody),
        ("commenttext", .statedBody), ("reviewbody", .statedBody), ("articlebody", .statedBody),
        ("description", .statedBody),
    ]

    private static func property(_ value: UnsafePointer<UInt8>) -> Self {
        var marks: Self = []
        unsafe forEachWord(value) { word in
            let name = unsafe localName(word)
            for property in properties where unsafe isEqual(name, property.name) {
                marks.formUnion(property.marks)
            }
        }
        return marks
    }

    private static let microformats: [(name: StaticString, marks: DiscussionMarks)] = [
        ("u-comment", .statedPost), ("p-comment", .statedPost), ("h-review", [.statedPost, .review]),
        ("hreview", [.statedPost, .review]), ("p-author", .statedAuthor), ("dt-published", .statedDate),
        ("e-content", .statedBody), ("p-content", .statedBody),
    ]

    private static func microformat(_ value: UnsafePointer<UInt8>) -> Self {
        var marks: Self = []
        unsafe forEachWord(value) { word in
            for format in microformats where unsafe isEqual(word, format.name) {
                marks.formUnion(format.marks)
            }
        }
        return marks
    }

    /// Returns the name in an IRI, without its vocabulary: everything after the last slash or colon.
    private static func localName(
        _ word: UnsafeBufferPointer<UInt8>.SubSequence
    ) -> UnsafeBufferPointer<UInt8>.SubSequence {
        let end = unsafe word.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
        return unsafe end.map { unsafe word[($0 + 1)...] } ?? word
    }

    private static func forEachWord(
        _ value: UnsafePointer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>.SubSequence) -> Void
    ) {
        let bytes = unsafe UnsafeBufferPointer(start: value, count: TreeNode.length(value))
        var start = 0
        for end in 0...bytes.count where unsafe end == bytes.count || bytes[end].isASCIIWhitespace {
            if end > start { unsafe body(bytes[start..<end]) }
            start = end + 1
        }
    }

    /// Whether a word is this one, whatever its case.
    private static func isEqual(
        _ word: UnsafeBufferPointer<UInt8>.SubSequence,
        _ name: StaticString
    ) -> Bool {
        guard unsafe word.count == name.utf8CodeUnitCount else { return false }
        return unsafe zip(word, UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            .allSatisfy { $0.asciiLowercased == $1 }
    }

    // MARK: - Dates

    /// Whether an attribute such as `data-time` has seconds or milliseconds since 1970: 9 to 13 digits.
    static func isEpoch(_ attribute: TreeAttribute, _ value: UnsafePointer<UInt8>) -> Bool {
        guard
            attribute.hasName("data-time") || attribute.hasName("data-timestamp")
                || attribute.hasName("data-epoch")
                || attribute.hasName("data-created") || attribute.hasName("data-date")
        else { return false }
        var count = 0
        while unsafe value[count].isASCIIDigit, count < 14 { count += 1 }
        return unsafe value[count] == 0 && 9...13 ~= count
    }

    /// Whether a short text has a time (15:04) or a date with a year (3.4.2026, 4 mars 2026): nothing else is the same
    /// in all languages.
    private static func showsDate(_ text: UnsafePointer<UInt8>) -> Bool {
        var hasYear = false
        var hasTime = false
        var numbers = 0
        var index = 0
        // White space counts for nothing: the text is often on a line of its own.
        var size = 0
        while case let byte = unsafe text[index], byte != 0 {
            if !byte.isASCIIWhitespace { size += 1 }
            guard size < 64 else { return false }
            guard byte.isASCIIDigit else {
                index += 1
                continue
            }
            var length = 1
            while unsafe text[index + length].isASCIIDigit { length += 1 }
            numbers += 1
            let first = byte
            let second = unsafe text[index + 1]
            if length == 4, first == 0x31 && second == 0x39 || first == 0x32 && second == 0x30 {
                hasYear = true
            }
            let end = index + length
            if length <= 2, unsafe text[end] == UInt8(ascii: ":"), unsafe text[end + 1].isASCIIDigit,
                unsafe text[end + 2].isASCIIDigit
            {
                hasTime = true
            }
            index = end
        }
        return hasTime || hasYear && numbers >= 2
    }

    // MARK: - Links

    private static let people: [StaticString] = [
        "user", "users", "member", "members", "profile", "profiles", "memberlist", "u", "people", "author",
    ]

    /// Whether a link leads to a place on a page, or to a person's page, as the words of its path have it.
    private static func link(_ value: UnsafePointer<UInt8>) -> Self {
        let bytes = unsafe UnsafeBufferPointer(start: value, count: min(256, TreeNode.length(value)))
        var marks: Self = []
        if unsafe bytes.contains(UInt8(ascii: "#")) { marks.insert(.placeLink) }
        var start = 0
        for end in 0...bytes.count where unsafe end == bytes.count || !bytes[end].isASCIIAlpha {
            let word = unsafe bytes[start..<end]
            // The user's name has to follow: "/user/ann", "member.php?u=3", but not "/user".
            if end > start, end < bytes.count, unsafe start == 0 || bytes[start - 1] == UInt8(ascii: "/"),
                people.contains(where: { unsafe isEqual(word, $0) })
            {
                marks.insert(.profileLink)
            }
            start = end + 1
        }
        return marks
    }
}
