/// The names of people, as they stand in metadata and in lines that name an author.
enum ArticleName {
    /// How many authors are kept.
    static let maximumCount = 100

    /// Finds the names in a text that says who wrote an article.
    ///
    /// - Parameters:
    ///   - text: The text, in UTF-8; a line feed ends a part of it, as a comma does.
    ///   - isLabelled: Whether markup says that it names an author: then one word may be a name.
    /// - Returns: The names, without what introduces them, job titles, dates and addresses.
    /// - Complexity: O(n).
    static func names(in text: [UInt8], isLabelled: Bool) -> [String] {
        var names: [String] = []
        var hasIntroduction = false
        for part in parts(String(decoding: text.prefix(400), as: UTF8.self)) {
            var part = trimmed(part)
            let introduced = withoutIntroduction(part)
            if introduced.count < part.count { hasIntroduction = true }
            part = withoutEnd(trimmed(introduced))
            if part.isEmpty { continue }
            guard isName(part, allowsOneWord: isLabelled || hasIntroduction) else {
                // Other text after the names, as a job title or a date, ends them.
                if names.isEmpty, part.utf8.count < 30 { continue }
                break
            }
            if !names.contains(part) { names.append(part) }
            if names.count == 10 { break }
        }
        return names
    }

    /// The names that a value of metadata has, which may be several; the value itself if they are no usual names.
    static func stated(_ value: String) -> [String] {
        guard value.utf8.count <= 400, !value.contains("://"), !value.hasPrefix("@"),
            // The number of an account names nobody.
            value.unicodeScalars.contains(where: \.properties.isAlphabetic)
        else { return [] }
        // An address with the name in parentheses, as in feeds.
        if let at = value.firstIndex(of: "@") {
            guard let open = value[at...].firstIndex(of: "("), let close = value[open...].firstIndex(of: ")")
            else {
                return []
            }
            return [String(value[value.index(after: open)..<close])].filter { !$0.isEmpty }
        }
        let whole = trimmed(withoutIntroduction(trimmed(value)))
        let parts = parts(whole).map { withoutEnd(trimmed($0)) }.filter { !$0.isEmpty }
        if parts.count > 1, parts.allSatisfy({ isName($0, allowsOneWord: false) }) { return parts }
        return whole.isEmpty ? [] : [whole]
    }

    /// A name whose first part is the family's, behind a comma, in the order in which it is said.
    static func inSpokenOrder(_ name: String) -> String {
        let parts = name.split(separator: ",", omittingEmptySubsequences: false).map { trimmed(String($0)) }
        guard parts.count == 2, parts.allSatisfy({ isName($0, allowsOneWord: true) }),
            !titles.contains(parts[1].lowercased().filter(\.isLetter))
        else { return name }
        return parts[1] + " " + parts[0]
    }

    /// Whether a text is what introduces an author, and nothing else: "Written by", "Author:".
    static func isIntroduction(_ text: String) -> Bool {
        guard text.utf8.count <= 40 else { return false }
        let text = trimmed(text)
        return !text.isEmpty && withoutIntroduction(text).isEmpty
    }

    /// Whether a line begins with what introduces an author, as "By".
    static func isIntroduced(_ line: [UInt8]) -> Bool {
        let start = line.prefix(60).drop { $0.isASCIIWhitespace }
        guard (2...4).contains(where: { starts.contains(start.prefix($0).map(\.asciiLowercased)) }) else {
            return false
        }
        let text = String(decoding: start, as: UTF8.self)
        return withoutIntroduction(text).count < text.count
    }

    // MARK: - Parts

    /// The parts of a text between line feeds, commas, and words and signs that mean "and".
    private static func parts(_ text: String) -> [String] {
        var parts: [String] = []
        for part in text.split(whereSeparator: { separators.contains($0) }) {
            var words: [Substring] = []
            for word in part.split(separator: " ") {
                if conjunctions.contains(String(word)) {
                    parts.append(words.joined(separator: " "))
                    words = []
                } else {
                    words.append(word)
                }
            }
            parts.append(words.joined(separator: " "))
        }
        return parts
    }

    private static let separators: Set<Character> = [
        "\n", ",", ";", "|", "&", "·", "•", "–", "—", "、", "，", "،", "／", "/", "(", ")", "<", ">", "»", "«",
        "\u{A0}",
    ]

    private static let conjunctions: Set<String> = [
        "and", "And", "AND", "und", "et", "y", "e", "en", "och", "og", "i", "и", "та", "ve", "with", "-",
    ]

    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while let first = rest.first, first.isWhitespace || "-:.,|*_•–—/：●[".contains(first) {
            rest.removeFirst()
        }
        while let last = rest.last, last.isWhitespace || "-:,|*_•–—/：]".contains(last) { rest.removeLast() }
        return String(rest)
    }

    /// A text without what introduces a name: "By", "Written by:", "作者：".
    private static func withoutIntroduction(_ text: String) -> String {
        let start = text.prefix(24).lowercased()
        for word in introductions where start.hasPrefix(word) {
            let rest = text.dropFirst(word.count)
            // Letters of the same word must not follow.
            guard let next = rest.first else { return "" }
            let isLetterless =
                !word.utf8.allSatisfy { $0 < 0x80 } && word.unicodeScalars.allSatisfy { $0.value >= 0x3000 }
            guard isLetterless || !next.isLetter, !next.isNumber else { continue }
            if needColon.contains(word) {
                guard next == ":" || next == "：" else { continue }
            }
            // "Written by: By Jane Doe".
            return withoutIntroduction(trimmed(String(rest)))
        }
        return text
    }

    /// Longer ones before those that begin them.
    private static let introductions: [String] = [
        "written by", "posted by", "published by", "reported by", "article by", "story by", "words by",
        "submitted by", "text by",
        "review by", "blog by", "by", "geschrieben von", "verfasst von", "ein artikel von", "von",
        "rédigé par", "publié par",
        "écrit par", "par", "escrito por", "publicado por", "por", "scritto da", "pubblicato da", "a cura di",
        "di",
        "geschreven door", "door", "skriven av", "publicerad av", "skrevet av", "skrevet af", "av", "af",
        "przez", "napsal",
        "yazan", "yazar", "автор", "авторы", "текст", "tekst", "text", "autores", "autoren", "autor",
        "autora", "autorin",
        "auteur", "autore", "authors", "author", "redaktion", "redacción", "reporter", "作者", "撰文", "记者", "記者",
        "文",
        "글", "كتب", "بقلم", "מאת",
    ]

    /// The first bytes of all introductions, up to four: most lines begin with others.
    private static let starts = Set(
        introductions.flatMap { [$0, $0.prefix(1).uppercased() + $0.dropFirst()] }
            .map { $0.utf8.prefix(4).map(\.asciiLowercased) }
    )

    /// Of these introductions, those that are only with a colon behind them.
    private static let needColon: Set<String> = [
        "текст", "tekst", "text", "redaktion", "redacción", "reporter", "文", "글",
    ]

    /// A name without what stands behind it within the part, as a job or the Korean word for a reporter.
    private static func withoutEnd(_ text: String) -> String {
        let words = text.split(separator: " ")
        if let job = words.firstIndex(where: { notNames.contains($0.lowercased()) || $0 == "Staff" }),
            job >= 2
        {
            return trimmed(words[..<job].joined(separator: " "))
        }
        for end in [" 기자", "기자", " 記者", "记者", "記者"] where text.hasSuffix(end) {
            return trimmed(String(text.dropLast(end.count)))
        }
        return text
    }

    // MARK: - Names

    /// Whether a text looks like the name of a person: a few words with capitals, no digits, no signs.
    private static func isName(_ text: String, allowsOneWord: Bool) -> Bool {
        guard 2...60 ~= text.unicodeScalars.count else { return false }
        for character in text where character.isNumber || "@:?!…#\"“”„_=+%$€".contains(character) {
            return false
        }
        var words = text.split(separator: " ")
        guard 1...6 ~= words.count else { return false }
        // "The Example Team" signs as people do.
        if words.count > 2, words[0].lowercased() == "the", teams.contains(words.last?.lowercased() ?? "") {
            words.removeFirst()
        }
        var capitals = 0
        for word in words {
            let lower = word.lowercased()
            if notNames.contains(lower) { return false }
            guard let first = word.unicodeScalars.first(where: { $0.properties.isAlphabetic }) else {
                return false
            }
            if first.properties.isUppercase || !first.properties.changesWhenUppercased {
                capitals += 1
            } else if !particles.contains(lower) {
                return false
            }
        }
        guard capitals > 0 else { return false }
        if capitals == 1, words.count == 1 {
            guard allowsOneWord else { return false }
            return MonthNames.month(text.lowercased()) == nil
        }
        return true
    }

    private static let particles: Set<String> = [
        "von", "van", "der", "den", "de", "da", "di", "del", "della", "do", "dos", "das", "du", "la", "le",
        "el", "al", "bin",
        "ibn", "ben", "zu", "zur", "ter", "ten", "af", "av", "d'", "y", "e", "o'", "'t", "st", "dr",
    ]

    /// Degrees and generations, which follow a name behind a comma.
    private static let titles: Set<String> = [
        "md", "phd", "dphil", "ms", "msc", "ma", "mba", "bsc", "ba", "rn", "dds", "dvm", "jd", "esq", "jr",
        "sr", "ii", "iii", "iv",
    ]

    private static let teams: Set<String> = ["team", "staff", "editors"]

    /// Words that are no part of a name: jobs, what lines about an author say, days.
    private static let notNames: Set<String> = {
        let words: StaticString = """
            reporter reporters editor editors correspondent writer writers journalist contributor contributors columnist author \
            authors redakteur redakteurin redaktion redazione redacción redaction rédaction producer director officer manager \
            analyst chief senior associate assistant managing news published updated posted updates comments comment share \
            print email mail follow twitter facebook instagram linkedin whatsapp pinterest read more subscribe about home \
            contact login photo photos photograph photography image video getty reuters credit source via view views all \
            articles posts post stories profile website search menu advertisement minutes minute min ago am pm today yesterday \
            monday tuesday wednesday thursday friday saturday sunday the this that your our how why what when where who click \
            here add save copy link report blog blogs biography bio category tags tag in at on for with from to is was are has \
            автор комментарии фото источник редакция
            """
        return Set(words.words)
    }()
}
