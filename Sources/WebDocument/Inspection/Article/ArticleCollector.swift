/// Gathers what may be an article's title, author and date in the visible part of a page, and a sample of its text.
///
/// Linear in the page's size; of each kind only the first few hundred are kept.
struct ArticleCollector {
    private(set) var dates: [Candidate] = []
    private(set) var authors: [Candidate] = []
    private(set) var headings: [Heading] = []

    /// Text of the page, paragraphs first of all.
    private(set) var sample: [UInt8] = []

    private static let maximumCandidates = 300
    private static let maximumHeadings = 40
    private static let sampleSize = 6_000
    private static let lineSize = 2_000

    /// The bytes of the longest line that may say what the next one is about.
    private static let longestLabel = 40

    private let elements = ContentElement.Table()
    private let budget: InspectionBudget
    private var offset = 0

    /// The text since the last line ended, as far as it is kept, and where it began.
    private var line: [UInt8] = []
    private var lineStart = 0
    private var linePosition: SourcePosition?

    /// The line before that, if it is short and without digits: it may say what this one is about.
    private var lineBefore: [UInt8] = []

    /// The element that hides what is in it, and that which stands beside the article, with whether an `h1` in it says
    /// that it does not.
    private var hidden: TreeNode?
    private var beside: TreeNode?
    private var besideIsNamed = false

    /// The outermost `article` element that is open.
    private var article: TreeNode?

    /// - Parameters:
    ///   - document: The page's document; nil for one without, of which there is nothing.
    ///   - budget: The budget to spend from.
    init(_ document: Document?, _ budget: InspectionBudget) {
        self.budget = budget
        guard let document else { return }
        var walk = RenderedWalk(inside: document.node)
        while budget.spend(1), let step = walk.next() {
            switch step {
            case .enter(let node): if hidden == nil { enter(node) }
            case .leave(let node): leave(node)
            }
        }
        endLine()
    }

    // MARK: - Walking

    private mutating func enter(_ node: TreeNode) {
        if let bytes = unsafe node.textBytes {
            let length = unsafe TreeNode.length(bytes)
            let kept = max(0, min(length, Self.lineSize - line.count))
            unsafe line.append(contentsOf: UnsafeBufferPointer(start: bytes, count: kept))
            // White space is no distance.
            offset += length - kept + line.suffix(kept).count { !$0.isASCIIWhitespace }
            return
        }
        guard node.isElement else { return }
        let (element, traits) = elements.element(node)
        // A `title` shows nothing, and neither does what is in a form's controls.
        if element == .hidden || traits.contains(.opaque) {
            hidden = node
            return
        }
        if traits.contains(.block) || element == .br {
            endLine()
            linePosition = node.sourcePosition
        }
        read(node, element)
    }

    private mutating func leave(_ node: TreeNode) {
        if hidden == node { hidden = nil }
        // A line that ends with an element is in it.
        if hidden == nil, elements.element(node).1.contains(.block) { endLine() }
        if beside == node { beside = nil }
        if article == node { article = nil }
    }

    /// Reads an element's attributes, which say what it holds.
    private mutating func read(_ node: TreeNode, _ element: ContentElement) {
        var words: ArticleWords = []
        var source: ArticleFact.Source?
        var next = node.firstAttribute
        while let attribute = next {
            next = attribute.next
            switch attribute.initial {
            case UInt8(ascii: "c"), UInt8(ascii: "i"):
                guard let value = unsafe attribute.valueBytes else { continue }
                if attribute.hasName("class") || attribute.hasName("id") {
                    let said = unsafe ArticleWords(value)
                    words.formUnion(said)
                    if source == nil, !said.isDisjoint(with: [.date, .author, .title]) {
                        source = Self.microformat(attribute.value, node)
                    }
                } else if attribute.hasName("itemprop") {
                    let meaning = unsafe ArticleWords(value)
                    words.formUnion(meaning)
                    if !meaning.isDisjoint(with: [.date, .author, .headline]) {
                        source = .init(.microdata, attribute.value, node.sourcePosition)
                    }
                }
            case UInt8(ascii: "p"):
                if attribute.hasName("property"), let value = unsafe attribute.valueBytes {
                    let meaning = unsafe ArticleWords(value)
                    words.formUnion(meaning)
                    if !meaning.isDisjoint(with: [.date, .author, .headline]) {
                        source = .init(.rdfa, attribute.value, node.sourcePosition)
                    }
                }
            case UInt8(ascii: "r"):
                if attribute.hasName("rel"), attribute.value.asciiWords.contains("author") {
                    words.insert(.author)
                    source = .init(.link, "author", node.sourcePosition)
                }
            case UInt8(ascii: "h"):
                if attribute.hasName("hidden") {
                    hidden = node
                    return
                }
                if element == .a, beside == nil, source == nil, attribute.hasName("href"),
                    Self.leadsToAuthor(attribute.value)
                {
                    words.insert(.author)
                    source = .init(.link, "href", node.sourcePosition)
                }
            default: break
            }
        }
        let isArticle = node.hasName("article")
        if isArticle, article == nil { article = node }
        // An element with all of the main content is not beside it, whatever its class says.
        if besideIsNamed, node.hasName("main") || isArticle && headings.isEmpty { beside = nil }
        if beside == nil, isBeside(node, words) {
            beside = node
            besideIsNamed = words.contains(.beside)
        }
        if element == .h1 || beside == nil && (element == .h2 || words.isHeadline) {
            addHeading(node, element, source, isNamed: words.isHeadline)
        }
        if element == .body { return }
        let isTime = node.hasName("time")
        if isTime || words.isDate {
            addDate(node, isTime: isTime, words, source)
        }
        if words.contains(.author) || words.contains(.user) { addAuthor(node, words, source) }
    }

    private func isBeside(_ node: TreeNode, _ words: ArticleWords) -> Bool {
        if node.hasName("nav") { return true }
        // A small `aside` may hold the article's own metadata.
        if node.hasName("aside") { return article == nil || text(of: node, limit: 240) == nil }
        if node.hasName("footer") || words.contains(.footer) {
            return article == nil && !words.contains(.article)
        }
        guard words.contains(.beside) else { return false }
        return !node.hasName("body") && !node.hasName("main") && !node.hasName("article")
            && !node.hasName("html")
    }

    /// The source that a class of a microformat makes an element.
    private static func microformat(_ value: String, _ node: TreeNode) -> ArticleFact.Source? {
        let names = ["p-author", "dt-published", "dt-updated", "entry-title"]
        guard let name = value.asciiWords.first(where: { names.contains($0) }) else { return nil }
        return ArticleFact.Source(.microformats, name, node.sourcePosition)
    }

    /// Whether a link leads to a page about an author.
    private static func leadsToAuthor(_ reference: String) -> Bool {
        guard reference.utf8.count < 300 else { return false }
        return reference.split(separator: "/").dropLast().contains { part in
            switch part.lowercased() {
            case "author", "authors", "autor", "autores", "autoren", "auteur", "auteurs", "autore", "writers",
                "staff", "contributors", "journalist", "by", "byline", "columnist", "reporters":
                true
            default: false
            }
        }
    }

    // MARK: - Candidates

    private mutating func addHeading(
        _ node: TreeNode,
        _ element: ContentElement,
        _ source: ArticleFact.Source?,
        isNamed: Bool
    ) {
        guard headings.count < Self.maximumHeadings, budget.spend(size: 256),
            let text = text(of: node, limit: 600).map({
                String(decoding: $0, as: UTF8.self).collapsingASCIIWhitespace
            }),
            !text.isEmpty
        else { return }
        // An element with the article's heading is not beside the article.
        if element == .h1, besideIsNamed { beside = nil }
        headings.append(
            Heading(
                text: text,
                source: source ?? ArticleFact.Source(.element, node.name, node.sourcePosition),
                level: element == .h1 ? 1 : 2,
                offset: offset,
                end: offset + text.utf8.count { !$0.isASCIIWhitespace },
                isBeside: beside != nil,
                isNamed: isNamed
            )
        )
    }

    private mutating func addDate(
        _ node: TreeNode,
        isTime: Bool,
        _ words: ArticleWords,
        _ source: ArticleFact.Source?
    ) {
        guard dates.count < Self.maximumCandidates, budget.spend(size: 512) else { return }
        let written =
            node.attribute("datetime") ?? node.attribute("content")
            ?? (isTime ? nil : node.attribute("title"))
        let shown = text(of: node, limit: 240)
        guard let text = written.map({ Array($0.utf8.prefix(100)) }) ?? shown, !text.isEmpty else { return }
        let name = words.contains(.modified) ? "modified" : "date"
        let position = node.sourcePosition
        dates.append(
            Candidate(
                source: source
                    ?? (isTime ? .init(.element, "time", position) : .init(.label, name, position)),
                text: text,
                label: label,
                offset: offset,
                isBeside: beside != nil,
                words: words
            )
        )
        // The text may say otherwise, and a time zone may be only there.
        if written != nil, !isTime, let shown, !shown.isEmpty { addShown(shown, words, position) }
    }

    /// The text before the current place, at most 60 bytes.
    private var label: [UInt8] {
        Array((line.allSatisfy(\.isASCIIWhitespace) ? lineBefore : line).suffix(60))
    }

    private mutating func addShown(_ text: [UInt8], _ words: ArticleWords, _ position: SourcePosition?) {
        dates.append(
            Candidate(
                source: .init(.label, words.contains(.modified) ? "modified" : "date", position),
                text: text,
                label: label,
                offset: offset,
                isBeside: beside != nil,
                words: words
            )
        )
    }

    private mutating func addAuthor(_ node: TreeNode, _ words: ArticleWords, _ source: ArticleFact.Source?) {
        guard authors.count < Self.maximumCandidates, budget.spend(size: 512),
            let text = nameOfItem(node) ?? text(of: node, limit: 300),
            !text.isEmpty
        else { return }
        let isUser = !words.contains(.author)
        authors.append(
            Candidate(
                source: source ?? ArticleFact.Source(.label, isUser ? "user" : "author", node.sourcePosition),
                text: text,
                offset: offset,
                isBeside: beside != nil,
                words: words,
                isExact: isUser || node.hasAttribute("itemscope")
            )
        )
    }

    /// Returns the name of a microdata item, such as a person; `nil` if the element is not an item or has no name.
    private func nameOfItem(_ node: TreeNode) -> [UInt8]? {
        guard node.hasAttribute("itemscope") else { return nil }
        var walk = TreeWalk(inside: node)
        var nodes = 0
        while nodes < 120, budget.spend(InspectionBudget.visit), let element = walk.nextElement() {
            nodes += 1
            guard let names = element.attribute("itemprop"), names.asciiWords.contains("name") else {
                continue
            }
            if let content = element.attribute("content") { return Array(content.utf8.prefix(300)) }
            return text(of: element, limit: 300)
        }
        return nil
    }

    /// The text inside an element with a line feed where one begins or ends that is not only emphasis; nil where it is
    /// longer, or in many nodes.
    private func text(of element: TreeNode, limit: Int) -> [UInt8]? {
        var text: [UInt8] = []
        var walk = RenderedWalk(inside: element)
        var nodes = 0
        var hidden: TreeNode?
        while let step = walk.next() {
            nodes += 1
            guard nodes < 120, budget.spend(InspectionBudget.visit) else { return nil }
            switch step {
            case .enter(let node):
                guard hidden == nil else { continue }
                if node.isText {
                    node.appendText(to: &text)
                } else if node.isElement {
                    let (kind, traits) = elements.element(node)
                    if kind == .hidden || traits.contains(.opaque) { hidden = node }
                    if !Self.isEmphasis(node) { text.append(0x0A) }
                }
            case .leave(let node):
                if hidden == node { hidden = nil }
                if hidden == nil, !Self.isEmphasis(node) { text.append(0x0A) }
            }
            if text.count > 2 * limit { return nil }
        }
        let trimmed = Self.trimmed(text)
        return trimmed.count > limit ? nil : trimmed
    }

    private static func isEmphasis(_ node: TreeNode) -> Bool {
        node.hasName("b") || node.hasName("strong") || node.hasName("em") || node.hasName("i")
            || node.hasName("sup")
            || node.hasName("font") || node.hasName("mark") || node.hasName("wbr")
    }

    /// A text with white space at its ends stripped, and each run of it in one byte: a line feed if there is one in it.
    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var space: UInt8?
        for byte in text {
            if byte.isASCIIWhitespace {
                space = byte == 0x0A || space == 0x0A ? 0x0A : 0x20
            } else {
                if let space, !output.isEmpty { output.append(space) }
                space = nil
                output.append(byte)
            }
        }
        return output
    }

    // MARK: - Lines

    /// Ends a line of visible text: one that is short may be a date or name an author, a long one is a sample.
    private mutating func endLine() {
        if line.allSatisfy(\.isASCIIWhitespace) {
            line.removeAll(keepingCapacity: true)
            return
        }
        defer {
            lineBefore.removeAll(keepingCapacity: true)
            if line.count <= Self.longestLabel, !line.contains(where: \.isASCIIDigit) {
                lineBefore.append(contentsOf: line)
            }
            line.removeAll(keepingCapacity: true)
            lineStart = offset
        }
        // "By" alone may be a word of a headline.
        let isNamed =
            lineBefore.count > 3 && ArticleName.isIntroduced(lineBefore)
            && ArticleName.isIntroduction(String(decoding: lineBefore, as: UTF8.self))
        guard line.count >= (isNamed ? 2 : 6) else { return }
        if line.count >= 60, beside == nil, sample.count < Self.sampleSize {
            sample.append(contentsOf: line)
            sample.append(0x0A)
        }
        guard line.count <= 300 else { return }
        let digits = line.count { $0.isASCIIDigit || $0 >= 0xD9 }
        if digits >= 3, dates.count < Self.maximumCandidates, budget.spend(size: 512) {
            let text = Self.trimmed(line)
            if text.count <= 220 { dates.append(candidate(text, "date")) }
        }
        if authors.count < Self.maximumCandidates, isNamed || ArticleName.isIntroduced(line),
            budget.spend(size: 512)
        {
            var author = candidate(Self.trimmed(line), "byline")
            author.isHeaded = isNamed
            authors.append(author)
        }
    }

    private func candidate(_ text: [UInt8], _ name: String) -> Candidate {
        Candidate(
            source: ArticleFact.Source(.text, name, linePosition),
            text: text,
            label: lineBefore,
            offset: lineStart,
            isBeside: beside != nil,
            words: []
        )
    }
}
