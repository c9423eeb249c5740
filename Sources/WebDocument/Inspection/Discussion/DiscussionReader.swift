/// Reads the posts of a page from the elements that ``DiscussionFinder`` has found.
struct DiscussionReader {
    private let finder: DiscussionFinder
    private let resolver: ReferenceResolver
    private let budget: InspectionBudget
    private let document: Document

    private var posts: [DiscussionPost] = []
    /// The index of each candidate among the posts; -1 if it is not one of them.
    private var numbers: [Int]
    /// Whether each entry is excluded from the text of the post around it.
    private var removed: [Bool]
    private var paths = NodePath()
    /// Whether the budget has sufficed for all paths so far: those of posts far inside each other are long.
    private var keepsPaths = true
    /// The posts that others further indented may be replies to, the last one last.
    private var indents: [(indent: Int, post: Int)] = []

    private var tree: ContentTree { finder.tree }

    init(
        _ finder: DiscussionFinder,
        _ document: Document,
        _ resolver: ReferenceResolver,
        _ budget: InspectionBudget
    ) {
        self.finder = finder
        self.document = document
        self.resolver = resolver
        self.budget = budget
        numbers = [Int](repeating: -1, count: finder.candidates.count)
        removed = []
    }

    /// The posts, in document order; those that the budget does not suffice for are left out.
    ///
    /// Complexity: O(n) in the size of the page.
    mutating func read() -> [DiscussionPost] {
        guard finder.candidates.contains(where: \.isPost) else { return [] }
        remove()
        for (index, candidate) in finder.candidates.enumerated() where candidate.isPost {
            guard budget.spend(Self.postSize) else { break }
            append(candidate, index)
        }
        return posts
    }

    /// Who wrote the first post, and when; nil where there is none.
    var opening: DiscussionOpening? {
        guard let first = finder.candidates.first(where: \.isPost) else { return nil }
        let position = tree.entries[first.entry].node.sourcePosition
        return DiscussionOpening(author: author(first)?.name, date: date(first), position: position)
    }

    /// The units that a post takes, its text apart.
    private static let postSize = 768

    /// Marks entries that are not text of the post around them: other posts, and controls of posts.
    private mutating func remove() {
        removed = [Bool](repeating: false, count: tree.entries.count)
        for candidate in finder.candidates { removed[candidate.entry] = true }
        for (index, entry) in tree.entries.enumerated() where finder.owners[index] >= 0 {
            let marks = finder.marks[index]
            if entry.element.traits.contains(.opaque) || entry.element == .form || entry.element == .nav {
                removed[index] = true
            } else if marks.contains(.control), isBare(index) {
                removed[index] = true
            }
        }
    }

    /// Whether an element has nothing to read but links and a word or two.
    private func isBare(_ index: Int) -> Bool {
        let end = Int(tree.entries[index].end)
        guard end - index < 40 else { return false }
        var length: Int32 = 0
        var inner = index
        while inner < end {
            let entry = tree.entries[inner]
            length &+= entry.length
            inner = entry.element == .a ? Int(entry.end) : inner + 1
        }
        return length <= 12
    }

    private mutating func append(_ candidate: DiscussionFinder.Candidate, _ index: Int) {
        let (bytes, markdown) = texts(candidate)
        guard !bytes.isEmpty, budget.spend(size: 0, text: bytes.count + markdown.count) else { return }
        let node = tree.entries[candidate.entry].node
        let parent = parent(of: candidate, index)
        let author = author(candidate)
        numbers[index] = posts.count
        indents.append((candidate.indent, posts.count))
        var path = keepsPaths ? paths.css(Node(node, in: document)) : nil
        if let written = path, !budget.spendOptional(size: 0, text: written.utf8.count) {
            path = nil
            keepsPaths = false
        }
        posts.append(
            DiscussionPost(
                id: identifier(candidate),
                author: author?.name,
                authorURL: author?.url,
                date: date(candidate),
                text: String(decoding: bytes, as: UTF8.self),
                markdown: String(decoding: markdown, as: UTF8.self),
                depth: parent.map { posts[$0].depth + 1 } ?? 0,
                parent: parent,
                path: path,
                position: node.sourcePosition
            )
        )
    }

    // MARK: - Text

    /// The text of a post, plain and as CommonMark.
    private mutating func texts(_ candidate: DiscussionFinder.Candidate) -> ([UInt8], [UInt8]) {
        let root = candidate.body >= 0 ? candidate.body : candidate.entry
        var apart: [(Int, Bool)] = [(root, removed[root])]
        removed[root] = false
        if candidate.body < 0 {
            for entry in [candidate.author, candidate.date] where entry >= 0 {
                let outermost = surroundings(of: entry, candidate)
                apart.append((outermost, removed[outermost]))
                removed[outermost] = true
            }
        }
        defer { for (entry, was) in apart.reversed() { removed[entry] = was } }
        var plain = PlainTextWriter()
        plain.write(tree, root, removed: removed)
        // Without roots the writer looks for no notes, which would take the time of the whole page for each post.
        var writer = MarkdownWriter(tree, removed: removed, roots: [], resolver: resolver)
        writer.write(root)
        var text = plain.bytes[...]
        while let first = text.first, first.isASCIIWhitespace { text.removeFirst() }
        while let last = text.last, last.isASCIIWhitespace { text.removeLast() }
        return (Array(text), writer.blocks.bytes)
    }

    /// The outermost element around an author or a date with hardly more to read: "Ann says:", "3 May |".
    private func surroundings(of entry: Int, _ candidate: DiscussionFinder.Candidate) -> Int {
        func length(_ index: Int) -> Int32 {
            finder.lengths[Int(tree.entries[index].end)] &- finder.lengths[index]
        }
        var outermost = entry
        for _ in 0..<6 {
            let parent = Int(tree.entries[outermost].parent)
            guard parent > candidate.entry else { break }
            var known: Int32 = 0
            let range = parent..<Int(tree.entries[parent].end)
            let (author, date) = (candidate.author, candidate.date)
            if author >= 0, range.contains(author) { known &+= length(author) }
            let isInside = author >= 0 && (author..<Int(tree.entries[author].end)).contains(date)
            if date >= 0, range.contains(date), !isInside { known &+= length(date) }
            // Something has to be left.
            guard length(parent) &- known <= 12, candidate.length > Int(length(parent)) else { break }
            outermost = parent
        }
        return outermost
    }

    // MARK: - Author

    private func author(_ candidate: DiscussionFinder.Candidate) -> (name: String, url: WebURL?)? {
        guard candidate.author >= 0 else { return nil }
        // The innermost element that names somebody: a name may stand among other things.
        var chosen = candidate.author
        var end = Int(tree.entries[chosen].end)
        var link = tree.entries[chosen].element == .a ? chosen : -1
        var index = chosen + 1
        let limit = min(end, chosen + Self.authorSize)
        var isNamed = false
        while index < min(limit, end) {
            let entry = tree.entries[index]
            let names = !finder.marks[index].isDisjoint(with: .author)
            let shows = entry.element == .a || entry.element == .strong || entry.element == .b
            if names || shows && !isNamed, holdsText(index, Int(entry.end)) {
                chosen = index
                end = Int(entry.end)
                if entry.element == .a { link = index }
                isNamed = names || entry.element == .a || isNamed
            }
            index += 1
        }
        var text: [UInt8] = []
        var date = candidate.date
        if date >= 0, !(chosen..<end).contains(date) || date == chosen { date = -1 }
        index = chosen
        while index < min(end, chosen + Self.authorSize) {
            if index == date {
                index = Int(tree.entries[index].end)
                continue
            }
            tree.entries[index].node.appendText(to: &text)
            index += 1
        }
        let name = Self.trimmed(String(decoding: text, as: UTF8.self).collapsingASCIIWhitespace)
        guard !name.isEmpty, !ArticleName.isIntroduction(name) else { return nil }
        if link < 0 { link = self.link(around: chosen, candidate.entry) }
        let reference = link < 0 ? nil : tree.entries[link].node.attribute("href")
        return (name, reference.flatMap { try? resolver.resolve($0) })
    }

    /// How many entries of an author's element are looked at.
    private static let authorSize = 64

    private func holdsText(_ index: Int, _ end: Int) -> Bool {
        for inner in index..<min(end, index + Self.authorSize) where tree.entries[inner].length > 1 {
            return true
        }
        return false
    }

    /// The link that an entry is in, within its post; -1 without one.
    private func link(around index: Int, _ post: Int) -> Int {
        var index = index
        for _ in 0..<4 where index > post {
            if tree.entries[index].element == .a { return index }
            index = Int(tree.entries[index].parent)
        }
        return -1
    }

    /// A name without the marks that separate it from what stands beside it.
    private static func trimmed(_ name: String) -> String {
        let marks: Set<Character> = [":", ",", "»", "«", "|", "•", "·", "-", "–", "—", " "]
        var name = name[...]
        while let last = name.last, marks.contains(last) { name.removeLast() }
        while let first = name.first, marks.contains(first) { name.removeFirst() }
        return String(name)
    }

    // MARK: - Date

    private func date(_ candidate: DiscussionFinder.Candidate) -> MetadataDate? {
        if let hidden = candidate.hiddenDate, let content = hidden.attribute("content") {
            return Self.date(
                content,
                instant: content,
                hidden,
                kind: .microdata,
                hidden.attribute("itemprop") ?? ""
            )
        }
        guard candidate.date >= 0 else { return nil }
        let entry = tree.entries[candidate.date]
        var text: [UInt8] = []
        for index in candidate.date..<min(Int(entry.end), candidate.date + Self.authorSize) {
            tree.entries[index].node.appendText(to: &text)
        }
        var element = entry.node
        if !element.isElement, let parent = element.parent { element = parent }
        let shown = String(decoding: text, as: UTF8.self)
        let instant = instant(candidate.date)
        return Self.date(shown, instant: instant, element, kind: .element, element.name)
    }

    /// The date in an attribute of an element, or of one of the few inside it.
    private func instant(_ index: Int) -> String? {
        for inner in index..<min(Int(tree.entries[index].end), index + 8) {
            let node = tree.entries[inner].node
            if let stated = node.attribute("datetime") { return stated }
            guard !finder.marks[inner].isDisjoint(with: .date) else { continue }
            if let content = node.attribute("content") { return content }
            if let title = node.attribute("title"), Self.read(title) != nil { return title }
            var attribute = node.firstAttribute
            while let current = attribute {
                attribute = current.next
                guard let value = unsafe current.valueBytes, unsafe DiscussionMarks.isEpoch(current, value),
                    let number = Int(inBounds: current.value)
                else { continue }
                // Thirteen digits are milliseconds, until the year 2286.
                let milliseconds = Int64(number) *| (current.value.utf8.count > 11 ? 1 : 1000)
                return Timestamp(millisecondsSince1970: milliseconds).text
            }
        }
        return nil
    }

    private static func date(
        _ shown: String,
        instant: String?,
        _ element: TreeNode,
        kind: MetadataSource.Kind,
        _ name: String
    ) -> MetadataDate? {
        let shown = shown.collapsingASCIIWhitespace
        let text = shown.isEmpty ? (instant ?? "").collapsingASCIIWhitespace : shown
        guard !text.isEmpty else { return nil }
        let read = [instant, text].lazy.compactMap { $0 }.compactMap(Self.read).first
        let source = MetadataSource(kind: kind, name: name, position: element.sourcePosition)
        return MetadataDate(text: text, date: read, source: source)
    }

    /// Returns a date in ISO 8601; `nil` if the text is not a date.
    static func read(_ text: String) -> String? {
        text.utf8.count <= 80 ? try? DateReader.read(text, order: nil) : nil
    }

    // MARK: - Place

    private func identifier(_ candidate: DiscussionFinder.Candidate) -> String? {
        let node = tree.entries[candidate.entry].node
        if let id = node.attribute("id"), !id.isEmpty { return id }
        // The element of a list around it may be what has the ID.
        let outer = candidate.outer < 0 ? nil : finder.candidates[candidate.outer]
        if let outer, !outer.isPost, finder.candidates[outer.representative].entry == candidate.entry,
            let id = tree.entries[outer.entry].node.attribute("id"), !id.isEmpty
        {
            return id
        }
        return node.attribute("data-id") ?? node.attribute("data-comment-id")
            ?? node.attribute("data-post-id")
    }

    /// The post that another one is a reply to: the one around it, or the one before it that is less indented.
    private mutating func parent(of candidate: DiscussionFinder.Candidate, _ index: Int) -> Int? {
        var level = index
        var outer = candidate.outer
        while outer >= 0 {
            let around = finder.candidates[outer]
            let first = around.representative
            if around.isPost, numbers[outer] >= 0 { return numbers[outer] }
            // An element around a post and its replies: the replies are in such elements as well, or else they are
            // beside the post, and not below it.
            if first >= 0, first != index, numbers[first] >= 0, isDeeper(level, in: outer) {
                return numbers[first]
            }
            if first != index { return nil }
            level = outer
            outer = around.outer
        }
        guard candidate.indent >= 0 else { return nil }
        while let last = indents.last, last.indent >= candidate.indent || last.indent < 0 {
            indents.removeLast()
        }
        return indents.last?.post
    }

    /// Whether a candidate right inside an element that is no post itself is below the first post in that, not beside
    /// it.
    private func isDeeper(_ level: Int, in outer: Int) -> Bool {
        func entry(_ candidate: Int) -> ContentTree.Entry { tree.entries[finder.candidates[candidate].entry] }
        let around = finder.candidates[outer]
        guard around.firstInside != level else { return false }
        let first = entry(around.firstInside)
        // The first stands right inside, or the replies are in elements like the one around.
        return Int(first.parent) == around.entry && Int(entry(level).parent) != around.entry
            || entry(level).element == entry(outer).element && first.element != entry(outer).element
    }
}
