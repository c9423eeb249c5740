/// The words of a text as a shell splits them: by white space, with quotes and backslashes, and nothing else of a shell.
enum ShellWords {
    /// Splits a text.
    ///
    /// Between single quotes everything is as it stands; between double quotes a backslash stands before a quote or another
    /// backslash; outside, a backslash stands before any character.
    ///
    /// - Returns: The words; nil if a quote is not closed, or there is nothing behind the last backslash.
    /// - Complexity: O(n).
    static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch (scalar, quote) {
            case ("'", "'"), ("\"", "\""): quote = nil
            case (_, "'"): word?.append(scalar)
            case ("\\", _):
                guard let next = scalars.next() else { return nil }
                var escaped = word ?? String.UnicodeScalarView()
                if quote != nil, next != "\"", next != "\\" { escaped.append(scalar) }
                escaped.append(next)
                word = escaped
            case (_, "\""): word?.append(scalar)
            case ("'", _), ("\"", _):
                quote = scalar
                word = word ?? String.UnicodeScalarView()
            case (" ", _), ("\t", _), ("\n", _), ("\r", _):
                if let word { words.append(String(word)) }
                word = nil
            default:
                var longer = word ?? String.UnicodeScalarView()
                // Otherwise it is copied for each character.
                word = nil
                longer.append(scalar)
                word = longer
            }
        }
        if let word { words.append(String(word)) }
        return quote == nil ? words : nil
    }
}
