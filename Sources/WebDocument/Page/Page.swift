import Synchronization

/// A loaded page: the response, its type, and its document.
public final class Page: Sendable {
    /// The response with the page.
    public let response: WebResponse

    /// The computed MIME type: that of the Content-Type field, or the sniffed one if that is missing or known
    /// to be unreliable.
    ///
    /// <https://mimesniff.spec.whatwg.org/#computed-mime-type>
    public let mediaType: MediaType

    /// How the page is treated, by its type.
    public let kind: PageKind

    /// The encoding and its source; nil for a page that is not text.
    public let encoding: EncodingDetection?

    /// The URL against which the page's references are resolved; `about:blank`, to which only a fragment is relative,
    /// for a page without a base URL.
    ///
    /// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url>
    public let baseURL: WebURL

    /// The URL of the document itself, or the caller's override.
    let fallbackBaseURL: WebURL

    /// The title; nil if there is none.
    public let title: String?

    /// Descriptions of the corrections made while decoding and parsing; empty for most pages.
    public let warnings: [String]

    /// The limits that the page reached while it was parsed; empty for legitimate pages.
    public let limits: [ReachedLimit]

    /// Whether a part of the page is missing because it reached a limit.
    public var isTruncated: Bool { limits.contains(where: \.isTruncation) }

    /// The parse errors; empty unless `PageLoader.Configuration.reportsParseErrors` is set.
    public let parseErrors: ParseErrors

    package let settings: PageContent.Settings

    /// The loader that made the page; nil for a page that was made without one.
    package let origin: (any PageOrigin)?
    private let parsed: Mutex<Document?>
    let allowance = Mutex(Allowance())

    /// Creates a page from a response, and from the result of parsing as it arrived, if any.
    package init(
        _ response: WebResponse,
        _ settings: PageContent.Settings,
        _ arrived: ArrivedHTML? = nil,
        origin: (any PageOrigin)? = nil
    ) throws(ParsingError) {
        self.origin = origin
        let content = try PageContent(response, settings, arrived)
        self.response = response
        mediaType = content.mediaType
        kind = content.kind
        encoding = content.detection
        let fallback = settings.overrides.baseURL ?? response.url
        fallbackBaseURL = fallback
        baseURL =
            content.document?.baseURL(fallback: fallback, encoding: content.detection?.encoding ?? .utf8)
            ?? fallback
        title = content.document?.title
        warnings = content.warnings
        limits = content.limits
        parseErrors = content.errors
        var settings = settings
        settings.detection = content.detection
        settings.parsing.interruption = nil
        self.settings = settings
        parsed = Mutex(content.document)
    }

    /// The document; nil for a page that is not parsed (``PageKind/text``, ``PageKind/other``), and for XML
    /// if the response has no content at all (to HEAD, with a status of 204, 205 or 304).
    ///
    /// After `PageLoader.handleMemoryPressure()` the page is parsed again on the next access, O(n) in its
    /// bytes; a document that you hold stays as it is.
    ///
    /// - Throws: ``ParsingError`` if it had to be parsed again and there was not enough memory.
    public var document: Document? {
        get throws(ParsingError) {
            try parsed.withLock { (document) throws(ParsingError) in
                if document == nil { document = try PageContent(response, settings).document }
                return document
            }
        }
    }

    /// The text of a page that is not parsed; nil for ``PageKind/other``, and for pages that have a document.
    ///
    /// Complexity: O(n) in the number of bytes.
    public var text: String? {
        guard kind == .text, let encoding else { return nil }
        return DecodedText(response.body, encoding).string
    }

    /// The text of the page's source, for every ``kind`` of text; nil for ``PageKind/other``.
    ///
    /// Lines and columns of findings refer to it, with its line ends converted to LF.
    ///
    /// Complexity: O(n) in the number of bytes.
    public var source: String? { encoding.map { DecodedText(response.body, $0).string } }

    /// Releases the document, which can be parsed again from the response.
    package func releaseDocument() {
        parsed.withLock { $0 = nil }
    }
}
