import Synchronization

/// A page taken apart: its tree, and everything that is found in it.
///
///     let page = try ParsedPage(html: "<title>Tea</title><a href=green>Green</a>")
///     print(page.title ?? "", page.links.count, page.mainText?.text ?? "")
///
/// Nothing here throws or changes. Data from the tree is gathered on first access, on the calling thread, in O(n) of
/// the page's size unless stated otherwise, and stored. Each time it may take memory in proportion to the page's size,
/// and ``/WebStandards/LoadLimits/maximumTime``; ``inspectionLimits`` reports results that are incomplete because of
/// that. In a task that is cancelled, gathering ends at once: its results are incomplete, and not stored.
public final class ParsedPage: Sendable {
    package let facts: PageFacts

    /// The document; nil for a page that is not parsed (``PageKind/text``, ``PageKind/other``), and for XML
    /// if the response has no content at all (to HEAD, with a status of 204, 205 or 304).
    public let document: Document?

    let state = Mutex(State())

    /// The data gathered so far, and its cost.
    struct State {
        var allowance = Allowance()
        var source: String?
        var links: [Link]?
        var inventory: PageInventory?
        var tables: [Table]?
        var tableSummaries: [TableSummary]?
        var metadata: PageMetadata?
        var described: Described?
        var article: PageArticle?
        var findings: Findings?
        var mainText: ReadableText??
        var wholeText: ReadableText??
        var discussion: Discussion?
        var nodes: NodeIndex?
    }

    /// Parses a response, or uses the result of parsing it as it arrived, if any.
    package init(
        _ response: WebResponse,
        _ settings: PageContent.Settings,
        _ arrived: ArrivedHTML? = nil
    ) throws(ParsingError) {
        let content = try PageContent(response, settings, arrived)
        document = content.document
        facts = PageFacts(response, content, settings)
    }

    /// Parses a page again, in the time that its limits give.
    package init(again facts: PageFacts) throws(ParsingError) {
        var settings = facts.settings
        settings.parsing.startClock()
        let content = try PageContent(facts.response, settings)
        document = content.document
        self.facts = PageFacts(facts.response, content, facts.settings)
    }

    /// The same page and tree, with nothing gathered yet: for measurements.
    package init(treeOf other: ParsedPage) {
        facts = other.facts
        document = other.document
    }

    /// The response with the page.
    public var response: WebResponse { facts.response }

    /// The computed MIME type: that of the Content-Type field, or the sniffed one if that is missing or known
    /// to be unreliable.
    ///
    /// <https://mimesniff.spec.whatwg.org/#computed-mime-type>
    public var mediaType: MediaType { facts.mediaType }

    /// How the page is treated, by its type.
    public var kind: PageKind { facts.kind }

    /// The encoding and its source; nil for a page that is not text.
    public var encoding: EncodingDetection? { facts.encoding }

    /// The URL against which the page's references are resolved; `about:blank`, to which only a fragment is relative,
    /// for a page without a base URL.
    ///
    /// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url>
    public var baseURL: WebURL { facts.baseURL }

    /// The title; nil if there is none.
    public var title: String? { facts.title }

    /// Descriptions of the corrections made while decoding and parsing; empty for most pages.
    public var warnings: [String] { facts.warnings }

    /// The limits that the page reached while it was parsed; empty for legitimate pages.
    public var limits: [ReachedLimit] { facts.limits }

    /// Whether a part of the page is missing because it reached a limit.
    public var isTruncated: Bool { limits.contains(where: \.isTruncation) }

    /// The parse errors; empty unless they were requested (`PageLoader.Configuration.reportsParseErrors`).
    public var parseErrors: ParseErrors { facts.parseErrors }

    /// The text of the page's source, for every ``kind`` of text; nil for ``PageKind/other``.
    ///
    /// Lines and columns of findings refer to it, with its line ends converted to LF.
    public var source: String? {
        guard let encoding else { return nil }
        if let source = state.withLock(\.source) { return source }
        let source = DecodedText(response.body, encoding).string
        state.withLock { $0.source = source }
        return source
    }

    /// The text of a page that is not parsed; nil for ``PageKind/other``, and for pages that have a document.
    public var text: String? { kind == .text ? source : nil }
}

// MARK: - Selecting

extension ParsedPage {
    /// The first element that matches a selector, in document order; nil if none does, or if there is no document.
    ///
    /// - Throws: ``SelectorError`` as ``Document/querySelector(_:)-(String)``.
    public func querySelector(_ selector: String) throws(SelectorError) -> Node? {
        try document?.querySelector(selector)
    }

    /// The elements that match a selector, in document order; none if there is no document.
    ///
    /// - Throws: ``SelectorError`` as ``Document/querySelectorAll(_:)-(String)``.
    public func querySelectorAll(_ selector: String) throws(SelectorError) -> [Node] {
        try document?.querySelectorAll(selector) ?? []
    }
}
