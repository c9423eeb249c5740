import WebStandards

/// The text of a page that a reader sees, to be searched.
///
///     let text = FindableText(page)
///     for match in text?.matches(of: "green tea") ?? [] {
///         print(match.start.position?.line ?? 0, match.before + match.text + match.after)
///     }
///
/// It does not include the contents of scripts, style sheets, form fields and the like, nor text that markup hides; it
/// includes text that style sheets hide, since they are not applied.
public struct FindableText: Sendable {
    let page: ParsedPage
    let document: Document
    let text: FoldedText

    /// Gathers the text of a page; nil for a page without a tree.
    ///
    /// Complexity: O(n) in the size of the page.
    public init?(_ page: ParsedPage) {
        guard let document = page.document else { return nil }
        self.page = page
        self.document = document
        text = FoldedText(document, TextFolding(), capacity: page.response.body.count / 2)
    }

    /// Finds a text.
    ///
    /// White space of any kind and length is like any other. A match may go over the ends of elements, but not over the
    /// end of a block, as a paragraph is. Matches do not overlap.
    ///
    /// Complexity: O(n + m) in the sizes of the page and of the text to find, and in that of the paths of the matches.
    ///
    /// - Parameters:
    ///   - words: The text to find; an empty text, or one of white space alone, has no matches.
    ///   - options: The differences that count.
    ///   - maximumCount: The maximum number of matches, the first ones of the page; no matches if it is below 1.
    /// - Returns: The matches, in document order.
    public func matches(
        of words: String,
        options: FindOptions = FindOptions(),
        maximumCount: Int = 1000
    ) -> [TextMatch] {
        let found = occurrences(of: words, options: options, maximumCount: maximumCount)
        return places(of: found.ranges, in: found.text)
    }

    /// Where a text is, before anybody has asked for the places in the page and its source, which take longer to find
    /// out.
    package struct Occurrences: Sendable {
        fileprivate let ranges: [Range<Int>]
        fileprivate let text: FoldedText

        /// How many there are.
        package var count: Int { ranges.count }
    }

    /// Finds a text, as ``matches(of:options:maximumCount:)`` does.
    package func occurrences(of words: String, options: FindOptions, maximumCount: Int = 1000) -> Occurrences
    {
        let folding = TextFolding(
            isCaseSensitive: options.isCaseSensitive,
            matchesDiacritics: options.matchesDiacritics
        )
        if folding.isPlain {
            return Occurrences(
                ranges: text.ranges(of: words, options, maximumCount: maximumCount),
                text: text
            )
        }
        // A match with case and accents is also one without.
        guard !text.ranges(of: words, FindOptions(), maximumCount: min(maximumCount, 1)).isEmpty else {
            return Occurrences(ranges: [], text: text)
        }
        let exact = FoldedText(document, folding, capacity: text.bytes.count)
        return Occurrences(ranges: exact.ranges(of: words, options, maximumCount: maximumCount), text: exact)
    }

    /// The match of a number; nil if there are not as many.
    package func match(_ number: Int, of found: Occurrences) -> TextMatch? {
        guard found.ranges.indices.contains(number) else { return nil }
        return places(of: [found.ranges[number]], in: found.text).first
    }

    /// Where the first of a URL fragment's directives is whose words are there; nil where none is.
    ///
    /// - Parameter fragment: The fragment, without "#".
    /// - Returns: The match.
    /// - Complexity: O(n · m) in the sizes of the text and of the directives, and ``TextDirectiveSearch/maximumSteps``
    ///   at most.
    ///
    /// [Find a range from a text
    /// directive](https://wicg.github.io/scroll-to-text-fragment/#find-a-range-from-a-text-directive)
    package func match(ofFragment fragment: String) -> TextMatch? {
        var steps = TextDirectiveSearch.maximumSteps
        for directive in URLFragment(fragment).texts {
            if let match = match(of: directive, steps: &steps) { return match }
        }
        return nil
    }

    /// Where the words of a directive are; nil where they are not.
    package func match(of directive: TextDirective) -> TextMatch? {
        var steps = TextDirectiveSearch.maximumSteps
        return match(of: directive, steps: &steps)
    }

    private func match(of directive: TextDirective, steps: inout Int) -> TextMatch? {
        var search = TextDirectiveSearch(text.bytes, directive, steps: steps)
        let range = search.range()
        steps = search.steps
        return range.flatMap { places(of: [$0], in: text).first }
    }

    private func places(of ranges: [Range<Int>], in text: FoldedText) -> [TextMatch] {
        guard !ranges.isEmpty else { return [] }
        var paths = TextPaths(document)
        guard document.kind == .html, let encoding = page.encoding else {
            return ranges.map { range in text.match(range, &paths) { _, _ in nil } }
        }
        return unsafe DecodedText(page.response.body, encoding).withUTF8 { utf8 in
            do throws(HTMLParserError) {
                var source = try unsafe TextSource(utf8, text.map.nodes, document)
                var matches: [TextMatch] = []
                for range in ranges {
                    matches.append(text.match(range, &paths) { source.position(ofNode: $0, at: $1) })
                }
                return matches
            } catch {
                // Without memory for that, elements have to do.
                return ranges.map { range in text.match(range, &paths) { _, _ in nil } }
            }
        }
    }
}

/// The selectors of elements, that of the last one kept.
struct TextPaths {
    let document: Document
    private var paths = NodePath()
    private var last: (element: TreeNode, path: String?)?

    init(_ document: Document) { self.document = document }

    mutating func path(of element: TreeNode?) -> String? {
        guard let element else { return nil }
        if let last, last.element == element { return last.path }
        let path = paths.css(Node(element, in: document))
        last = (element, path)
        return path
    }
}
