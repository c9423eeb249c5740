/// Puts together what a page's metadata, its visible part and its URL say about it as an article.
///
/// Linear in the size of the metadata; of what the page shows it is given only the first few hundred places.
struct ArticleFinder {
    let metadata: PageMetadata
    let shown: ArticleCollector
    let url: WebURL
    /// When the response was made; nil where that is not known.
    let responseDate: WrittenDate?
    /// The first post of the discussion that the page is for; nil for other pages.
    let opening: DiscussionOpening?

    /// The names that the page's metadata gives its site.
    let site: ArticleSite

    /// How many values of a kind of metadata are looked at.
    static let maximumValues = 200
    private static let maximumTitles = 40

    init(
        _ metadata: PageMetadata,
        _ shown: ArticleCollector,
        url: WebURL,
        responseDate: WrittenDate?,
        opening: DiscussionOpening? = nil
    ) {
        self.opening = opening
        self.metadata = metadata
        self.shown = shown
        self.url = url
        self.responseDate = responseDate
        site = ArticleSite(
            names: metadata.siteNames.prefix(Self.maximumValues).map(\.text),
            host: url.hostname
        )
    }

    /// Everything that is known of the article.
    func article() -> PageArticle {
        var article = PageArticle()
        let title = title()
        article.title = title.fact
        article.site = siteName(inTitle: title.site, title.rest)
        article.language = language
        let heading = mainHeading(title.fact?.value)
        article.authors = authors(beside: heading)
        let language = article.language?.value ?? ""
        let dates = ArticleDates(self, beside: heading, language: language)
        article.published = dates.published
        article.modified = dates.modified
        if let opening { add(opening, to: &article) }
        return article
    }

    /// Adds what the first post of a discussion says, unless metadata or a heading say who began it, and when.
    private func add(_ opening: DiscussionOpening, to article: inout PageArticle) {
        let isStated = { (fact: ArticleFact) in fact.source.kind == .jsonLD || fact.source.kind == .meta }
        let source = ArticleFact.Source(.post, "author", opening.position)
        let isNamed = article.authors.contains { isStated($0) || $0.source.name == "user" }
        if !isNamed, let author = opening.author {
            article.authors = [ArticleFact(value: author, source: source, confidence: .inferred)]
        }
        if article.published.map({ !isStated($0) }) ?? true, let date = opening.date?.date {
            article.published = ArticleFact(
                value: date,
                source: ArticleFact.Source(.post, "date", opening.position),
                confidence: .inferred
            )
        }
    }

    // MARK: - Title

    /// The kinds of places that are made apart from each other: what two of them say is confirmed.
    static func family(_ kind: ArticleFact.Source.Kind) -> ArticleFact.Source.Kind {
        switch kind {
        case .rdfa, .microformats: .microdata
        case .label, .text, .link: .text
        default: kind
        }
    }

    /// The title, and what the `title` element has beside it: the site's name, or what may be it.
    private func title() -> (fact: ArticleFact?, site: String?, rest: String?) {
        var headings = shown.headings.filter { $0.level == 1 && !$0.isBeside && !site.isName($0.text) }
        if headings.isEmpty { headings = Array(shown.headings.filter(\.isNamed).prefix(1)) }
        let texts = metadata.titles.prefix(Self.maximumTitles)
        let others = Set(
            (headings.map { ArticleText($0.text) } + texts.map { ArticleText($0.text) }).filter {
                !$0.isEmpty
            }
        )
        var siteName: String?
        var rest: String?
        var found: [(text: String, letters: ArticleText, source: ArticleFact.Source)] = []
        func add(_ text: String, _ source: ArticleFact.Source) {
            let title = ArticleTitle(text, site, others: others)
            if siteName == nil { siteName = title.site }
            if rest == nil { rest = title.rest }
            found.append((title.text, ArticleText(title.text), source))
        }
        // Titles made for other programs come first; a JSON-LD `name` may be that of something else.
        let isName = { (text: MetadataText) in text.source.kind == .jsonLD && text.source.name == "name" }
        for text in texts where text.source.kind != .element && !isName(text) {
            add(text.text, .init(text.source))
        }
        for text in texts where text.source.kind == .element { add(text.text, .init(text.source)) }
        for heading in headings { add(heading.text, heading.source) }
        for text in texts where isName(text) { add(text.text, .init(text.source)) }
        guard let first = found.first else { return (nil, siteName, rest) }
        func isConfirmed(_ index: Int) -> Bool {
            found.contains {
                $0.letters.agrees(with: found[index].letters)
                    && !Self.isSamePlace($0.source, found[index].source)
            }
        }
        if let index = found.indices.first(where: isConfirmed) {
            let title = found[index]
            return (
                ArticleFact(value: title.text, source: title.source, confidence: .confirmed), siteName, rest
            )
        }
        let isVisible = first.source.kind == .element
        let confidence: ArticleFact.Confidence = found.count > 1 ? .doubtful : isVisible ? .inferred : .stated
        return (ArticleFact(value: first.text, source: first.source, confidence: confidence), siteName, rest)
    }

    /// Whether two titles are made together: two `meta` elements, but not the `title` element and a heading.
    private static func isSamePlace(_ one: ArticleFact.Source, _ other: ArticleFact.Source) -> Bool {
        one.kind == other.kind && (one.kind != .element || (one.name == "title") == (other.name == "title"))
    }

    /// The heading of the article itself: what says the title, or else the first.
    private func mainHeading(_ title: String?) -> ArticleCollector.Heading? {
        if let title = title.map({ ArticleText($0) }),
            let heading = shown.headings.first(where: { ArticleText($0.text).agrees(with: title) })
        {
            return heading
        }
        return shown.headings.first { !$0.isBeside && $0.isNamed && !site.isName($0.text) }
            ?? shown.headings.first { !$0.isBeside && $0.level == 1 && !site.isName($0.text) }
    }

    // MARK: - Site

    private func siteName(inTitle part: String?, _ rest: String?) -> ArticleFact? {
        let stated = metadata.siteNames.first { $0.text.utf8.count <= 200 && !$0.text.contains("://") }
        if let stated {
            let letters = ArticleText(stated.text)
            let inTitle = part.map { ArticleText($0) == letters } ?? false
            let others = metadata.siteNames.prefix(Self.maximumValues)
            let isConfirmed =
                inTitle || ArticleSite(names: [], host: url.hostname).isName(stated.text)
                || others.contains { $0.source.kind != stated.source.kind && ArticleText($0.text) == letters }
            let isContradicted = others.contains { ArticleText($0.text) != letters }
            return ArticleFact(
                value: stated.text,
                source: .init(stated.source),
                confidence: isConfirmed ? .confirmed : isContradicted ? .doubtful : .stated
            )
        }
        if let name = part ?? rest {
            let position = metadata.titles.first { $0.source.kind == .element }?.source.position
            // The host has the name, too, where it was recognized.
            let confidence: ArticleFact.Confidence = part == nil ? .inferred : .confirmed
            return ArticleFact(
                value: name,
                source: .init(.element, "title", position),
                confidence: confidence
            )
        }
        let host = url.hostname
        guard !host.isEmpty else { return nil }
        let name = host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
        return ArticleFact(value: name, source: .init(.url, "host"), confidence: .inferred)
    }

    // MARK: - Language

    private var language: ArticleFact? {
        let detected = TextLanguage.language(of: shown.sample)
        let declared = metadata.languages.first { $0.text.utf8.count <= 100 }
        guard let declared else {
            return detected.map {
                ArticleFact(value: $0, source: .init(.text, "language"), confidence: .inferred)
            }
        }
        let primary = TextLanguage.primary(declared.text)
        let others = metadata.languages.prefix(Self.maximumValues).map { TextLanguage.primary($0.text) }
        guard let detected else {
            let isContradicted = others.contains { !TextLanguage.areAlike($0, primary) }
            return ArticleFact(
                value: declared.text,
                source: .init(declared.source),
                confidence: isContradicted ? .doubtful : .stated
            )
        }
        if TextLanguage.areAlike(primary, detected) {
            return ArticleFact(value: declared.text, source: .init(declared.source), confidence: .confirmed)
        }
        guard TextLanguage.knows(primary) else {
            return ArticleFact(value: declared.text, source: .init(declared.source), confidence: .doubtful)
        }
        return ArticleFact(value: detected, source: .init(.text, "language"), confidence: .doubtful)
    }

    // MARK: - Authors

    /// How near to the heading a place is: from 0, far away or beside the article, to 4.
    static func nearness(_ place: ArticleCollector.Candidate, _ heading: ArticleCollector.Heading?) -> Int {
        if place.isBeside { return 0 }
        guard let heading else { return place.offset < 1_500 ? 2 : 1 }
        if place.offset >= heading.offset {
            let distance = place.offset - heading.end
            return distance < 500 ? 4 : distance < 1_500 ? 3 : 1
        }
        return heading.offset - place.offset < 300 ? 3 : 1
    }

    private func authors(beside heading: ArticleCollector.Heading?) -> [ArticleFact] {
        let stated = statedAuthors
        let visible = visibleAuthors(heading)
        let shownNames = visible.names.map { ArticleText($0.name) }
        guard let first = stated.first else {
            let confidence: ArticleFact.Confidence = visible.isSure ? .inferred : .doubtful
            return visible.names.map {
                ArticleFact(value: $0.name, source: $0.source, confidence: confidence)
            }
        }
        // A site is an author only where nobody else is.
        if first.names.allSatisfy({ site.isName($0) }), visible.isSure, !visible.names.isEmpty {
            return visible.names.map { ArticleFact(value: $0.name, source: $0.source, confidence: .inferred) }
        }
        let source = ArticleFact.Source(first.source)
        // Visible names are a separate source only if the metadata was not read from the same place.
        let isApart =
            visible.names.first.map { Self.family($0.source.kind) != Self.family(source.kind) } ?? false
        let others = stated.dropFirst().filter { $0.source.kind != first.source.kind }
            .map { $0.names.map { ArticleText($0) } }
        let own = first.names.map { ArticleText($0) }
        let agrees = { (names: [ArticleText]) in
            names.contains { name in own.contains { $0.agrees(with: name) } }
        }
        let isContradicted =
            visible.isSure && !shownNames.isEmpty && !agrees(shownNames) || others.contains { !agrees($0) }
        return first.names.prefix(ArticleName.maximumCount).map { name in
            let letters = ArticleText(name)
            let says = { (names: [ArticleText]) in names.contains { $0.agrees(with: letters) } }
            let isConfirmed = isApart && says(shownNames) || others.contains(where: says)
            return ArticleFact(
                value: name,
                source: source,
                confidence: isConfirmed ? .confirmed : isContradicted ? .doubtful : .stated
            )
        }
    }

    /// The authors that metadata name, by the places that name any, those that only name the site last.
    private var statedAuthors: [(names: [String], source: MetadataSource)] {
        var places: [(names: [String], source: MetadataSource)] = []
        for author in metadata.authors.prefix(Self.maximumValues) where author.source.kind != .link {
            // Libraries write the family's name first.
            let isListed = author.source.name == "citation_author" || author.source.name.hasSuffix(".creator")
            let text = isListed ? ArticleName.inSpokenOrder(author.text) : author.text
            let names = ArticleName.stated(text)
            if names.isEmpty { continue }
            if let last = places.last, last.source.kind == author.source.kind,
                last.source.name == author.source.name
            {
                places[places.count - 1].names += names.filter { !last.names.contains($0) }
            } else {
                places.append((names, author.source))
            }
        }
        let isSite = { (names: [String]) in names.allSatisfy { site.isName($0) } }
        return places.filter { !isSite($0.names) } + places.filter { isSite($0.names) }
    }

    /// The names that a place has.
    private func names(_ place: ArticleCollector.Candidate, isLabelled: Bool) -> [String] {
        guard place.isExact else { return ArticleName.names(in: place.text, isLabelled: isLabelled) }
        let name = String(decoding: place.text, as: UTF8.self).collapsingASCIIWhitespace
        return name.isEmpty || name.utf8.count > Self.longestName ? [] : [name]
    }

    /// Bytes of the longest name that is taken as it is.
    private static let longestName = 100

    /// The authors that the page shows, and whether they stand where authors do.
    private func visibleAuthors(
        _ heading: ArticleCollector.Heading?
    ) -> (names: [(name: String, source: ArticleFact.Source)], isSure: Bool) {
        var best: (score: Int, index: Int, names: [String])?
        for (index, place) in shown.authors.enumerated() {
            let isLabelled = place.source.kind != .text && place.source.name != "href"
            let nearness = Self.nearness(place, heading)
            if nearness == 0 || place.source.kind == .text && nearness < 3, !place.isHeaded { continue }
            if place.words.contains(.user), opening == nil { continue }
            let names = names(place, isLabelled: isLabelled).filter { !site.isName($0) }
            guard let first = names.first else { continue }
            var score = 10 *| nearness
            switch place.source.kind {
            case .microdata, .microformats, .rdfa: score += 12
            case .link: score += 10
            case .label: score += 8
            default: score += 9
            }
            // "Author", and nothing else, is a heading that is made for the article; near to it, markup says more.
            if place.isHeaded { score += nearness < 3 ? 16 : -2 }
            // One word is rather a label of something else.
            if !place.isExact, !first.contains(" "), first.utf8.allSatisfy({ $0 < 0x80 }) { score -= 9 }
            if score > best?.score ?? 0 { best = (score, index, names) }
        }
        guard let best else { return ([], false) }
        let place = shown.authors[best.index]
        var names = best.names.map { (name: $0, source: place.source) }
        // Others in elements of the same kind that follow closely.
        var end = place.offset + place.text.count
        for other in shown.authors[(best.index + 1)...]
        where !other.isBeside && other.source.kind == place.source.kind && other.offset >= place.offset {
            guard other.offset - end < 60 else { break }
            end = max(end, other.offset + other.text.count)
            for name in ArticleName.names(in: other.text, isLabelled: true)
            where name.contains(" ") && !site.isName(name) && !names.contains(where: { $0.name == name }) {
                names.append((name, other.source))
            }
        }
        return (Array(names.prefix(ArticleName.maximumCount)), best.score >= 35)
    }
}
