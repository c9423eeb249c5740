extension TreeNode {
    /// Whether an element of HTML takes itself out of what is shown: by `display: none` in its `style`, or by `hidden` where
    /// that has no other `display`; not by `hidden=until-found`, which is shown to who looks for it.
    ///
    /// Complexity: O(n) in its attributes, and in the length of its `style`.
    var isHidden: Bool {
        guard firstAttribute != nil, isHTMLElement else { return false }
        if let style = attribute("style"), let isNone = Self.displaysNothing(style) { return isNone }
        guard let value = attribute("hidden") else { return false }
        return !value.isEqualIgnoringASCIICase(to: "until-found")
    }

    /// Whether the declaration of `display` that counts in a `style` is `none`; nil without one.
    private static func displaysNothing(_ style: String) -> Bool? {
        var isNone: Bool?
        var isImportant = false
        for declaration in style.utf8.split(separator: UInt8(ascii: ";")) {
            let parts = declaration.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard parts.count == 2, word(parts[0]) == "display" else { continue }
            let value = parts[1].split(
                separator: UInt8(ascii: "!"),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let important = value.count == 2 && word(value[1]) == "important"
            guard important || !isImportant else { continue }
            isImportant = important
            isNone = word(value[0]) == "none"
        }
        return isNone
    }

    /// A word without the white space around it, in lower case.
    private static func word(_ bytes: Substring.UTF8View) -> String {
        String(asciiLowercasing: bytes).trimmingASCIIWhitespace
    }
}
