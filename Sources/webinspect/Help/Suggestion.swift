/// Finds the known name that is nearest to an unknown word.
enum Suggestion {
    /// Finds the nearest of some names, in letters.
    ///
    /// - Parameters:
    ///   - word: The word, in whatever case.
    ///   - names: The names, in lower case.
    /// - Returns: The name; `nil` if none is near.
    /// - Complexity: O(*n*) in the number of names, for words of any length.
    static func nearest(to word: String, in names: [String]) -> String? {
        let word = word.lowercased()
        let near = names.map { (name: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= 1 + $0.name.utf8.count / 4 }
        return near.min { $0.distance < $1.distance }?.name
    }

    /// Returns the number of letters that must be inserted, removed, changed, or swapped with the next one to turn one
    /// word into the other.
    ///
    /// Complexity: O(*m* × *n*) in the numbers of letters.
    private static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.utf8.prefix(32)), Array(other.utf8.prefix(32)))
        var rows = [Array(0...other.count)]
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                var best = min(rows[i][j + 1], row[j]) + 1
                best = min(best, rows[i][j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
