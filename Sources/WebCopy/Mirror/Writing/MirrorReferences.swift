import HTTPTypes
import WebDocument
import WebStandards

/// What pages and style sheets of a mirror refer to.
struct MirrorReferences: Sendable {
    private let options: MirrorJob.Options

    init(_ options: MirrorJob.Options) { self.options = options }

    /// How the selectors of style sheets are written.
    var selectors: SelectorWriting { SelectorWriting(keepsValues: !options.keepsScripts) }

    /// The URLs that a page, or a style sheet, needs to be shown.
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
            // What such a page shows is put into it, once: not what is in one that is in it.
            guard !isInData, reference.canBeLoaded, let inner = Self.page(inData: reference.resource) else {
                return []
            }
            return resources(of: inner, isInData: true)
        }
    }

    /// What rewrites a page.
    ///
    /// - Throws: ``/WebDocument/ParsingError`` for what has no markup, and without memory.
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

    /// What rewrites a style sheet; nil for what is none.
    static func sheet(_ page: ParsedPage, _ environment: TextEncoding = .utf8) -> SheetRewriter? {
        guard page.mediaType.essence == "text/css" else { return nil }
        let text = StyleSheetLinks.text(of: page.response, environment: environment)
        return SheetRewriter(text, url: page.response.url)
    }

    /// The page, or the style sheet, that a `data:` URL is; nil for what is none.
    static func page(inData url: WebURL) -> ParsedPage? {
        guard let data = try? DataURL(url.href) else { return nil }
        var response = WebResponse(url: url, status: nil, body: data.body, source: .memory)
        response.headerFields[.contentType] = data.mimeType.description
        var parsing = ParsingSettings()
        parsing.startClock()
        return try? ParsedPage(response, PageContent.Settings(parsing: parsing))
    }
}
