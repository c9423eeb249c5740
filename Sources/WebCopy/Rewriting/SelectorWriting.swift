package import WebDocument
import WebStandards

/// The form of the selectors of style sheets in a copy, in which they match the same elements as in the page.
///
/// A copy changes the values of some attributes, and removes others: where a selector tests one of these, the copy has
/// the page's value in an additional attribute of ours, and the selector tests that one.
package struct SelectorWriting: Sendable {
    /// Whether selectors test the values of the page.
    ///
    /// Scripts would change the original attributes, not these.
    package var keepsValues: Bool

    /// Whether rules exclude the symbols of other files that are inserted into the page: the page's rules do not apply
    /// where a `use` shows them.
    ///
    /// [SVG 2, section 5.6.3](https://svgwg.org/svg2-draft/struct.html#UseStyleInheritance)
    package var sparesSymbols = false

    package init(keepsValues: Bool = true) { self.keepsValues = keepsValues }

    /// The attributes whose values change in a copy: those with URLs, and those with CSS, which may have some.
    private static let changed: Set<String> = [
        "action", "archive", "background", "cite", "classid", "codebase", "content", "data", "dynsrc",
        "fill", "filter", "formaction", "href", "icon", "longdesc", "lowsrc", "manifest", "mask", "poster",
        "profile", "src", "stroke", "style", "usemap",
    ]

    /// The attributes that a copy may lack.
    private static let removed: Set<String> = [
        "attributionsrc", "crossorigin", "csp", "imagesrcset", "integrity", "nonce", "ping", "sizes",
        "srcset",
    ]

    /// The prefix of the names of our attributes.
    static let prefix = "data-webloader-"

    /// Returns the suffix of our attribute that takes the place of a tested one; `nil` if the copy does not change
    /// that.
    private static func suffix(for test: StyleSelectors.AttributeTest) -> String? {
        let name = test.localName
        let isHandler = name.utf8.count > 2 && name.utf8.starts(with: "on".utf8)
        guard test.hasValue && changed.contains(name) || removed.contains(name) || isHandler else {
            return nil
        }
        guard name == "href" else { return test.prefix == .named ? nil : name }
        switch test.prefix {
        case .none: return name
        case .any: return "any-href"
        case .named: return "xlink-href"
        }
    }

    /// Returns the suffixes of our attributes that have the value of an attribute of the page.
    static func suffixes(of attribute: String) -> [String] {
        switch attribute {
        case "href": ["href", "any-href"]
        case "xlink:href": ["xlink-href", "any-href"]
        default: [attribute]
        }
    }

    /// Returns the attributes that selectors test and a copy may change, as ``suffixes(of:)``.
    package func tested(by selectors: StyleSelectors) -> Set<String> {
        keepsValues && !selectors.isTruncated ? Set(selectors.attributes.compactMap(Self.suffix)) : []
    }

    /// Returns the number of bytes that may be added to a text of so many: hand-written selectors take fewer.
    static func room(in count: Int) -> Int { count +| (1 << 20) }

    /// Returns the edits of the selectors of a style sheet.
    ///
    /// The text is ASCII that means the same in a style sheet and in any markup. A sheet that was made to grow beyond
    /// measure gets no edits.
    ///
    /// - Parameters:
    ///   - selectors: The selectors of the style sheet.
    ///   - count: The size of its text, in bytes.
    /// - Returns: The ranges, each with its replacement.
    func edits(of selectors: StyleSelectors, in count: Int) -> [(range: Range<Int>, text: String)] {
        guard !selectors.isTruncated else { return [] }
        var edits: [(range: Range<Int>, text: String)] = []
        if keepsValues {
            for test in selectors.attributes {
                if let suffix = Self.suffix(for: test) { edits.append((test.name, Self.prefix + suffix)) }
            }
        }
        let condition = ":where(:not([\(SymbolInliner.mark)]))"
        if sparesSymbols, selectors.subjects.count *| condition.utf8.count <= Self.room(in: count) {
            edits += selectors.subjects.map { ($0..<$0, condition) }
        }
        return edits
    }
}
