/// Runs the scripts of pages, and returns the pages that result.
///
/// A loader with one (``PageLoader/Configuration/renderer``) passes it each HTML page once after it has arrived from
/// its server, and parses the result. `ChromiumRenderer`, in the module WebRendering, is the only implementation.
public protocol PageRenderer: Sendable {
    /// Runs a page.
    ///
    /// It returns within the renderer's budget, whatever the page does. A page that exceeds the budget is as it was
    /// at that time, or, if nothing is left of that, as its server sent it (``Rendering/isOfScripts``).
    ///
    /// - Parameter page: The page, and the means to load its resources.
    /// - Returns: The rendered page.
    /// - Throws: ``RenderingError`` if no page can be rendered, or the task is cancelled.
    func render(_ page: ServedPage) async throws(RenderingError) -> RenderedPage
}

/// A page as its server sent it, for a ``PageRenderer``.
public struct ServedPage: Sendable {
    /// The response with the page.
    public let response: WebResponse

    /// The type of its body, with the encoding that the loader has found: `text/html; charset=windows-1252`.
    public let contentType: String

    /// How the page was asked for.
    public let request: WebRequest

    /// Seconds that the load may still take; nil for any number.
    public let remainingSeconds: Double?

    private let loader: PageLoader

    init(
        _ response: WebResponse,
        contentType: String,
        request: WebRequest,
        remainingSeconds: Double?,
        loader: PageLoader
    ) {
        self.response = response
        self.contentType = contentType
        self.request = request
        self.remainingSeconds = remainingSeconds
        self.loader = loader
    }

    /// The most bytes that a page may have, ``/WebStandards/LoadLimits/maximumBodySize`` of the loader.
    package var maximumBodySize: Int { loader.configuration.limits.maximumBodySize }

    /// Returns a request for a resource of the page.
    ///
    /// It is like the request for the page, with the same cache policy, and with the same fields only within the same
    /// origin. Redirects are not followed.
    public func request(for url: WebURL) -> WebRequest {
        var request = LoaderOrigin(loader: loader, request: request).request(for: url)
        request.followsRedirects = false
        return request
    }

    /// Loads a resource of the page as the loader does: from its cache or its archives, within its limits, recorded
    /// and observed.
    ///
    /// - Throws: ``LoadError``.
    public func load(_ request: WebRequest) async throws(LoadError) -> WebResponse {
        try await loader.fetch(request)
    }

    /// Returns the cookies that the loader itself would send with a request, as a Cookie field has them; `nil` if
    /// there are none.
    package func cookies(for request: WebRequest) -> String? {
        loader.configuration.cookieJar?.field(for: request)
    }
}

/// The result of rendering a page with a ``PageRenderer``.
public struct RenderedPage: Sendable {
    /// The tree of the page as HTML in UTF-8; nil where scripts have left nothing, and the page is as it was served.
    public var html: [UInt8]?

    /// The URL that the page has now: scripts may change it, and lead elsewhere.
    public var url: WebURL

    /// How it went.
    public var rendering: Rendering

    /// A picture of the page as PNG; nil unless one was wished for.
    public var screenshot: [UInt8]?

    /// The page as PDF; nil unless that was wished for.
    public var pdf: [UInt8]?

    /// Creates one.
    public init(
        html: [UInt8]?,
        url: WebURL,
        rendering: Rendering,
        screenshot: [UInt8]? = nil,
        pdf: [UInt8]? = nil
    ) {
        self.html = html
        self.url = url
        self.rendering = rendering
        self.screenshot = screenshot
        self.pdf = pdf
    }
}
