import Glibc

/// Weighs the kinds that a page may be of: by what its blocks have in the mean, then by its form controls.
struct KindClassifier {
    /// The sums of the features of all blocks, weighed by their length.
    private var sums = [Float](repeating: 0, count: ContentRows.capacity)
    private var chars: Float = 0

    /// Adds several blocks.
    ///
    /// - Parameters:
    ///   - rows: Their features.
    ///   - lengths: The length of each; 0 where there is none.
    mutating func add(_ rows: ContentRows, _ lengths: ContentRows.Column) {
        chars += lengths.sum()
        for index in 0..<rows.width { sums[index] += (rows.columns[index] * lengths).sum() }
    }

    /// Finds the most likely kind.
    ///
    /// - Parameters:
    ///   - controls: The page's form controls.
    ///   - length: Characters of its text, without navigation and the like.
    /// - Returns: The kind; nil for a page without a block.
    func kind(_ controls: PageControls, length: Int) -> ContentKind? {
        guard chars > 0 else { return nil }
        var mean = ContentRows()
        mean.begin(0)
        for sum in sums { mean.add(sum / chars) }
        var likelihoods = ContentModel.kinds.map { (name: $0.name, likelihood: exp($0.model.sums(mean)[0])) }
        let whole = likelihoods.reduce(0) { $0 + $1.likelihood }
        let form = controls.formShare(beside: length)
        for index in likelihoods.indices {
            likelihoods[index].likelihood *= (1 - form) / whole
        }
        likelihoods.append((.form, form))
        if controls.echoesQuery { likelihoods = Self.asSearch(likelihoods) }
        return ContentKind(likelihoods)
    }

    /// Returns the likelihoods for a page that repeats the query of its URL in a field: its lists are search results.
    private static func asSearch(
        _ likelihoods: [(name: ContentKind.Name, likelihood: Float)]
    ) -> [(name: ContentKind.Name, likelihood: Float)] {
        let lists: [ContentKind.Name] = [.collection, .listing, .contents]
        let found = likelihoods.reduce(0) { lists.contains($1.name) ? $0 + $1.likelihood : $0 }
        return likelihoods.filter { !lists.contains($0.name) } + [(.searchResults, found)]
    }
}
