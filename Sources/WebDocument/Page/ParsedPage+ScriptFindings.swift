extension ParsedPage {
    /// Returns the findings about content that only scripts make: it is missing for programs that run none, as many
    /// search engines and all previews in messages.
    ///
    /// Text and links count as served wherever they are in the served markup, also where it hides them. Nothing is
    /// found where the page is `served` itself.
    ///
    /// - Parameter served: The page as its server sent it, where this one is what its scripts have made of it.
    /// - Returns: At most one finding of each code; of `render.metadata-by-script` one for each kind of metadata, of
    ///   `render.structured-data-only-by-script` one for each format.
    /// - Complexity: O(n) in the size of both pages.
    public func scriptFindings(served: ParsedPage) -> Findings {
        var findings = Findings()
        addIndexing(served, to: &findings)
        addMetadata(served, to: &findings)
        addText(served, to: &findings)
        addNavigation(served, to: &findings)
        addStructuredData(served, to: &findings)
        return findings
    }

    // MARK: - Metadata

    private func addIndexing(_ served: ParsedPage, to findings: inout Findings) {
        let isForbidden = metadata.robots.contains(where: \.forbidsIndexing)
        guard served.metadata.robots.contains(where: \.forbidsIndexing) != isForbidden else { return }
        findings.add(
            .renderIndexing,
            isForbidden
                ? "as served the page may be indexed; scripts forbid it"
                : "as served the page must not be indexed; scripts allow it"
        )
    }

    private func addMetadata(_ served: ParsedPage, to findings: inout Findings) {
        func compare(_ name: String, _ element: String, _ value: (ParsedPage) -> String?) {
            let (old, new) = (value(served), value(self))
            guard old != new else { return }
            func said(_ value: String?) -> String {
                value.map { "\"\(FindingCollector.shortened($0))\"" } ?? "missing"
            }
            findings.add(
                .renderMetadata,
                "the \(name) is \(said(old)) as served, and \(said(new)) once scripts have run",
                element: element
            )
        }
        compare("title", "title", \.title)
        compare("language", "html", \.metadata.language)
        compare("description", "meta", \.metadata.description)
        compare("canonical URL", "link") { page in
            page.metadata.canonicals.first.map { $0.url?.description ?? $0.reference }
        }
        compare("list of other languages", "link") { page in
            let languages = page.metadata.alternates.compactMap(\.language)
            return languages.isEmpty ? nil : Set(languages).sorted().joined(separator: ", ")
        }
    }

    // MARK: - Text

    private func addText(_ served: ParsedPage, to findings: inout Findings) {
        let (old, new) = (PageWords(served), PageWords(self))
        func add(_ code: Finding.Code, _ words: PageWords, _ others: PageWords, _ when: String) {
            let (missing, all) = words.count(missingIn: others)
            guard missing > 0 else { return }
            let percent = Int(bounded: (Double(missing) / Double(all) * 100).rounded())
            findings.add(
                code,
                "\(missing) of \(all) words (\(percent) %) are there only \(when) scripts have run"
            )
        }
        add(.renderText, new, old, "once")
        add(.renderTextRemoved, old, new, "until")
    }

    // MARK: - Links

    private func addNavigation(_ served: ParsedPage, to findings: inout Findings) {
        let known = Set(served.destinations(inTemplates: true))
        let shown = destinations(inTemplates: false)
        guard let first = shown.first(where: { !known.contains($0) }) else { return }
        let all = Set(shown)
        let count = all.count { !known.contains($0) }
        let example = FindingCollector.shortened(first.description)
        findings.add(
            .renderLinks,
            "\(count) of \(all.count) links are there only once scripts have run, as \(example)",
            element: "a"
        )
    }

    /// Where the links of the page lead; those in frames are not its own.
    private func destinations(inTemplates: Bool) -> [WebURL] {
        let links = inspecting { budget in
            var collector = LinkCollector(
                documentURL: facts.fallbackBaseURL,
                base: baseURL,
                encoding: encoding?.encoding ?? .utf8,
                budget,
                limits: facts.settings.parsing.limits,
                // Without what is in frames.
                notesPlaces: true
            )
            if let document { collector.collect(document) }
            return collector.links
        }
        return links.filter { $0.kind == .navigation && (inTemplates || !$0.isInert) }
            .compactMap { $0.url?.withoutFragment }
            .filter { $0.scheme != "javascript" }
    }

    // MARK: - Structured data

    private func addStructuredData(_ served: ParsedPage, to findings: inout Findings) {
        let (old, new) = (served.structuredData, structuredData)
        func compare(_ format: String, _ names: (StructuredData) -> [String]) {
            let known = Set(names(old))
            let added = Set(names(new)).subtracting(known).sorted()
            guard !added.isEmpty else { return }
            findings.add(
                .renderStructuredData,
                "there is \(format) only once scripts have run: \(FindingCollector.shortened(added.joined(separator: ", ")))"
            )
        }
        compare("JSON-LD") { $0.jsonLD.flatMap { $0.nodes.flatMap(\.jsonLDTypes) } }
        compare("microdata") { $0.microdata.flatMap(\.types) }
        compare("RDFa") { $0.rdfa.flatMap(\.types) }
        compare("Open Graph") { $0.openGraph.properties.map(\.name) }
        compare("a Twitter card") { $0.twitterCard.map(\.name) }
    }
}

/// The words of a page, and how often each is there: of the first 8 MiB of its text.
private struct PageWords {
    private static let maximumText = 8 << 20

    /// The counts of a text between spaces.
    private struct Count {
        /// How many words it is: in some languages there are many between spaces.
        let words: Int
        var times = 0
    }

    /// By their hashes: in the text that is shown, and in that of the markup, also where it is hidden.
    private let shown: [Int: Count]
    private let all: [Int: Count]

    init(_ page: ParsedPage) {
        shown = Self.counts(of: Array((page.wholeText?.text ?? "").utf8.prefix(Self.maximumText)))
        // Where other elements end words, the text that is shown says so.
        all = Self.counts(of: Self.markupText(page)).merging(shown) { $0.times > $1.times ? $0 : $1 }
    }

    /// How many of the words that are shown are not among those of another page as often, and how many there are.
    func count(missingIn others: PageWords) -> (missing: Int, all: Int) {
        var (missing, count) = (0, 0)
        for (hash, word) in shown {
            count += word.times *| word.words
            missing += max(0, word.times - (others.all[hash]?.times ?? 0)) *| word.words
        }
        return (missing, count)
    }

    private static func counts(of text: [UInt8]) -> [Int: Count] {
        var counts: [Int: Count] = [:]
        var start = 0
        while start < text.count {
            var end = start
            while end < text.count, !text[end].isASCIIWhitespace { end += 1 }
            if end > start {
                let word = text[start..<end]
                var hasher = Hasher()
                unsafe word.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
                counts[hasher.finalize(), default: Count(words: ReadableText.wordCount(Array(word)))].times +=
                    1
            }
            start = end + 1
        }
        return counts
    }

    private static func markupText(_ page: ParsedPage) -> [UInt8] {
        var text: [UInt8] = []
        var walk = page.document.map { ContentsWalk(inside: $0.node) }
        while text.count < maximumText, let step = walk?.next() {
            switch step {
            case .enter(let node) where node.isText:
                if let parent = node.parent, parent.hasName("script") || parent.hasName("style") { continue }
                node.appendText(to: &text)
            case .enter(let node), .leave(let node):
                if VisibleText.separatesWords(node) { text.append(UInt8(ascii: " ")) }
            case .enterContents, .leaveContents: text.append(UInt8(ascii: " "))
            }
        }
        return text
    }
}
