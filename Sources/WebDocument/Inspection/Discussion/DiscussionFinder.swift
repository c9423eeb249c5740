/// Finds the posts of a page's discussion among its elements.
///
/// The signs of a post, the surest first: structured data (microdata, RDFa, microformats); the words of its class and
/// ID; an article inside an article; and, without any of these, several siblings each of which has just one author and
/// one date. In all cases, a post has a text, and an author or a date.
///
/// Every step is one pass over the table, so that time and memory are linear in the page.
struct DiscussionFinder {
    /// An element that may be a post.
    struct Candidate {
        /// Its entry.
        let entry: Int
        /// The candidate around it, by its index; -1 without one.
        let outer: Int
        /// The entries that name the author, say the date, and hold the text; -1 without one.
        var author = -1
        var date = -1
        var body = -1
        /// How much each of those says, so that the surest one is taken.
        var authorRank: UInt8 = 0
        var dateRank: UInt8 = 0
        /// Characters of its own text, and those of them that are in links, authors, dates and controls.
        var length = 0
        var lengthApart = 0
        /// Whether it has a heading that leads to another page, as a teaser does.
        var isTeaser = false
        /// Whether it has a heading of the first level, as the page's own article does.
        var hasTitle = false
        /// How far it is indented, in a unit of the page's own; -1 where it does not say.
        var indent = -1
        /// A `meta` of microdata with its date, which nobody sees.
        var hiddenDate: TreeNode?
        var isPost = false
        /// The first post inside it, or it itself; -1 without one.
        var representative = -1
        /// The first candidate right inside it that has one; -1 without one.
        var firstInside = -1

        init(entry: Int, outer: Int) {
            self.entry = entry
            self.outer = outer
        }
    }

    let tree: ContentTree

    /// The marks of each entry.
    private(set) var marks: [DiscussionMarks] = []

    /// How many characters there are before each entry, and at the end.
    private(set) var lengths: [Int32] = [0]

    /// Elements that may be posts, in document order; those with ``Candidate/isPost`` are.
    private(set) var candidates: [Candidate] = []

    /// The index of the innermost candidate that each entry is in; -1 if it is in no candidate.
    private(set) var owners: [Int32] = []

    /// The units that an entry takes.
    private static let entrySize = 32

    /// Finds the posts.
    ///
    /// - Parameters:
    ///   - tree: The page.
    ///   - budget: The budget; where it does not suffice, there are no posts. Nil for what is soon freed.
    init(_ tree: ContentTree, _ budget: InspectionBudget? = nil) {
        self.tree = tree
        guard budget?.spend(Self.entrySize *| tree.entries.count) ?? true else { return }
        marks.reserveCapacity(tree.entries.count)
        lengths.reserveCapacity(tree.entries.count + 1)
        for entry in tree.entries {
            marks.append(DiscussionMarks(entry))
            lengths.append((lengths.last ?? 0) &+ entry.length)
        }
        var named = namedCandidates()
        take(candidates: named)
        if demote(&named) { take(candidates: named) }
        if !candidates.contains(where: \.isPost) { take(candidates: repeatedCandidates(), isRepeated: true) }
    }

    // MARK: - For the main text

    /// The outermost elements that are posts, in document order; what is inside them is discussion.
    var elements: [Int] {
        var end = 0
        var found: [Int] = []
        for candidate in candidates where candidate.isPost && candidate.entry >= end {
            found.append(candidate.entry)
            end = Int(tree.entries[candidate.entry].end)
        }
        return found
    }

    /// Whether the discussion is what the page is for, as that of a forum is: at least half of the text outside links
    /// is in posts.
    var isPage: Bool {
        var posts = 0
        for candidate in candidates where candidate.isPost {
            posts += candidate.length - candidate.lengthApart
        }
        guard posts > 0 else { return false }
        var all = 0
        var linkEnd = 0
        for (index, entry) in tree.entries.enumerated() {
            if entry.element == .a { linkEnd = max(linkEnd, Int(entry.end)) }
            if index >= linkEnd { all += Int(entry.length) }
        }
        return posts * 2 >= all
    }

    // MARK: - Candidates

    /// The entries that structured data, names, or an article around them make candidates.
    private func namedCandidates() -> [Bool] {
        var isCandidate = [Bool](repeating: false, count: tree.entries.count)
        var articleEnd = 0
        var elsewhereEnd = 0
        for (index, entry) in tree.entries.enumerated() where entry.element != .text {
            let marks = marks[index]
            let isElsewhere = index < elsewhereEnd
            if marks.contains(.statedPost) {
                isCandidate[index] = true
            } else if isElsewhere {
                continue
            } else if marks.contains(.elsewhere) && !marks.contains(.namedPost) || entry.element == .nav {
                elsewhereEnd = Int(entry.end)
            } else if marks.contains(.namedPost) {
                isCandidate[index] = true
            } else if entry.element == .article, index < articleEnd, marks.isDisjoint(with: .body) {
                isCandidate[index] = true
            }
            if entry.element == .article { articleEnd = max(articleEnd, Int(entry.end)) }
        }
        return isCandidate
    }

    /// Takes candidates back that only hold the text of the post around them, as an element of the classes `content`
    /// and `comment` does; returns whether there are any.
    private func demote(_ isCandidate: inout [Bool]) -> Bool {
        var isChanged = false
        for candidate in candidates where !candidate.isPost && candidate.outer >= 0 {
            let outer = candidates[candidate.outer]
            guard candidate.representative < 0, candidate.length > candidate.lengthApart,
                outer.authorRank > 1 || outer.date >= 0
            else { continue }
            isCandidate[candidate.entry] = false
            isChanged = true
        }
        return isChanged
    }

    /// The entries that are one of several siblings with an author and a date each.
    private func repeatedCandidates() -> [Bool] {
        let count = tree.entries.count
        // How many innermost elements with both are in each entry.
        var units = [Int32](repeating: 0, count: count)
        var has = [UInt8](repeating: 0, count: count)
        for index in stride(from: count - 1, through: 0, by: -1) {
            let marks = marks[index]
            if marks.contains(.elsewhere) { has[index] = 0; units[index] = 0; continue }
            if !marks.isDisjoint(with: .author) { has[index] |= 1 }
            if !marks.isDisjoint(with: .date) { has[index] |= 2 }
            if has[index] == 3, units[index] == 0 { units[index] = 1 }
            let parent = Int(tree.entries[index].parent)
            guard parent != index else { continue }
            has[parent] |= has[index]
            units[parent] &+= units[index]
        }
        // The outermost elements with one, by their parents.
        var isCandidate = [Bool](repeating: false, count: count)
        var groups: [Int: (count: Int, isNamed: Bool)] = [:]
        func group(_ index: Int) -> Int {
            Int(tree.entries[index].parent) << 8 | Int(tree.entries[index].element.rawValue)
        }
        var regionEnd = 0
        for index in 1..<max(1, count) {
            if marks[index].contains(.region) { regionEnd = max(regionEnd, Int(tree.entries[index].end)) }
            guard units[index] == 1 else { continue }
            let parent = Int(tree.entries[index].parent)
            guard units[parent] > 1, DiscussionMarks.mayBePost(tree.entries[index].element) else { continue }
            isCandidate[index] = true
            var known = groups[group(index)] ?? (0, index < regionEnd)
            known.count += 1
            if marks[index].contains(.possiblePost) { known.isNamed = true }
            groups[group(index)] = known
        }
        for index in 0..<count where isCandidate[index] {
            let group = groups[group(index)] ?? (0, false)
            isCandidate[index] = group.count >= (group.isNamed ? 2 : 3)
        }
        return isCandidate
    }

    /// Looks at the candidates, and makes those posts that are.
    private mutating func take(candidates isCandidate: [Bool], isRepeated: Bool = false) {
        candidates = []
        owners = [Int32](repeating: -1, count: tree.entries.count)
        for (index, entry) in tree.entries.enumerated() {
            let outer = index == 0 ? -1 : owners[Int(entry.parent)]
            if isCandidate[index] {
                owners[index] = Int32(truncatingIfNeeded: candidates.count)
                candidates.append(Candidate(entry: index, outer: Int(outer)))
            } else {
                owners[index] = outer
            }
        }
        guard !candidates.isEmpty else { return }
        readContents()
        judge(isRepeated: isRepeated)
        for index in candidates.indices.reversed() {
            if candidates[index].isPost { candidates[index].representative = index }
            let outer = candidates[index].outer
            // The first inside comes last here.
            if outer >= 0, candidates[index].representative >= 0 {
                candidates[outer].representative = candidates[index].representative
                candidates[outer].firstInside = index
            }
        }
    }

    /// Finds in each candidate what it has of its own: author, date, body, lengths.
    private mutating func readContents() {
        var apartEnd = 0
        var headingEnd = 0
        var formEnd = 0
        var formOwner = -1
        for (index, entry) in tree.entries.enumerated() {
            let owner = Int(owners[index])
            guard owner >= 0 else { continue }
            // The contents of a form are nobody's text.
            if entry.element == .form, index >= formEnd {
                formEnd = Int(entry.end)
                formOwner = owner
            }
            if index < formEnd, owner == formOwner { continue }
            let marks = marks[index]
            let end = Int(entry.end)
            let length = Int(lengths[end] &- lengths[index])
            if entry.element == .text {
                candidates[owner].length += Int(entry.length)
                if index < apartEnd || marks.contains(.shownDate) {
                    candidates[owner].lengthApart += Int(entry.length)
                }
            }
            if candidates[owner].hiddenDate == nil, entry.element != .text,
                self.marks[candidates[owner].entry].contains(.statedPost)
            {
                candidates[owner].hiddenDate = Self.hiddenDate(in: entry.node)
            }
            if index == candidates[owner].entry { candidates[owner].indent = indent(index) }
            if candidates[owner].indent < 0, entry.element == .td || entry.element == .img {
                candidates[owner].indent = indent(index)
            }
            if candidates[owner].authorRank == 0, 2...60 ~= length, mayShowAuthor(index, candidates[owner]) {
                candidates[owner].author = index
                candidates[owner].authorRank = 1
            }
            // An author's name is short, and a picture of the author is not a name.
            if length > 0, length <= 120, index != candidates[owner].entry {
                let rank: UInt8 =
                    marks.contains(.statedAuthor)
                    ? 4 : marks.contains(.namedAuthor) ? 3 : marks.contains(.profileLink) ? 2 : 0
                if rank > candidates[owner].authorRank, marks.isDisjoint(with: [.control, .date]) {
                    candidates[owner].author = index
                    candidates[owner].authorRank = rank
                }
            }
            if length <= 120, index != candidates[owner].entry {
                let rank: UInt8 =
                    marks.contains(.statedDate)
                    ? 3 : marks.contains(.namedDate) && length > 0 ? 2 : marks.contains(.shownDate) ? 1 : 0
                if rank > candidates[owner].dateRank {
                    candidates[owner].date = index
                    candidates[owner].dateRank = rank
                }
            }
            if entry.element == .a || marks.contains(.namedAuthor) || marks.contains(.namedDate)
                || marks.contains(.statedDate) || marks.contains(.control)
            {
                if length <= (marks.contains(.control) ? 40 : 400) { apartEnd = max(apartEnd, end) }
            }
            if marks.contains(.heading) {
                headingEnd = max(headingEnd, end)
                if entry.element == .h1 { candidates[owner].hasTitle = true }
            }
            if entry.element == .a, !marks.contains(.placeLink), marks.isDisjoint(with: .author), length > 0,
                index < headingEnd || Int(entry.parent) != index && self.holdsHeading(index)
            {
                candidates[owner].isTeaser = true
            }
        }
        for (index, entry) in tree.entries.enumerated() {
            let owner = Int(owners[index])
            guard owner >= 0, !marks[index].isDisjoint(with: .body), index != candidates[owner].entry else {
                continue
            }
            let candidate = candidates[owner]
            let range = index..<Int(entry.end)
            guard !range.contains(candidate.author), !range.contains(candidate.date) else { continue }
            let old = candidate.body
            let length = lengths[range.upperBound] &- lengths[index]
            let oldLength = old < 0 ? 0 : lengths[Int(tree.entries[old].end)] &- lengths[old]
            let isStated = marks[index].contains(.statedBody)
            let wasStated = old >= 0 && marks[old].contains(.statedBody)
            if length > 0, isStated && !wasStated || isStated == wasStated && length > oldLength {
                candidates[owner].body = index
            }
        }
    }

    /// Whether an entry may be an author's name since it comes first, and stands out.
    private func mayShowAuthor(_ index: Int, _ candidate: Candidate) -> Bool {
        guard index != candidate.entry, candidate.length - candidate.lengthApart < 20,
            marks[candidate.entry].contains(.namedPost),
            marks[index].isDisjoint(with: [.control, .date, .placeLink])
        else { return false }
        let entry = tree.entries[index]
        switch entry.element {
        case .a, .b, .strong: break
        case .inline: guard entry.node.hasName("cite") else { return false }
        default: return false
        }
        // Emphasis within a paragraph is part of the post's text.
        return tree.entries[Int(entry.parent)].element != .p
    }

    /// A `meta` of microdata with a date, among an element's children.
    private static func hiddenDate(in element: TreeNode) -> TreeNode? {
        var child = element.firstElement
        while let current = child {
            if current.hasName("meta"), let name = current.attribute("itemprop"),
                ["datePublished", "dateCreated", "commentTime"].contains(name),
                current.hasAttribute("content")
            {
                return current
            }
            child = current.nextElement
        }
        return nil
    }

    private func holdsHeading(_ link: Int) -> Bool {
        let first = link + 1
        return first < tree.entries[link].end && marks[first].contains(.heading)
    }

    /// Decides which candidates are posts.
    private mutating func judge(isRepeated: Bool) {
        var reviews = 0
        for candidate in candidates where marks[candidate.entry].contains(.review) { reviews += 1 }
        for index in candidates.indices {
            let candidate = candidates[index]
            let marks = marks[candidate.entry]
            let hasText = candidate.length > candidate.lengthApart || candidate.body >= 0
            let isSigned = candidate.authorRank > 1
            var isPost = hasText && (isSigned || candidate.date >= 0 || candidate.hiddenDate != nil)
            if marks.contains(.review), candidate.hasTitle || reviews == 1 && candidate.author < 0 {
                isPost = false
            }
            if isRepeated || !marks.contains(.namedPost) && !marks.contains(.statedPost) {
                isPost = isPost && isSigned && candidate.date >= 0 && !candidate.isTeaser
            }
            candidates[index].isPost = isPost
        }
        guard isRepeated else { return }
        // Posts say something; what is mostly links, or short, is a list of what is elsewhere.
        var length = 0
        var apart = 0
        for candidate in candidates {
            length += candidate.length
            apart += candidate.lengthApart
        }
        let posts = candidates.count { $0.isPost }
        let isDiscussion =
            posts * 2 > candidates.count && (length - apart) * 2 > length
            && length - apart > 30 * posts && hasSeveralAuthors
        // Without a name that speaks for it, a discussion that is only a part of the page is as likely a stream of
        // news.
        if !isDiscussion || !isPage && !isInRegion {
            for index in candidates.indices { candidates[index].isPost = false }
        }
    }

    /// Whether all posts are in an element whose class or ID says that it holds posts.
    private var isInRegion: Bool {
        var end = 0
        var index = 0
        for candidate in candidates where candidate.isPost {
            while index <= candidate.entry {
                if marks[index].contains(.region) { end = max(end, Int(tree.entries[index].end)) }
                index += 1
            }
            if candidate.entry >= end { return false }
        }
        return true
    }

    /// Whether not all posts are by the same author, as those of somebody's own stream are.
    private var hasSeveralAuthors: Bool {
        var first: [UInt8]?
        for candidate in candidates where candidate.isPost {
            var text: [UInt8] = []
            // A name is in one of the first entries.
            let end = min(Int(tree.entries[candidate.author].end), candidate.author + 16)
            for index in candidate.author..<end { tree.entries[index].node.appendText(to: &text) }
            if let first, first != text { return true }
            first = text
        }
        return false
    }

    // MARK: - Nesting

    /// How far an element is indented, as it says of itself; -1 where it does not.
    private func indent(_ index: Int) -> Int {
        let node = tree.entries[index].node
        if tree.entries[index].element == .img {
            // A picture of nothing, as wide as the indent.
            return node.attribute("height") == "1"
                ? node.attribute("width").flatMap { Int(inBounds: $0) } ?? -1 : -1
        }
        let stated =
            node.attribute("aria-level") ?? node.attribute("data-depth") ?? node.attribute("data-level")
            ?? node.attribute("depth") ?? node.attribute("indent")
        if let stated, let level = Int(inBounds: stated) { return level }
        if let names = node.attribute("class") {
            for name in names.asciiWords {
                let parts = name.utf8.split { !$0.isASCIIAlphanumeric }
                guard parts.count >= 2,
                    let number = parts.last.flatMap({ Int(inBounds: String(Substring($0))) })
                else { continue }
                let word = String(Substring(parts[parts.count - 2]))
                if ["depth", "level", "indent"].contains(word) { return number }
            }
        }
        return node.attribute("style").flatMap(Self.margin) ?? -1
    }

    /// The left margin or padding in a `style`, without its unit.
    private static func margin(_ style: String) -> Int? {
        for declaration in style.utf8.split(separator: UInt8(ascii: ";")) {
            let parts = declaration.split(separator: UInt8(ascii: ":"))
            guard parts.count == 2 else { continue }
            let name = String(asciiLowercasing: parts[0]).trimmingASCIIWhitespace
            guard ["margin-left", "padding-left", "margin-inline-start"].contains(name) else { continue }
            let digits = String(Substring(parts[1])).trimmingASCIIWhitespace.utf8.prefix { $0.isASCIIDigit }
            return Int(inBounds: String(Substring(digits)))
        }
        return nil
    }
}

extension DiscussionFinder {
    /// Whether each entry is of a post: its author, its date, or its text.
    ///
    /// - Complexity: O(n) in the number of entries.
    var isInPost: [Bool] {
        var isInPost = [Bool](repeating: false, count: tree.entries.count)
        var isPost = isInPost
        for candidate in candidates where candidate.isPost { isPost[candidate.entry] = true }
        for candidate in candidates where candidate.isPost {
            let body = candidate.body < 0 ? candidate.entry : candidate.body
            for part in [candidate.author, candidate.date, body] where part >= 0 {
                var index = part
                while index < Int(tree.entries[part].end) {
                    // Other posts are read by themselves.
                    if index > part, isPost[index] || tree.entries[index].traits.contains(.foreign) {
                        index = Int(tree.entries[index].end)
                        continue
                    }
                    isInPost[index] = true
                    index += 1
                }
            }
        }
        return isInPost
    }
}
