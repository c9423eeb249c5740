public import WebLoader

/// Finding text on the page in view.
extension PageSession {
    /// What was looked for last, and what was found.
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

    /// How one match after the other is looked for.
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

    /// All places of a text on the page in view, 1,000 at most.
    ///
    /// - Parameters:
    ///   - text: What to look for.
    ///   - options: How it is compared.
    /// - Returns: The places, in document order; none if there is no page.
    /// - Throws: `LoadError` as ``page``.
    public func matches(
        of text: String,
        options: FindOptions = FindOptions()
    ) async throws(LoadError) -> [TextMatch] {
        try await findable()?.text.matches(of: text, options: options) ?? []
    }

    /// The next place of a text on the page in view, which is then the part in view.
    ///
    /// The first search begins at the start of the page, or at its end if it goes backwards; each further one for the same text at
    /// the match that is in view. The first 1,000 places are gone through.
    ///
    /// - Parameters:
    ///   - text: What to look for.
    ///   - configuration: How it is compared, and in which direction.
    /// - Returns: The place; nil if there is none (any more, without ``FindConfiguration/wraps``): then no match is in view.
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

    /// The number of the match in view, from 1; nil for none.
    package var matchNumber: Int? { finding?.index.map { $0 + 1 } }

    /// How many places were found, 1,000 at most.
    package var matchCount: Int { finding?.found?.count ?? 0 }

    /// What was looked for last on the page in view; nil for nothing.
    package var soughtText: String? {
        guard let finding, finding.entry == list.current?.id else { return nil }
        return finding.words
    }

    /// The text of the page in view, made once.
    private func findable() async throws(LoadError) -> Finding? {
        guard let entry = list.current, let page = try await page else { return nil }
        if let finding, finding.entry == entry.id, finding.key == entry.cacheKey { return finding }
        guard let text = FindableText(try await parsed(page)) else { return nil }
        let found = Finding(entry: entry.id, key: entry.cacheKey, text: text)
        finding = found
        return found
    }

    /// Shows the part of a page that the text fragment of its URL names, if there is one.
    func showFragment(_ page: Page) async {
        let entry = list.current?.id
        guard let fragment = list.current?.url.fragment, fragment.contains(":~:"),
            // Where there is no tree, the fragment leads nowhere.
            let parsed = try? await page.parsed(), let text = FindableText(parsed),
            // Another page may have come into view meanwhile.
            list.current?.id == entry
        else { return }
        setView(text.match(ofFragment: fragment).map(HistoryEntry.View.init))
    }
}
