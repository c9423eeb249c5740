import Synchronization

/// A loaded page: the response, what it is, and the document made of it.
public final class Page: Sendable {
    /// The response that the page came in.
    public let response: WebResponse

    /// The computed MIME type: the Content-Type field's, or what the bytes say where it is missing or known to be
    /// unreliable.
    ///
    /// <https://mimesniff.spec.whatwg.org/#computed-mime-type>
    public let mediaType: MediaType

    /// What the page is taken for.
    public let kind: PageKind

    /// The encoding and who named it; nil for what is no text.
    public let encoding: EncodingDetection?

    /// The URL against which the page's references are resolved; `about:blank`, to which only a fragment is relative,
    /// for what came without a base URL.
    ///
    /// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url>
    public let baseURL: WebURL

    /// The URL of the document itself, or what the caller put in its place.
    let fallbackBaseURL: WebURL

    /// The title; nil where there is none.
    public let title: String?

    /// What was put right while decoding and parsing, in words; empty for most pages.
    public let warnings: [String]

    /// The limits that the page met while it was parsed; empty for every honest page.
    public let limits: [ReachedLimit]

    /// Whether something of the page is missing because it met a limit.
    public var isTruncated: Bool { limits.contains(where: \.isTruncation) }

    /// The parse errors; empty unless ``PageLoader/Configuration/reportsParseErrors`` is set.
    public let parseErrors: ParseErrors

    let settings: PageContent.Settings

    /// Who has loaded it, and how; nil for a page that only a worker has.
    let origin: PageOrigin?
    private let parsed: Mutex<Document?>
    let allowance = Mutex(Allowance())

    /// Makes a page of a response, and of what was parsed of it on the way.
    init(
        _ response: WebResponse,
        _ settings: PageContent.Settings,
        _ arrived: ArrivedHTML? = nil,
        origin: PageOrigin? = nil
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

    /// The document; nil for what is not parsed (``PageKind/text``, ``PageKind/other``), and of XML where the response
    /// has no content at all (to HEAD, with a status of 204, 205 or 304).
    ///
    /// After ``PageLoader/handleMemoryPressure()`` the page is parsed anew when this is asked next, O(n) in its
    /// bytes; a document that you hold stays as it is.
    ///
    /// - Throws: ``ParsingError`` if it had to be parsed anew and there was no memory for it.
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

    /// The text of the page's source, whatever it is taken for; nil for ``PageKind/other``.
    ///
    /// Lines and columns of what was found count in it, once its line ends are LF.
    ///
    /// Complexity: O(n) in the number of bytes.
    public var source: String? { encoding.map { DecodedText(response.body, $0).string } }

    /// Lets go of the document, which can be made again from the response.
    func releaseDocument() {
        parsed.withLock { $0 = nil }
    }
}
