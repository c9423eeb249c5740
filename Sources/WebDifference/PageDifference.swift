public import WebDocument

/// What differs between two pages, as a person would say it: blocks of text, headings, links, images, tables, lists, forms,
/// metadata, structured data, scripts, styles and attributes.
///
///     let old = try ParsedPage(html: "<h1>Tea</h1><p>A cup costs $3.")
///     let new = try ParsedPage(html: "<h1>Tea</h1><p>A cup costs $4.")
///     for change in try PageDifference(from: old, to: new).changes {
///         print(change.kind.rawValue, change.operation.rawValue, change.summary)
///     }
///
/// What differs each time that a server makes a page (nonces, tokens, session IDs, cache-busting queries, build hashes), the
/// order of attributes and classes, comments, and white space that is not shown are no changes; ``ignored`` counts them.
/// `PageDifference(from: b, to: a)` mirrors `PageDifference(from: a, to: b)`: what was added is removed.
public struct PageDifference: Sendable {
    /// What a change is of.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A block of text.
        case text
        /// A heading.
        case heading
        /// A link's target or text.
        case link
        /// An image: its sources or its alternative text.
        case image
        /// A table: a cell, a row, a column, or all of it.
        case table
        /// An item of a list, or a list.
        case list
        /// A control of a form, an option, or a form.
        case form
        /// The title, a `meta` element, or a `link` element that says something of the page.
        case metadata
        /// JSON-LD.
        case structuredData = "structured-data"
        /// A script, inline or by its source.
        case script
        /// A style sheet, inline or by its source, or an inline style.
        case style
        /// Any other attribute.
        case attribute
        /// The status of the response, one of its fields, or its bytes.
        case response
        /// Something that is wrong with the page, or no longer.
        case finding
    }

    /// What was done.
    public enum Operation: String, Sendable, Codable, CaseIterable {
        /// Only the new page has it.
        case added
        /// Only the old page has it.
        case removed
        /// Both pages have it, with another content.
        case changed
        /// Both pages have it, in another place.
        case moved
    }

    /// One difference.
    public struct Change: Hashable, Sendable {
        /// What it is of.
        public let kind: Kind
        /// What was done.
        public let operation: Operation
        /// The text, value or source in the old page; nil for what was added.
        public let old: String?
        /// The text, value or source in the new page; nil for what was removed.
        public let new: String?
        /// A CSS selector of the element in the old page; nil for what was added, and where there is no element.
        public let oldPath: String?
        /// A CSS selector of the element in the new page; nil for what was removed, and where there is no element.
        public let newPath: String?
        /// The line of the element's tag in the old page, from 1; nil where it is unknown.
        public let oldLine: Int?
        /// The line of the element's tag in the new page, from 1; nil where it is unknown.
        public let newLine: Int?
        /// What of the element it is: an attribute, the name of a `meta` element or field, the path of a value of JSON, "body", "row",
        /// "column", "cell", "formatting"; nil for the element itself.
        public let name: String?
        /// A line that says the change.
        public let summary: String
    }

    /// Something that a rule says is no change.
    public struct HiddenChange: Hashable, Sendable {
        /// The rule: "volatile", "order", "whitespace", "learned", "selector .clock", "attribute title", "pattern [0-9]+",
        /// "numbers within 5.0 %".
        public let rule: String
        /// What it has hidden.
        public let change: Change
    }

    /// A block of both pages, or of one, as it is shown.
    package struct Row: Sendable {
        package let kind: Kind
        /// What was done; nil where the block is paired with another in its order.
        package let operation: Operation?
        /// The text in the old page; nil where it has none.
        package let old: String?
        /// The text in the new page; nil where it has none.
        package let new: String?
        package let oldLine: Int?
        package let newLine: Int?
    }

    /// What counts as a change, and how much work may be done.
    public struct Options: Sendable {
        /// Whether what a server makes anew each time counts too; false unless set.
        public var includesVolatile = false

        /// Whether old and new texts are whole however long; otherwise they are cut at 4 KiB of UTF-8, with "…".
        public var keepsWholeText = false

        /// The elements that are compared, with all that is in them; nil for the whole pages.
        ///
        /// The fields of the responses are compared all the same.
        public var selection: Selector?

        /// Elements that are left out of both pages, with all that is in them.
        public var ignoredSelectors: [Selector] = []

        /// Whether what the page itself hides is left out: by the attribute `hidden`, an inline `display: none` or
        /// `visibility: hidden`, and the contents of templates.
        ///
        /// Style sheets and scripts are not asked.
        public var isVisibleOnly = false

        /// What matches one of these does not count: texts that differ only there are the same, and what was added or removed
        /// and is nothing else is no change.
        public var ignoredPatterns: [TextPattern] = []

        /// By how much numbers may differ and be the same; nil for not at all.
        public var ignoredNumberDifference: Tolerance?

        /// Names of attributes whose differences do not count, in lower case.
        public var ignoredAttributes: Set<String> = []

        /// What differs by itself, learned from the page that is compared as the new one; nil if nothing was.
        public var noise: Noise?

        /// The fields of responses that are compared, in lower case, where both pages are responses of HTTP.
        public var responseFields: Set<String> = [
            "cache-control", "content-disposition", "content-language", "content-security-policy",
            "content-type", "cross-origin-opener-policy", "link", "location", "permissions-policy",
            "referrer-policy", "refresh", "strict-transport-security", "x-content-type-options",
            "x-frame-options", "x-robots-tag",
        ]

        /// Whether the findings of both pages are compared too; false unless set.
        public var comparesFindings = false

        /// Whether ``PageDifference/hidden`` is made; false unless set.
        public var keepsHidden = false

        /// Whether ``PageDifference/rows`` is made.
        package var keepsRows = false

        /// How long blocks that differ are compared to find which became which; nil, the default, for as long as it takes.
        ///
        /// Without it the result depends on the pages alone: comparisons are counted, and once there were too many, blocks are
        /// compared with those next to them only. With it later blocks are said to be removed and added, and
        /// ``PageDifference/isCoarse`` is true.
        public var maximumTime: Duration?

        /// The defaults.
        public init() {}
    }

    /// The changes, in the order of the new page; what was removed stands where it was.
    public let changes: [Change]

    /// How often something differed that is no change, by what it is: "volatile", "order", "whitespace", "comments",
    /// "structure", "selector", "attribute", "pattern", "number", "learned".
    ///
    /// Only what was met is in it.
    public let ignored: [String: Int]

    /// Which rule has hidden what, the first 10,000; empty unless ``Options/keepsHidden`` is set.
    ///
    /// Comments and elements that show nothing are counted only.
    public let hidden: [HiddenChange]

    /// The blocks of both pages side by side, in the order of the new page; empty unless they are wanted.
    package let rows: [Row]

    /// Whether the answer is coarser than it could be: time ran out, or a page reached a limit and is not there as a whole.
    public let isCoarse: Bool

    /// Whether nothing changed.
    public var isSame: Bool { changes.isEmpty }

    /// Compares two pages.
    ///
    /// Each page is gone through once. It blocks the calling thread.
    ///
    /// Complexity: O(n log n) in the size of the pages.
    ///
    /// - Parameters:
    ///   - old: The page as it was.
    ///   - new: The page as it is.
    ///   - options: What counts as a change.
    /// - Throws: ``/WebDocument/SelectorError`` if a selector of ``Options/ignoredSelectors`` takes too many steps.
    public init(
        from old: ParsedPage,
        to new: ParsedPage,
        options: Options = Options()
    ) throws(SelectorError) {
        let pages = try ComparedPages(old, new, options)
        let writer = ChangeWriter(old: pages.old, new: pages.new, options)
        changes = writer.changes(pages.found)
        let written = writer.changes(pages.hidden.map(\.change), isSorted: false)
        hidden = zip(pages.hidden, written).map { HiddenChange(rule: $0.rule, change: $1) }
        ignored = pages.ignored
        isCoarse = pages.isCoarse
        rows = pages.rows
    }

    /// What was found of something that is no page.
    init(changes: [Change], ignored: [String: Int], hidden: [HiddenChange], isCoarse: Bool) {
        self.changes = changes
        self.ignored = ignored
        self.hidden = hidden
        self.isCoarse = isCoarse
        rows = []
    }
}
