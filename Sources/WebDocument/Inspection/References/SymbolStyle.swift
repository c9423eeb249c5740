/// A style sheet of a file of SVG, which is put into a page with its symbols.
struct SymbolStyle {
    private let text: [UInt8]
    private let media: String
    private let selectors: StyleSelectors
    private let found: [StyleReferences.Reference]

    /// - Parameter element: Any element; nil is returned for what is no style sheet.
    init?(_ element: TreeNode) {
        guard element.hasName("style"), element.isInNamespace("http://www.w3.org/2000/svg"),
            ["", "text/css"].contains((element.attribute("type") ?? "").asciiLowercased)
        else { return nil }
        let text = element.childTextContent
        self.text = Array(text.utf8)
        media = element.attribute("media") ?? ""
        selectors = StyleSelectors(self.text)
        found = StyleReferences.find(in: text, includesUncertain: true)
        // A style sheet with too many selectors is left out.
        if selectors.isTruncated { return nil }
    }

    /// The identifiers of the elements that it refers to.
    var references: [String] {
        found.filter { $0.text.hasPrefix("#") }.map { String($0.text.dropFirst()) }
    }

    /// Its text with all rules for certain elements only.
    ///
    /// - Parameters:
    ///   - condition: The simple selector of these elements.
    ///   - renamed: The identifier in place of one of the file.
    /// - Returns: The text, without what would be for all of the page: the style sheets that it imports, its fonts and
    ///   its keyframes.
    func text(of condition: String, _ renamed: (String) -> String) -> [UInt8] {
        var edits: [(range: Range<Int>, text: String)] = []
        edits += selectors.otherRules.map { ($0, "") }
        edits += selectors.subjects.map { ($0..<$0, ":where(\(condition))") }
        edits += selectors.identifiers.map { ($0.range, "#" + Self.identifier(renamed($0.id))) }
        for reference in found where reference.text.hasPrefix("#") {
            let id = Self.identifier(renamed(String(reference.text.dropFirst())))
            edits.append((reference.value, "url(#\(id))"))
        }
        // An insertion after an identifier follows its edit, and edits in a removed rule are dropped.
        edits.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
        var output: [UInt8] = media.isEmpty ? [] : Array("@media \(Self.condition(media)){".utf8)
        var position = 0
        for edit in edits where edit.range.lowerBound >= position {
            output += text[position..<edit.range.lowerBound] + Array(edit.text.utf8)
            position = edit.range.upperBound
        }
        return output + text[position...] + (media.isEmpty ? [] : [UInt8(ascii: "}")])
    }

    /// An identifier of CSS.
    private static func identifier(_ name: String) -> String {
        var output = ""
        for scalar in name.unicodeScalars {
            let byte = UInt8(ascii: scalar.isASCII ? scalar : "a")
            let isPlain = byte.isASCIIAlphanumeric || scalar == "-" || scalar == "_"
            output += isPlain ? String(scalar) : "\\\(String(scalar.value, radix: 16)) "
        }
        return output
    }

    /// A media query that ends where it ends.
    private static func condition(_ media: String) -> String {
        media.contains { "{};@\"'\\/".contains($0) } ? "not all" : media
    }
}
