import HTTPTypes

/// The data of a page whose scripts were run, besides its tree.
struct ScriptedPage: Sendable {
    let rendering: Rendering
    let served: ParsedPage
    let screenshot: [UInt8]?
    let pdf: [UInt8]?
}

extension PageLoader {
    /// Runs the scripts of an HTML page; any other page is returned unchanged, and so is one that was already
    /// rendered.
    func rendered(
        _ served: ParsedPage,
        _ settings: PageContent.Settings,
        _ request: WebRequest,
        within seconds: Double?,
        by renderer: any PageRenderer
    ) async throws(LoadError) -> (ParsedPage, ScriptedPage?) {
        guard served.document != nil, served.kind == .html || served.kind == .xhtml,
            served.response.source != .rendered
        else { return (served, nil) }
        let page = ServedPage(
            served.response,
            contentType: contentType(served),
            request: request,
            remainingSeconds: seconds,
            loader: self
        )
        let made: RenderedPage
        do throws(RenderingError) {
            made = try await renderer.render(page)
        } catch {
            throw LoadError(error, url: served.response.url)
        }
        let scripted = ScriptedPage(
            rendering: made.rendering,
            served: served,
            screenshot: made.screenshot,
            pdf: made.pdf
        )
        guard let html = made.html else { return (served, scripted) }
        do throws(ParsingError) {
            let parsed = try await parsing(made.url) { () throws(ParsingError) in
                try Self.parsed(html, as: made.url, in: served.response, settings)
            }
            return (parsed, scripted)
        } catch {
            throw LoadError(error, url: made.url)
        }
    }

    /// Returns a response whose page is replaced by what its scripts made of it, if they are run; any other response
    /// unchanged.
    ///
    /// Requests of the page are derived from `request`, which is the one for the page.
    package func scripted(
        _ response: WebResponse,
        for request: WebRequest
    ) async throws(LoadError) -> WebResponse {
        try await scripted(response, for: request, overriding: ContentOverrides()).response
    }

    /// Returns the same with how the scripts were run; `nil` if none were, as for a response that is not a page.
    package func scripted(
        _ response: WebResponse,
        for request: WebRequest,
        overriding overrides: ContentOverrides
    ) async throws(LoadError) -> (response: WebResponse, rendering: Rendering?) {
        guard configuration.renderer != nil else { return (response, nil) }
        let page = try await load(kept: response, for: request, overriding: overrides)
        guard page.response.source == .rendered else { return (response, page.rendering) }
        var scripted = page.response
        scripted.headerFields[.contentType] = "text/html; charset=utf-8"
        return (scripted, page.rendering)
    }

    /// The type of a page with the encoding that was found, as a browser is to take it.
    private func contentType(_ page: ParsedPage) -> String {
        let type = page.kind == .xhtml ? "application/xhtml+xml" : "text/html"
        return page.encoding.map { "\(type); charset=\($0.encoding.name)" } ?? type
    }

    /// Takes apart what scripts have made of a response.
    private static func parsed(
        _ html: [UInt8],
        as url: WebURL,
        in served: WebResponse,
        _ settings: PageContent.Settings
    ) throws(ParsingError) -> ParsedPage {
        var response = served
        // Without a URL the page had one that was made up for the browser.
        if served.url != .aboutBlank { response.url = url }
        response.body = html
        response.source = .rendered
        var settings = settings
        settings.overrides = settings.overrides.applied(to: response)
        settings.detection = nil
        return try ParsedPage(response, settings)
    }
}
