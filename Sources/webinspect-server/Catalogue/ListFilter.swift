/// The words by which a list is filtered: all of them must match.
///
/// A word is searched for in the URL and in the title, ignoring case. `url:x`, `title:x` and `host:x` search one of
/// these, `type:image` the media type; `status:404` and `status:4` match the beginning of the status. `-x` excludes
/// matches.
struct ListFilter: Hashable, Sendable {
    /// The field in which a word is searched for.
    enum Field: String, Sendable {
        case any
        case url
        case title
        case host
        case status
        case type
    }

    struct Word: Hashable, Sendable {
        var field = Field.any
        var isNegated = false
        let text: String
        let needle: Needle

        /// Whether the result of a search satisfies the word.
        func agrees(_ isFound: Bool) -> Bool { isFound != isNegated }

        /// Whether a response's status and type satisfy the word.
        func agrees(status: Int?, type: String?) -> Bool {
            switch field {
            case .status: agrees(status.map { "\($0)".hasPrefix(text) } ?? false)
            case .type: agrees(type.map { needle.isIn($0) } ?? false)
            case .any, .url, .title, .host: true
            }
        }
    }

    /// The words to search for in texts.
    private(set) var texts: [Word] = []
    /// The words to search for in the names of hosts.
    private(set) var hosts: [Word] = []
    /// The words to match with the status and the type.
    private(set) var responses: [Word] = []

    /// The maximum bytes of a filter and of a word, and the maximum number of words.
    private static let longest = (filter: 1000, word: 250, words: 30)

    /// Whether it matches everything.
    var isEmpty: Bool { texts.isEmpty && hosts.isEmpty && responses.isEmpty }

    init(_ filter: String) throws(ServeError) {
        guard filter.utf8.count <= Self.longest.filter else {
            throw ServeError(400, "filter.length", "the filter has more than \(Self.longest.filter) bytes")
        }
        let words = filter.unicodeScalars.split { $0.properties.isWhitespace }
        guard words.count <= Self.longest.words else {
            throw ServeError(400, "filter.words", "the filter has more than \(Self.longest.words) words")
        }
        for word in words { try add(TextFolding.folded(String(word))) }
    }

    private mutating func add(_ text: String) throws(ServeError) {
        var rest = Substring(text)
        let isNegated = rest.utf8.count > 1 && rest.hasPrefix("-")
        if isNegated { rest = rest.dropFirst() }
        var field = Field.any
        if let colon = rest.firstIndex(of: ":"), let named = Field(rawValue: String(rest[..<colon])),
            named != .any
        {
            field = named
            rest = rest[rest.index(after: colon)...]
            // While the user types, the word may still be missing.
            if rest.isEmpty { return }
        }
        guard rest.utf8.count <= Self.longest.word else {
            throw ServeError(400, "filter.words", "a word has more than \(Self.longest.word) bytes")
        }
        let searched = String(rest)
        let word = Word(field: field, isNegated: isNegated, text: searched, needle: Needle(searched))
        switch field {
        case .any, .url, .title: texts.append(word)
        case .host: hosts.append(word)
        case .status, .type: responses.append(word)
        }
    }

    /// Whether a text of ``TextFolding/haystack(url:title:)`` satisfies all words for texts.
    func agrees(_ haystack: UnsafeBufferPointer<UInt8>) -> Bool {
        for word in texts {
            let isFound: Bool
            switch word.field {
            case .url:
                let end = unsafe haystack.firstIndex(of: 0x0A) ?? haystack.count
                isFound = unsafe word.needle.isIn(UnsafeBufferPointer(rebasing: haystack[..<end]))
            case .title:
                let end = unsafe haystack.firstIndex(of: 0x0A) ?? haystack.count
                isFound = unsafe word.needle.isIn(UnsafeBufferPointer(rebasing: haystack[end...].dropFirst()))
            case .any, .host, .status, .type:
                isFound = unsafe word.needle.isIn(haystack)
            }
            guard word.agrees(isFound) else { return false }
        }
        return true
    }

    /// Whether the name of a host satisfies all words for hosts.
    func agrees(host: String) -> Bool { hosts.allSatisfy { $0.agrees($0.needle.isIn(host)) } }

    /// Whether a status and a type satisfy all words for these.
    func agrees(status: Int?, type: String?) -> Bool {
        responses.allSatisfy { $0.agrees(status: status, type: type) }
    }
}
