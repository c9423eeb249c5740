/// The possible names of a page's site, for recognizing them in titles and among authors.
struct ArticleSite {
    /// The names that the page gives it.
    let names: Set<ArticleText>

    /// The label of the host that was registered, as "example" of `www.example.co.uk`; empty where there is none.
    let label: String

    /// The host's letters and digits.
    private let host: ArticleText

    init(names: [String], host: String) {
        self.names = Set(names.map { ArticleText($0) }.filter { !$0.isEmpty })
        self.host = ArticleText(host.hasPrefix("www.") ? String(host.dropFirst(4)) : host)
        var labels = host.split(separator: ".")
        var label = ""
        // Of the longest suffix that anyone can register names under, the label before.
        while let first = labels.first {
            labels.removeFirst()
            label = ArticleText(first).letters
            if labels.isEmpty || PublicSuffix.contains(labels.joined(separator: ".")) { break }
        }
        self.label = label
    }

    /// Whether a text is the site's name, as the page gives it or as its host has it.
    func isName(_ text: some StringProtocol) -> Bool {
        let letters = ArticleText(text)
        guard !letters.isEmpty else { return false }
        if names.contains(letters) || letters == host || letters.letters == label { return true }
        guard label.utf8.count >= 3 else { return false }
        let length = letters.letters.utf8.count
        if length >= 4, label.contains(letters.letters) { return true }
        // "The Example Times" of example.com.
        if label.utf8.count >= 4, letters.letters.contains(label), length <= 2 * label.utf8.count + 8 {
            return true
        }
        let initials = text.split(separator: " ").compactMap(\.first)
        return initials.count >= 2 && String(initials).lowercased() == label
    }
}
