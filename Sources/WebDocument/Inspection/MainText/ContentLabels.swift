/// Short texts that only label the content around them: as an advertisement, or as still loading.
enum ContentLabels {
    /// Bytes of the longest label.
    private static let maximumLength = 24

    private static let labels: Set<String> = [
        "ad", "ads", "advert", "advertisement", "advertising", "advertisment", "anuncio", "anzeige",
        "publicidad",
        "publicidade", "publicité", "pubblicità", "sponsored", "werbung", "реклама", "广告", "広告", "loading",
        "laden",
        "wird geladen", "cargando", "chargement", "carregando", "caricamento", "загрузка", "正在加载",
    ]

    /// Whether the texts of a range of entries are a label and nothing else.
    ///
    /// Complexity: O(n) in the number of entries, of which a short text has only a few.
    static func isLabel(_ tree: ContentTree, _ range: Range<Int>) -> Bool {
        var bytes: [UInt8] = []
        for index in range {
            tree.entries[index].node.appendText(to: &bytes)
            if bytes.count > 200 { return false }
        }
        let text = String(decoding: bytes, as: UTF8.self).collapsingASCIIWhitespace
        var trimmed = text[...]
        while let last = trimmed.last, last == "." || last == "…" || last == ":" { trimmed.removeLast() }
        guard !trimmed.isEmpty, trimmed.utf8.count <= maximumLength else { return false }
        return labels.contains(trimmed.lowercased())
    }
}
