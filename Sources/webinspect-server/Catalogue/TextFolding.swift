/// Texts in small letters, as they are looked through: by Unicode's simple mapping, a scalar for a scalar.
enum TextFolding {
    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var folded = ""
        folded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            // Of the one letter that becomes two by the full mapping, the first is what the simple one has.
            folded.unicodeScalars.append(scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
        }
        return folded
    }

    /// What is looked through for words: the URL and the title, a line each.
    static func haystack(url: String, title: String?) -> String {
        folded(url) + "\n" + folded(title ?? "")
    }
}
