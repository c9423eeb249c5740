import HTTPTypes
import WebDocument
import WebStandards

/// The references of a mirror's pages and style sheets.
struct MirrorReferences: Sendable {
    private let options: MirrorJob.Options

    init(_ options: MirrorJob.Options) { self.options = options }

    /// How the selectors of style sheets are written.
    var selectors: SelectorWriting { SelectorWriting(keepsValues: !options.keepsScripts) }

    /// Returns the URLs that a page, or a style sheet, needs to be shown.
    func resources(of page: ParsedPage) -> [WebURL] { resources(of: page, isInData: false) }

    private func resources(of page: ParsedPage, isInData: Bool) -> [WebURL] {
        let references: [CopyReference]
        if let sheet = Self.sheet(page) {
            references = sheet.requisites
        } else if let rewriter = try? rewriter(of: page) {
            references = rewriter.requisites
        } else {
            return []
        }
        return references.flatMap { reference -> [WebURL] in
            guard reference.isRequisite, !reference.isForbidden, !reference.isOptional else { return [] }
            guard reference.url.scheme == "data" else { return [reference.resource] }
            // The resources of such a page are embedded in it once: not those of another one inside of it.
            guard !isInData, reference.canBeLoaded, let inner = Self.page(inData: reference.resource) else {
                return []
            }
            return resources(of: inner, isInData: true)
        }
    }

    /// Returns the rewriter of a page.
    ///
    /// - Throws: ``/WebDocument/ParsingError`` for a page without markup, and if there is not enough memory.
    func rewriter(of page: ParsedPage) throws(ParsingError) -> PageRewriter {
        var rewriting = PageRewriter.Options()
        rewriting.keepsScripts = options.keepsScripts
        rewriting.showsLazyImages = options.showsLazyImages
        // Each candidate is a file, so that a browser may choose as it does on the web.
        rewriting.keepsCandidates = true
        rewriting.maximumDensity = options.maximumDensity
        rewriting.policies = page.response.values(.contentSecurityPolicy)
        return try PageRewriter(page, options: rewriting)
    }

    /// Returns the rewriter of a style sheet; `nil` if the page is not one.
    static func sheet(_ page: ParsedPage, _ environment: TextEncoding = .utf8) -> SheetRewriter? {
        guard page.mediaType.essence == "text/css" else { return nil }
        let text = StyleSheetLinks.text(of: page.response, environment: environment)
        return SheetRewriter(text, url: page.response.url)
    }

    /// Returns the page, or the style sheet, in a `data:` URL; `nil` if it is invalid.
    static func page(inData url: WebURL) -> ParsedPage? {
        guard let data = try? DataURL(url.href) else { return nil }
        var response = WebResponse(url: url, status: nil, body: data.body, source: .memory)
        response.headerFields[.contentType] = data.mimeType.description
        var parsing = ParsingSettings()
        parsing.startClock()
        return try? ParsedPage(response, PageContent.Settings(parsing: parsing))
    }
}
