/// Texts as they are compared: letters and digits alone, in lower case.
struct ArticleText: Hashable {
    /// The letters and digits.
    let letters: String

    /// - Complexity: O(n), of which no more than 2,000 bytes are read.
    init(_ text: some StringProtocol) {
        var letters = ""
        for scalar in text.unicodeScalars.prefix(2_000)
        where scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
            letters.unicodeScalars.append(scalar)
        }
        self.letters = letters.lowercased()
    }

    var isEmpty: Bool { letters.isEmpty }

    /// Whether two texts say the same: they are equal, or one is cut short.
    func agrees(with other: ArticleText) -> Bool {
        if letters == other.letters { return !isEmpty }
        let (short, long) = letters.utf8.count < other.letters.utf8.count ? (self, other) : (other, self)
        return short.letters.utf8.count >= 24 && long.letters.hasPrefix(short.letters)
    }
}
