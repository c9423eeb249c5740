package import WebDocument
import WebStandards

/// How the selectors of style sheets are written in a copy, so that they select what they select in the page.
///
/// A copy has other values in attributes than the page, and none of some: where a selector asks for these, the copy has what the page has
/// in an attribute of ours beside it, and the selector asks for that one.
package struct SelectorWriting: Sendable {
    /// Whether selectors ask for the values of the page.
    ///
    /// Scripts would change others than those.
    package var keepsValues: Bool

    /// Whether no rule is for a symbol of another file that is put into the page: where a `use` shows it, the page's rules do not apply.
    ///
    /// [SVG 2, section 5.6.3](https://svgwg.org/svg2-draft/struct.html#UseStyleInheritance)
    package var sparesSymbols = false

    package init(keepsValues: Bool = true) { self.keepsValues = keepsValues }

    /// The attributes that have other values in a copy: those with URLs, and those with CSS, which may have some.
    private static let changed: Set<String> = [
        "action", "archive", "background", "cite", "classid", "codebase", "content", "data", "dynsrc",
        "fill", "filter", "formaction", "href", "icon", "longdesc", "lowsrc", "manifest", "mask", "poster",
        "profile", "src", "stroke", "style", "usemap",
    ]

    /// The attributes that may be gone from a copy.
    private static let removed: Set<String> = [
        "attributionsrc", "crossorigin", "csp", "imagesrcset", "integrity", "nonce", "ping", "sizes",
        "srcset",
    ]

    /// What the names of our attributes begin with.
    static let prefix = "data-webloader-"

    /// What follows in the name of the attribute of ours that a test is to ask for; nil for one that the copy leaves alone.
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

    /// What follows in the names of the attributes of ours that have the value of one of the page.
    static func suffixes(of attribute: String) -> [String] {
        switch attribute {
        case "href": ["href", "any-href"]
        case "xlink:href": ["xlink-href", "any-href"]
        default: [attribute]
        }
    }

    /// What selectors ask for that a copy may have otherwise: ``suffixes(of:)`` of attributes.
    package func tested(by selectors: StyleSelectors) -> Set<String> {
        keepsValues && !selectors.isTruncated ? Set(selectors.attributes.compactMap(Self.suffix)) : []
    }

    /// How many bytes may be put into a text of so many: selectors of styles that people write take less.
    static func room(in count: Int) -> Int { count +| (1 << 20) }

    /// What is replaced in a style sheet: ASCII that means the same in a style sheet and in any markup; nothing in one that was made to
    /// grow beyond measure.
    ///
    /// - Parameters:
    ///   - selectors: Its selectors.
    ///   - count: The bytes of its text.
    /// - Returns: The parts, each with what is in its place.
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
