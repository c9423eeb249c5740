/// A judge of the language of a text, by its script and its most frequent short words, for languages that these tell
/// apart.
enum TextLanguage {
    /// Words that are frequent in a language, and rare in the others; those that several share count for each.
    private static let words: [(language: String, words: StaticString)] = [
        (
            "en",
            "the of and to in that is was for it with as his on be at by had are but from not this have which you"
        ),
        (
            "de",
            "der die und das den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat"
        ),
        (
            "fr",
            "le la les de des et en un une du que est dans pour qui pas sur au plus par avec ce il sont cette ne aux"
        ),
        ("es", "el la los las de que y en un una del se por con para es al lo como más su pero sus ha este"),
        (
            "pt",
            "o a os as de que e do da em um uma para com não no na dos por mais ao se foi das pela pelo são"
        ),
        (
            "it",
            "il la di che e un una per in del della con non sono le si da dei nel alla gli anche come ha al più è"
        ),
        (
            "nl",
            "de het een van en in is dat op te zijn voor met niet aan er om ook als bij door maar uit naar heeft"
        ),
        (
            "pl",
            "w i na z się że do nie to jest o jak ale po co przez od za dla są tym oraz już które który tego"
        ),
        (
            "sv",
            "och att det i som en på är av för med den till inte har de ett om han var men jag sig från vi så"
        ),
        (
            "da",
            "og at det i som en på er af for med den til ikke har de et om han var men jeg sig fra vi så blev"
        ),
        (
            "no",
            "og at det i som en på er av for med den til ikke har de et om han var men jeg seg fra vi så ble"
        ),
        (
            "fi",
            "ja on ei että se oli hän mutta ovat myös kun joka ole kuin niin tai mukaan jo sen vain voi nyt"
        ),
        (
            "cs",
            "a v se na je že s z do o k i ve by pro jsem ale jako za od po který také jeho nebo si až jsou"
        ),
        ("sk", "a v sa na je že s z do o k aj vo by pre som ale ako za od po ktorý tiež jeho alebo si až sú"),
        ("hu", "a az és hogy nem is egy meg de csak van már ez volt mint még ki el vagy azt majd lesz be"),
        ("ro", "și de la în a cu pe nu că din o un este mai pentru sunt ce fost care să se au după lui ca"),
        (
            "tr",
            "ve bir bu da de için ile çok olarak olan daha gibi kadar sonra ne o var mi en ama diye değil her"
        ),
        (
            "id",
            "yang dan di untuk dari dengan pada ini itu tidak dalam akan adalah ke oleh juga telah bisa ada saat"
        ),
        ("vi", "và của là có không được trong cho một các với người đã này để những khi cũng ra về"),
    ]

    /// For each word the languages that it is frequent in, as a set of their indices.
    private static let table: [String: UInt32] = {
        var table: [String: UInt32] = [:]
        for (index, entry) in words.enumerated() {
            for word in entry.words.words {
                table[word, default: 0] |= 1 << index
            }
        }
        return table
    }()

    /// Languages in one script that share so many words that a text does not clearly tell which it is.
    private static let alike: [Set<String>] = [["da", "no", "nb", "nn"], ["cs", "sk"], ["id", "ms"]]

    /// Tells the language of a text.
    ///
    /// - Parameter text: UTF-8.
    /// - Returns: A tag of one subtag; nil where the text is too short, or its language not clear.
    /// - Complexity: O(n).
    static func language(of text: [UInt8]) -> String? {
        let text = String(decoding: text, as: UTF8.self)
        let scripts = Scripts(text)
        guard scripts.letters >= 200 else { return nil }
        if let language = scripts.language { return language }
        return scripts.latin *| 10 >= scripts.letters *| 9 ? latin(text) : nil
    }

    private static func latin(_ text: String) -> String? {
        var counts = [Int](repeating: 0, count: words.count)
        var all = 0
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter }) {
            all += 1
            guard word.utf8.count <= 12, let languages = table[String(word)] else { continue }
            for index in words.indices where languages & 1 << index != 0 { counts[index] += 1 }
        }
        guard all >= 60, let best = counts.indices.max(by: { counts[$0] < counts[$1] }) else { return nil }
        let language = words[best].language
        let rival = counts.indices.filter { $0 != best && !areAlike(words[$0].language, language) }.map {
            counts[$0]
        }.max()
        // A sixth of the words of usual texts are among the frequent ones.
        guard counts[best] * 7 >= all, counts[best] * 2 >= 3 * (rival ?? 0) else { return nil }
        return language
    }

    /// Whether a text in one of two languages could be taken for one in the other, or they are the same.
    static func areAlike(_ one: String, _ other: String) -> Bool {
        one == other || alike.contains { $0.contains(one) && $0.contains(other) }
    }

    /// Whether texts in a language can be recognized; for a text in any other language, the result means little.
    static func knows(_ language: String) -> Bool {
        words.contains { areAlike($0.language, language) } || byScript.contains(language)
    }

    private static let byScript: Set<String> = [
        "ja", "zh", "ko", "he", "el", "th", "uk", "ru", "ur", "fa", "ar",
    ]

    /// The first subtag of a language tag, in lower case.
    static func primary(_ tag: String) -> String {
        String(tag.lowercased().prefix { $0 != "-" && $0 != "_" })
    }

    /// How many letters of a text are of which script.
    private struct Scripts {
        var letters = 0
        var latin = 0
        private var kana = 0
        private var han = 0
        private var hangul = 0
        private var cyrillic = 0
        private var arabic = 0
        private var hebrew = 0
        private var greek = 0
        private var thai = 0
        private var devanagari = 0
        /// Letters that only Ukrainian, Russian, Persian and Urdu have, of the languages that are distinguished.
        private var ukrainian = 0
        private var russian = 0
        private var persian = 0
        private var urdu = 0

        init(_ text: String) {
            for scalar in text.unicodeScalars {
                switch scalar.value {
                case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: latin += 1
                case 0x370...0x3FF, 0x1F00...0x1FFF: greek += 1
                case 0x400...0x52F:
                    cyrillic += 1
                    switch scalar {
                    case "і", "ї", "є", "ґ": ukrainian += 1
                    case "ы", "э", "ё": russian += 1
                    default: break
                    }
                case 0x590...0x5FF: hebrew += 1
                case 0x600...0x6FF:
                    arabic += 1
                    switch scalar {
                    case "ٹ", "ڈ", "ے", "ں": urdu += 1
                    case "پ", "چ", "ژ", "گ": persian += 1
                    default: break
                    }
                case 0x900...0x97F: devanagari += 1
                case 0xE00...0xE7F: thai += 1
                case 0x3041...0x30FF: kana += 1
                case 0x3400...0x9FFF: han += 1
                case 0xAC00...0xD7A3: hangul += 1
                default: continue
                }
                letters += 1
            }
        }

        /// The language that the script alone determines; `nil` if several languages are written in it.
        var language: String? {
            func isMost(_ count: Int) -> Bool { count *| 10 >= letters *| 7 }
            if isMost(han + kana), kana * 8 > han { return "ja" }
            if isMost(han + kana), kana * 50 < han { return "zh" }
            if isMost(hangul) { return "ko" }
            if isMost(hebrew) { return "he" }
            if isMost(greek) { return "el" }
            if isMost(thai) { return "th" }
            if isMost(cyrillic), ukrainian * 50 > cyrillic, russian == 0 { return "uk" }
            if isMost(cyrillic), russian * 100 > cyrillic, ukrainian == 0 { return "ru" }
            if isMost(arabic) {
                if urdu * 50 > arabic { return "ur" }
                return persian * 50 > arabic ? "fa" : persian == 0 ? "ar" : nil
            }
            return nil
        }
    }
}
