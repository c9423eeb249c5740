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

/// The words in dates that are not part of them.
enum DateWords {
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

    static func isIgnored(_ word: String) -> Bool { ignored.contains(word) }
}
