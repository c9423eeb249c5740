public import WebDocument

/// The differences between two pages, as a person would describe them: blocks of text, headings, links, images, tables,
/// lists, forms, metadata, structured data, scripts, styles and attributes.
///
///     let old = try ParsedPage(html: "<h1>Tea</h1><p>A cup costs $3.")
///     let new = try ParsedPage(html: "<h1>Tea</h1><p>A cup costs $4.")
///     for change in try PageDifference(from: old, to: new).changes {
///         print(change.kind.rawValue, change.operation.rawValue, change.summary)
///     }
///
/// Values that a server generates anew each time (nonces, tokens, session IDs, cache-busting queries, build hashes),
/// the order of attributes and classes, comments, and white space that is not shown do not count as changes;
/// ``ignored`` counts such differences. `PageDifference(from: b, to: a)` mirrors `PageDifference(from: a, to: b)`: what
/// was added is removed.
public struct PageDifference: Sendable {
    /// The kind of content that changed.
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
        /// The title, a `meta` element, or a `link` element with metadata.
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
        /// A problem of the page that appeared or disappeared.
        case finding
    }

    /// How a part of the page changed.
    public enum Operation: String, Sendable, Codable, CaseIterable {
        /// Only the new page has it.
        case added
        /// Only the old page has it.
        case removed
        /// Both pages have it, with different content.
        case changed
        /// Both pages have it, in different places.
        case moved
    }

    /// One difference.
    public struct Change: Hashable, Sendable {
        /// The kind of content that changed.
        public let kind: Kind
        /// How it changed.
        public let operation: Operation
        /// The text, value or source in the old page; `nil` if it was added.
        public let old: String?
        /// The text, value or source in the new page; `nil` if it was removed.
        public let new: String?
        /// A CSS selector of the element in the old page; `nil` if it was added, or if there is no element.
        public let oldPath: String?
        /// A CSS selector of the element in the new page; `nil` if it was removed, or if there is no element.
        public let newPath: String?
        /// The line of the element's tag in the old page, from 1; `nil` if it is unknown.
        public let oldLine: Int?
        /// The line of the element's tag in the new page, from 1; `nil` if it is unknown.
        public let newLine: Int?
        /// The part of the element that changed: an attribute, the name of a `meta` element or header field, the path
        /// of a JSON value, "body", "row", "column", "cell", "formatting"; `nil` for the element itself.
        public let name: String?
        /// A one-line description of the change.
        public let summary: String
    }

    /// A difference that a rule hides.
    public struct HiddenChange: Hashable, Sendable {
        /// The rule: "volatile", "order", "whitespace", "learned", "selector .clock", "attribute title", "pattern [0-9]+",
        /// "numbers within 5.0 %".
        public let rule: String
        /// The hidden difference.
        public let change: Change
    }

    /// A block of both pages, or of one of them, as it is shown.
    package struct Row: Sendable {
        package let kind: Kind
        /// How the block changed; `nil` if it is paired with another in order.
        package let operation: Operation?
        /// The text in the old page; `nil` if the page does not have the block.
        package let old: String?
        /// The text in the new page; `nil` if the page does not have the block.
        package let new: String?
        package let oldLine: Int?
        package let newLine: Int?
    }

    /// The settings of a comparison: which differences count as changes, and how much work may be done.
    public struct Options: Sendable {
        /// Whether values that a server generates anew each time count too; false by default.
        public var includesVolatile = false

        /// Whether old and new texts are complete, however long; otherwise they are cut at 4 KiB of UTF-8, with "…".
        public var keepsWholeText = false

        /// The elements that are compared, with their contents; `nil` for the whole pages.
        ///
        /// The header fields of the responses are compared in any case.
        public var selection: Selector?

        /// The elements that are excluded from both pages, with their contents.
        public var ignoredSelectors: [Selector] = []

        /// Whether content that the markup hides is excluded: by the attribute `hidden`, an inline `display: none` or
        /// `visibility: hidden`, hidden inputs, and the contents of templates.
        ///
        /// Style sheets and scripts are not evaluated.
        public var isVisibleOnly = false

        /// The patterns whose matches do not count.
        ///
        /// Texts that differ only in matches are the same; a text that was added or removed and consists only of
        /// matches is not a change.
        public var ignoredPatterns: [TextPattern] = []

        /// The difference up to which two numbers count as the same; `nil` if they must be equal.
        public var ignoredNumberDifference: Tolerance?

        /// The names of attributes whose differences do not count, in lower case.
        public var ignoredAttributes: Set<String> = []

        /// The parts that differ from load to load, learned from the page that is compared as the new one; `nil` if
        /// nothing was learned.
        public var noise: Noise?

        /// The names of the header fields that are compared, in lower case, if both pages are HTTP responses.
        public var responseFields: Set<String> = [
            "cache-control", "content-disposition", "content-language", "content-security-policy",
            "content-type", "cross-origin-opener-policy", "link", "location", "permissions-policy",
            "referrer-policy", "refresh", "strict-transport-security", "x-content-type-options",
            "x-frame-options", "x-robots-tag",
        ]

        /// Whether the findings of both pages are compared too; false by default.
        public var comparesFindings = false

        /// Whether ``PageDifference/hidden`` is filled; false by default.
        public var keepsHidden = false

        /// Whether ``PageDifference/rows`` is filled.
        package var keepsRows = false

        /// The time limit for pairing blocks that differ; `nil`, the default, for no limit.
        ///
        /// Without a limit the result depends on the pages alone: comparisons are counted, and once there were too
        /// many, blocks are only compared with their neighbors. Once the limit is exceeded, the remaining blocks are
        /// reported as removed and added, and ``PageDifference/isCoarse`` is true.
        public var maximumTime: Duration?

        /// Creates the default options.
        public init() {}
    }

    /// The changes, in the order of the new page; removed content stands where it was.
    public let changes: [Change]

    /// The number of differences that are not changes, by kind: "volatile", "order", "whitespace", "comments",
    /// "structure", "selector", "attribute", "pattern", "number", "learned".
    ///
    /// Kinds without a difference are omitted.
    public let ignored: [String: Int]

    /// The first 10,000 differences that a rule hides; empty unless ``Options/keepsHidden`` is set.
    ///
    /// Comments and elements that show nothing are only counted.
    public let hidden: [HiddenChange]

    /// The blocks of both pages side by side, in the order of the new page; empty unless ``Options/keepsRows`` is set.
    package let rows: [Row]

    /// Whether the result is coarser than it could be: time or steps ran out, or a page reached a limit and is
    /// truncated.
    public let isCoarse: Bool

    /// Whether nothing changed.
    public var isSame: Bool { changes.isEmpty }

    /// Compares two pages.
    ///
    /// Each page is traversed once. Blocks the calling thread.
    ///
    /// Complexity: O(n log n) in the size of the pages.
    ///
    /// - Parameters:
    ///   - old: The page as it was.
    ///   - new: The page as it is.
    ///   - options: The differences that count as changes, and the limits.
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

    /// Creates a result from changes that do not belong to a page.
    init(changes: [Change], ignored: [String: Int], hidden: [HiddenChange], isCoarse: Bool) {
        self.changes = changes
        self.ignored = ignored
        self.hidden = hidden
        self.isCoarse = isCoarse
        rows = []
    }
}
