/// When an article was published and modified, by all that its page says.
struct ArticleDates {
    private(set) var published: ArticleFact?
    private(set) var modified: ArticleFact?

    /// A date and where it was found.
    private struct Found {
        let date: WrittenDate
        /// The date as it is given on.
        let text: String
        let source: ArticleFact.Source
        var isModified = false
        /// Whether it is said by how long ago it was.
        var isRelative = false
        /// For a visible one, how likely it is the article's.
        var score = 0
    }

    private let order: DateReader.Order
    private let orderIsKnown: Bool

    init(_ finder: ArticleFinder, beside heading: ArticleCollector.Heading?, language: String) {
        (order, orderIsKnown) = Self.order(finder.shown.dates, language, finder.url.hostname)
        let visible = shown(finder, heading)
        let path = Self.date(inPath: finder.url.pathname)
        let metadata = finder.metadata
        published = choose(
            stated(metadata.published),
            visible.filter { !$0.isModified },
            path.map { Found(date: $0, text: $0.text, source: .init(.url, "path")) }
        )
        modified = choose(stated(metadata.modified), visible.filter(\.isModified), nil)
        // Nothing is modified before it is published.
        if let first = published.flatMap({ Self.read($0.value) }),
            let last = modified.flatMap({ Self.read($0.value) }),
            last.days(to: first) > 1
        {
            modified?.confidence = .doubtful
        }
    }

    private static func read(_ text: String) -> WrittenDate? {
        WrittenDateReader.dates(in: Array(text.utf8), order: .yearMonthDay).first?.date
    }

    // MARK: - The order of numbers

    /// The order of day and month in dates of numbers, and whether other dates of the page tell it.
    private static func order(
        _ places: [ArticleCollector.Candidate],
        _ language: String,
        _ host: String
    ) -> (DateReader.Order, isKnown: Bool) {
        var counts = (dayFirst: 0, monthFirst: 0)
        for place in places {
            for found in WrittenDateReader.dates(in: place.text, order: .dayMonthYear) {
                switch found.date.certainOrder {
                case .dayMonthYear: counts.dayFirst += 1
                case .monthDayYear: counts.monthFirst += 1
                default: break
                }
            }
        }
        if counts.dayFirst > 0, counts.monthFirst == 0 { return (.dayMonthYear, true) }
        if counts.monthFirst > 0, counts.dayFirst == 0 { return (.monthDayYear, true) }
        switch TextLanguage.primary(language) {
        case "en":
            let region = language.split { $0 == "-" || $0 == "_" }.dropFirst().last?.lowercased()
            if let region, region.utf8.count == 2 {
                return (region == "us" || region == "ph" ? .monthDayYear : .dayMonthYear, false)
            }
            let domain = host.split(separator: ".").last.map { String($0) } ?? ""
            return (daysFirst.contains(domain) ? .dayMonthYear : .monthDayYear, false)
        case "ja", "zh", "ko", "hu": return (.yearMonthDay, false)
        default: return (.dayMonthYear, false)
        }
    }

    /// Domains of countries where English is written, and days come first.
    private static let daysFirst: Set<String> = [
        "uk", "au", "nz", "ie", "in", "za", "ng", "ke", "gh", "sg", "hk", "pk", "jm", "tt",
    ]

    // MARK: - Metadata

    /// The dates of metadata that can be read, the most trusted first, without those that are not about the article:
    /// the first `time` of the page, and when its file was changed.
    private func stated(_ dates: [MetadataDate]) -> [Found] {
        dates.prefix(ArticleFinder.maximumValues).compactMap { found in
            guard found.source.kind != .element, found.source.kind != .field, found.source.kind != .pragma
            else { return nil }
            let source = ArticleFact.Source(found.source)
            if let text = found.date, let date = Self.read(text) {
                return Found(date: date, text: text, source: source)
            }
            let read = WrittenDateReader.dates(in: Array(found.text.utf8), order: order).first
            return read.map { Found(date: $0.date, text: $0.date.text, source: source) }
        }
    }

    // MARK: - Visible

    /// The dates that the page shows, with a score each.
    private func shown(_ finder: ArticleFinder, _ heading: ArticleCollector.Heading?) -> [Found] {
        var found: [Found] = []
        for place in finder.shown.dates {
            let nearness = ArticleFinder.nearness(place, heading)
            // A heading of its own, wherever it stands, is made for the article.
            let isHeaded = DateLabel.isAll(of: place.label)
            if nearness == 0, !isHeaded { continue }
            let dates = WrittenDateReader.dates(in: place.text, order: order)
            if dates.isEmpty, let date = Self.relative(place, to: finder.responseDate) {
                let isModified = place.words.contains(.modified)
                found.append(
                    Found(
                        date: date,
                        text: date.text,
                        source: place.source,
                        isModified: isModified,
                        isRelative: true,
                        score: 10 *| nearness
                    )
                )
            }
            var end = 0
            for (index, read) in dates.enumerated() {
                let before = Array(place.text[end..<read.range.lowerBound])
                end = read.range.upperBound
                let behind = dates.count == 1 ? Array(place.text[end...].prefix(40)) : []
                let label = DateLabel(index == 0 ? place.label + [0x20] + before : before, behind: behind)
                var score = 10 *| nearness
                switch place.source.kind {
                case .microdata, .rdfa, .microformats: score += 20
                case .element: score += 14
                case .label: score += 12
                default:
                    // A line of text is about a date only where there is little else.
                    let rest = place.text.count - (read.range.upperBound - read.range.lowerBound)
                    score += label != nil ? 12 : rest < 30 ? 8 : rest < 80 ? 2 : -12
                }
                if label != nil { score += isHeaded ? 24 : 4 }
                if read.date.time != nil { score += 2 }
                if read.date.isOrderAssumed { score -= 2 }
                if let today = finder.responseDate, today.days(to: read.date) > 1 { continue }
                found.append(
                    Found(
                        date: read.date,
                        text: read.date.text,
                        source: place.source,
                        isModified: label == .modified || label == nil && place.words.contains(.modified),
                        score: score
                    )
                )
            }
        }
        return found
    }

    /// The date of a place that is made for one, and says how long ago it was.
    private static func relative(_ place: ArticleCollector.Candidate, to today: WrittenDate?) -> WrittenDate?
    {
        guard let today, place.source.kind != .text,
            let days = RelativeDate.daysAgo(place.text, hour: today.time?.hour ?? 0)
        else { return nil }
        return today.before(days: days)
    }

    // MARK: - Choosing

    /// The least score of a visible date that is taken, and of one that is sure.
    private static let leastScore = 34
    private static let sureScore = 44

    private func choose(_ stated: [Found], _ shown: [Found], _ path: Found?) -> ArticleFact? {
        // The first of the best.
        let best = shown.indices.max { (shown[$0].score, $1) < (shown[$1].score, $0) }.map { shown[$0] }
        guard !stated.isEmpty else {
            return chooseVisible(best.flatMap { $0.score >= Self.leastScore ? $0 : nil }, shown, path)
        }
        var choice: (found: Found, support: Int)?
        for found in stated {
            var families: Set<ArticleFact.Source.Kind> = []
            for other in stated where other.date.days(to: found.date) == 0 {
                families.insert(ArticleFinder.family(other.source.kind))
            }
            for other in shown where other.score >= 20 && other.date.days(to: found.date).magnitude <= 1 {
                let family = ArticleFinder.family(other.source.kind)
                // A `time` element is what people see.
                families.insert(family == .element ? .text : family)
            }
            if let path, path.date.days(to: found.date).magnitude <= 1 { families.insert(.url) }
            if families.count > choice?.support ?? 0 { choice = (found, families.count) }
        }
        guard let choice else { return nil }
        let isContradicted =
            stated.contains { $0.date.days(to: choice.found.date) != 0 }
            || best.map { $0.score >= Self.sureScore && $0.date.days(to: choice.found.date).magnitude > 1 }
                ?? false
            || choice.found.date.isOrderAssumed
        return ArticleFact(
            value: choice.found.text,
            source: choice.found.source,
            confidence: choice.support > 1 ? .confirmed : isContradicted ? .doubtful : .stated
        )
    }

    private func chooseVisible(_ best: Found?, _ shown: [Found], _ path: Found?) -> ArticleFact? {
        if let path {
            // The visible date may have a time; a day's difference is that of time zones.
            guard
                let same = shown.filter({ $0.date.days(to: path.date).magnitude <= 1 }).max(by: {
                    $0.score < $1.score
                })
            else {
                return ArticleFact(
                    value: path.text,
                    source: path.source,
                    confidence: best == nil ? .inferred : .doubtful
                )
            }
            return ArticleFact(value: same.text, source: same.source, confidence: .confirmed)
        }
        guard let best else { return nil }
        let isRivalled = shown.contains {
            $0.score == best.score && $0.date.days(to: best.date).magnitude > 1
        }
        let isSure =
            best.score >= Self.sureScore && !isRivalled && !best.isRelative
            && (!best.date.isOrderAssumed || orderIsKnown)
        return ArticleFact(value: best.text, source: best.source, confidence: isSure ? .inferred : .doubtful)
    }

    // MARK: - URL

    /// The date in the path of a URL: `/2024/03/12/`, `/2024-03-12-title`, `-20240312.`.
    static func date(inPath path: String) -> WrittenDate? {
        var numbers: [(value: Int, digits: Int, start: Int, end: Int)] = []
        for (index, byte) in path.utf8.prefix(2_000).enumerated() where byte.isASCIIDigit {
            let digit = Int(byte) - 0x30
            if let last = numbers.last, last.end == index {
                let value = last.digits < 10 ? last.value *| 10 +| digit : last.value
                numbers[numbers.count - 1] = (value, last.digits + 1, last.start, index + 1)
            } else {
                numbers.append((digit, 1, index, index + 1))
            }
        }
        for (index, year) in numbers.enumerated() {
            if year.digits == 8,
                let date = WrittenDate(
                    year: year.value / 10_000,
                    month: year.value / 100 % 100,
                    day: year.value % 100
                )
            {
                return date
            }
            guard year.digits == 4, index + 2 < numbers.count else { continue }
            let (month, day) = (numbers[index + 1], numbers[index + 2])
            guard month.digits <= 2, day.digits <= 2, month.start == year.end + 1, day.start == month.end + 1
            else { continue }
            if let date = WrittenDate(year: year.value, month: month.value, day: day.value) { return date }
        }
        return nil
    }
}

/// The event that the words beside a date name: the publication, or a change.
private enum DateLabel {
    case published, modified

    private static let words: [(label: DateLabel, words: StaticString)] = [
        (
            .modified,
            """
            updated update modified revised edited changed aktualisiert geändert stand mis modifié màj actualizado actualizada \
            actualización modificado atualizado atualizada atualização alterado aggiornato aggiornamento modificato bijgewerkt \
            gewijzigd zaktualizowano aktualizacja aktualizováno обновлено изменено оновлено güncelleme güncellendi güncellenme \
            uppdaterad uppdaterades opdateret oppdatert päivitetty frissítve تحديث עודכן עדכון
            """
        ),
        (
            .published,
            """
            published publish posted publication created veröffentlicht erschienen erstellt publié publiée publicado publicada creado \
            pubblicato pubblicata gepubliceerd geplaatst opublikowano publikacja dodano utworzono опубликовано добавлено \
            опубліковано yayınlanma yayınlandı publicerad publicerades publiceret publisert julkaistu vydáno publikováno \
            megjelent diterbitkan نشر פורסם
            """
        ),
    ]

    private static let meanings: [String: DateLabel] = {
        var meanings: [String: DateLabel] = [:]
        for (label, words) in words {
            for word in words.words { meanings[word] = label }
        }
        return meanings
    }()

    /// Words of languages without spaces, and what they say.
    private static let eastern: [(String, DateLabel)] = [
        ("更新", .modified), ("수정", .modified), ("公開", .published), ("发布", .published), ("发表", .published),
        ("發布", .published), ("掲載", .published), ("投稿", .published), ("입력", .published), ("등록", .published),
        ("승인", .published),
    ]

    /// Uses the last such word before a date, or else the last one after it.
    ///
    /// - Parameters:
    ///   - before: The text before the date, after the previous date.
    ///   - behind: The text after it, if it is the only date.
    init?(_ before: [UInt8], behind: [UInt8]) {
        guard let label = Self.last(in: before.suffix(80)) ?? Self.last(in: behind) else { return nil }
        self = label
    }

    /// Whether a text is nothing but such a word and one or two beside it: "Published", "Last updated on".
    static func isAll(of text: [UInt8]) -> Bool {
        guard 1...40 ~= text.count, last(in: text) != nil else { return false }
        return String(decoding: text, as: UTF8.self).split { !$0.isLetter }.count <= 3
    }

    private static func last(in bytes: some BidirectionalCollection<UInt8>) -> DateLabel? {
        // Most are ASCII, which is read in a fraction of the time.
        if bytes.allSatisfy({ $0 < 0x80 }) {
            let words = bytes.split { !$0.isASCIIAlpha }
            return words.reversed().lazy.compactMap { meanings[String(asciiLowercasing: $0)] }.first
        }
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let words = text.split { !$0.isLetter }
        if let label = words.reversed().lazy.compactMap({ meanings[String($0)] }).first { return label }
        return eastern.first { text.contains($0.0) }?.1
    }
}
