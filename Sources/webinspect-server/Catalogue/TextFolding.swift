/// Converts texts to lower case for searches: by Unicode's simple mapping, scalar by scalar.
enum TextFolding {
    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var folded = ""
        folded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            // One letter becomes two by the full mapping; its first one is that of the simple mapping.
            folded.unicodeScalars.append(scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
        }
        return folded
    }

    /// Returns the text that is searched for words: the URL and the title, a line each.
    static func haystack(url: String, title: String?) -> String {
        folded(url) + "\n" + folded(title ?? "")
    }
}
