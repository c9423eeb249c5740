/// The facts about a page besides its tree.
package struct PageFacts: Sendable {
    package let response: WebResponse
    package let mediaType: MediaType
    package let kind: PageKind
    package let encoding: EncodingDetection?
    package let baseURL: WebURL

    /// The URL of the document itself, or the caller's override.
    let fallbackBaseURL: WebURL

    package let title: String?
    package let warnings: [String]
    package let limits: [ReachedLimit]
    package let parseErrors: ParseErrors

    /// The settings that parse the page again in the same way.
    package let settings: PageContent.Settings

    init(_ response: WebResponse, _ content: PageContent, _ settings: PageContent.Settings) {
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
    }

    /// Resolves the page's references.
    var resolver: ReferenceResolver {
        ReferenceResolver(base: baseURL, encoding: encoding?.encoding ?? .utf8)
    }
}
