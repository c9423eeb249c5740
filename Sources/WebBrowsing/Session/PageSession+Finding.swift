public import WebLoader

/// Finding text on the page in view.
extension PageSession {
    /// The last search, and its matches.
    struct Finding: Sendable {
        let entry: Int
        let key: String?
        let text: FindableText
        var words: String?
        var options = FindOptions()
        var found: FindableText.Occurrences?
        /// The number of the match in view, from 0.
        var index: Int?
    }

    /// The configuration of a search for the next match.
    public struct FindConfiguration: Hashable, Sendable {
        /// How the text is compared.
        public var options = FindOptions()
        /// Whether the match before the one in view is looked for, and not the one after it; false by default.
        public var isBackwards = false
        /// Whether the search goes on at the other end of the page; true by default.
        public var wraps = true

        /// Creates a configuration with the defaults.
        public init() {}
    }

    /// Returns all matches of a text on the page in view, 1,000 at most.
    ///
    /// - Parameters:
    ///   - text: The text to search for.
    ///   - options: How the text is compared.
    /// - Returns: The matches, in document order; empty if there is no page.
    /// - Throws: `LoadError` as ``page``.
    public func matches(
        of text: String,
        options: FindOptions = FindOptions()
    ) async throws(LoadError) -> [TextMatch] {
        try await findable()?.text.matches(of: text, options: options) ?? []
    }

    /// Finds the next match of a text on the page in view, and makes it the part in view.
    ///
    /// The first search begins at the start of the page, or at its end if it goes backwards; each further search for
    /// the same text continues from the match in view. Only the first 1,000 matches are considered.
    ///
    /// - Parameters:
    ///   - text: The text to search for.
    ///   - configuration: How the text is compared, and the direction of the search.
    /// - Returns: The match; `nil` if there is none, or no further one without ``FindConfiguration/wraps``: then no
    ///   match is in view.
    /// - Throws: `LoadError` as ``page``.
    public func find(
        _ text: String,
        configuration: FindConfiguration = FindConfiguration()
    ) async throws(LoadError) -> TextMatch? {
        guard var finding = try await findable() else { return nil }
        if finding.words != text || finding.options != configuration.options {
            (finding.words, finding.options, finding.index) = (text, configuration.options, nil)
            finding.found = finding.text.occurrences(of: text, options: configuration.options)
        }
        guard let found = finding.found else { return nil }
        let places = 0..<found.count
        let end = configuration.isBackwards ? places.last : places.first
        var next = end
        if let index = finding.index { next = configuration.isBackwards ? index - 1 : index + 1 }
        if let place = next, !places.contains(place) { next = configuration.wraps ? end : nil }
        finding.index = next
        self.finding = finding
        let match = next.flatMap { finding.text.match($0, of: found) }
        setView(match.map(HistoryEntry.View.init))
        return match
    }

    /// The number of the match in view, from 1; `nil` if no match is in view.
    package var matchNumber: Int? { finding?.index.map { $0 + 1 } }

    /// The number of matches, 1,000 at most.
    package var matchCount: Int { finding?.found?.count ?? 0 }

    /// The text that was last searched for on the page in view; `nil` if there was no search.
    package var soughtText: String? {
        guard let finding, finding.entry == history.current?.id else { return nil }
        return finding.words
    }

    /// Returns the text of the page in view, which is built once.
    private func findable() async throws(LoadError) -> Finding? {
        guard let entry = history.current, let page = try await page else { return nil }
        if let finding, finding.entry == entry.id, finding.key == entry.cacheKey { return finding }
        guard let text = FindableText(try await parsed(page)) else { return nil }
        let found = Finding(entry: entry.id, key: entry.cacheKey, text: text)
        finding = found
        return found
    }

    /// Shows the part of a page that the text fragment of its URL names, if there is one.
    func showFragment(_ page: Page) async {
        let entry = history.current?.id
        guard let fragment = history.current?.url.fragment, fragment.contains(":~:"),
            // Without a tree, the fragment has no target.
            let parsed = try? await page.parsed(), let text = FindableText(parsed),
            // Another page may have come into view meanwhile.
            history.current?.id == entry
        else { return }
        setView(text.match(ofFragment: fragment).map(HistoryEntry.View.init))
    }
}
