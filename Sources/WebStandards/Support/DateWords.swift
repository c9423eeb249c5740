/// A token of a written date.
enum DateToken: Equatable {
    /// Digits.
    case number(String)
    /// Letters, in lower case.
    case word(String)
    /// White space, as one space, or any other character.
    case mark(Unicode.Scalar)

    /// The tokens of a text's first 200 characters: no date is longer.
    static func tokens(of text: String) -> [DateToken] {
        var tokens: [DateToken] = []
        var run = ""
        var runIsNumber = false
        func end() {
            guard !run.isEmpty else { return }
            tokens.append(runIsNumber ? .number(run) : .word(run.lowercased()))
            run = ""
        }
        for scalar in text.unicodeScalars.prefix(200) {
            let isDigit = scalar.isASCII && UInt8(truncatingIfNeeded: scalar.value).isASCIIDigit
            if isDigit || scalar.properties.isAlphabetic {
                if isDigit != runIsNumber { end() }
                runIsNumber = isDigit
                run.unicodeScalars.append(scalar)
                continue
            }
            end()
            let mark = scalar.properties.isWhitespace ? " " : scalar
            if mark != " " || tokens.last != .mark(" ") { tokens.append(.mark(mark)) }
        }
        end()
        return tokens
    }
}

/// The words in dates: the names of months in nine languages, and words that are ignored.
enum DateWords {
    /// Each month's names, whole and short.
    private static let months: [[String]] = [
        [
            "january", "jan", "januar", "jänner", "janvier", "janv", "enero", "ene", "gennaio", "gen",
            "janeiro", "januari", "styczeń", "stycznia",
        ],
        [
            "february", "feb", "februar", "février", "fevrier", "févr", "febrero", "febbraio", "fevereiro",
            "fev", "februari", "luty", "lutego",
        ],
        [
            "march", "mar", "märz", "mär", "mrz", "mars", "marzo", "março", "maart", "mrt", "marts", "marzec",
            "marca",
        ],
        ["april", "apr", "avril", "avr", "abril", "abr", "aprile", "kwiecień", "kwietnia"],
        ["may", "mai", "mayo", "maggio", "mag", "maio", "mei", "maj", "maja"],
        ["june", "jun", "juni", "juin", "junio", "giugno", "giu", "junho", "czerwiec", "czerwca"],
        ["july", "jul", "juli", "juillet", "juil", "julio", "luglio", "lug", "julho", "lipiec", "lipca"],
        ["august", "aug", "août", "aout", "agosto", "ago", "augustus", "augusti", "sierpień", "sierpnia"],
        [
            "september", "sep", "sept", "septembre", "septiembre", "settembre", "set", "setembro", "wrzesień",
            "września",
        ],
        [
            "october", "oct", "oktober", "okt", "octobre", "octubre", "ottobre", "ott", "outubro", "out",
            "październik", "października",
        ],
        ["november", "nov", "novembre", "noviembre", "novembro", "listopad", "listopada"],
        [
            "december", "dec", "dezember", "dez", "décembre", "decembre", "déc", "diciembre", "dic",
            "dicembre", "dezembro", "grudzień", "grudnia",
        ],
    ]

    /// Days of the week, ordinals, and words between the parts.
    private static let ignored: [String] = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "tues",
        "wed",
        "thu", "thur", "thurs", "fri", "sat", "sun", "montag", "dienstag", "mittwoch", "donnerstag",
        "freitag",
        "samstag", "sonnabend", "sonntag", "mo", "di", "mi", "do", "fr", "sa", "so", "lundi", "mardi",
        "mercredi",
        "jeudi", "vendredi", "samedi", "dimanche", "lunes", "martes", "miércoles", "jueves", "viernes",
        "sábado",
        "domingo", "st", "nd", "rd", "th", "er", "t", "at", "on", "of", "the", "um", "uhr", "den", "der",
        "am", "le",
        "à", "el", "de", "del", "a", "las", "il", "om", "published", "updated", "posted", "h",
    ]

    /// The number of the month that has a name, given in lower case; 1 is January.
    static func month(_ word: String) -> Int? {
        months.firstIndex { $0.contains(word) }.map { $0 + 1 }
    }

    static func isIgnored(_ word: String) -> Bool { ignored.contains(word) }
}
