import WebDocument
import WebStandards

/// Frames and style sheets, which have references of their own.
extension PageComposer {
    // MARK: - Frames

    /// Returns the replacement of a frame, which may show a page, an image or anything else.
    func frame(
        _ resource: CopiedResource,
        _ reference: CopyReference,
        _ scope: Scope
    ) throws(CopyFault) -> Replacement {
        // An object does not show an error response; a frame does.
        guard resource.fault == nil || reference.kind == .frame else { return .missing }
        guard let frame = contents.frames[resource.url] else {
            return try isShown(resource, reference) ? embedding(resource, reference) : .missing
        }
        // As in browsers, a page may be within itself once.
        let own = resource.response?.url.withoutFragment ?? resource.url
        guard scope.chain.count(where: { $0 == own }) < 2 else { return .missing }
        let text = try inner(frame, chain: scope.chain + [own])
        // The markup of a frame's attribute is never in quirks mode.
        if reference.element == "iframe", frame.page.kind == .html,
            frame.page.document?.compatibilityMode != .quirks
        {
            return .frame(String(decoding: text, as: UTF8.self))
        }
        let type = frame.page.kind == .html ? "text/html" : frame.page.mediaType.essence
        return .url(DataURLText.url(type, text) + reference.url.hash)
    }

    /// Whether a frame that does not have a page has something to show.
    ///
    /// Markup that could not be parsed is never shown: its references are unknown.
    func isShown(_ resource: CopiedResource, _ reference: CopyReference) throws(CopyFault) -> Bool {
        guard resource.fault == nil, resource.response?.body.isEmpty == false else { return false }
        if let fault = contents.unread[resource.url] { throw fault }
        let type = resource.type
        // Browsers show what they can, and would download the rest.
        let isPlain = ["image", "text", "audio", "video"].contains { type.hasPrefix("\($0)/") }
        let isMarkup = MediaType(type)?.isShownAsMarkup ?? false
        guard !isMarkup, isPlain || reference.kind == .object else {
            throw CopyFault(code: "parse.kind", message: "\(type) cannot be shown in a frame of a copy")
        }
        return true
    }

    // MARK: - Style sheets

    /// Returns the `data:` URL of a style sheet; `nil` if it is not one in this page, or imports itself.
    func sheet(
        _ resource: CopiedResource,
        _ scope: inout Scope
    ) throws(CopyFault) -> String? {
        if let made = scope.sheets[resource.url] {
            try take(again: made)
            return made
        }
        guard resource.fault == nil, let response = resource.response, isStyleSheet(resource, scope) else {
            return nil
        }
        let own = response.url.withoutFragment
        guard !scope.chain.contains(own) else {
            scope.isCut = true
            return nil
        }
        // The outermost page is not around it.
        guard scope.chain.count - 1 <= ResourceWish.maximumDepth else {
            scope.isCut = true
            throw .tooDeep
        }
        try budget.takePart()
        let wasCut = scope.isCut
        scope.isCut = false
        scope.chain.append(own)
        let rewriter = rewriter(of: response, &scope)
        let rewritten = rewriter.rewritten(selectors: scope.selectors) { self.replacement($0, &scope) }
        scope.chain.removeLast()
        note(rewritten.changed)
        let url = DataURLText.url("text/css", rewritten.bytes)
        try budget.take(bytes: url.utf8.count)
        // A sheet that was cut because of those around it may be complete elsewhere.
        if !scope.isCut { scope.sheets[resource.url] = url }
        scope.isCut = scope.isCut || wasCut
        return url
    }

    /// Returns the rewriter of a style sheet, made once for each URL: for finding references and for replacing them.
    private func rewriter(of response: WebResponse, _ scope: inout Scope) -> SheetRewriter {
        if let known = scope.rewriters[response.url] { return known }
        let text = StyleSheetLinks.text(of: response, environment: scope.encoding)
        let rewriter = SheetRewriter(text, url: response.url, policies: scope.policies)
        scope.rewriters[response.url] = rewriter
        return rewriter
    }

    /// Returns the style sheets of references, and those that they import, each once, the outermost first.
    func linkedSheets(
        _ references: [CopyReference],
        _ scope: inout Scope
    ) -> [(sheet: SheetRewriter, frameDepth: Int)] {
        var found: [(sheet: SheetRewriter, frameDepth: Int)] = []
        var seen: Set<WebURL> = []
        var waiting = references.filter { $0.kind == .stylesheet }.sorted { $0.frameDepth > $1.frameDepth }
        while let reference = waiting.popLast() {
            guard !reference.isForbidden, let resource = contents[reference.resource],
                let response = resource.response, resource.fault == nil, isStyleSheet(resource, scope),
                seen.insert(resource.url).inserted
            else { continue }
            let sheet = self.rewriter(of: response, &scope)
            found.append((sheet, reference.frameDepth))
            for var imported in sheet.references where imported.kind == .stylesheet {
                imported.frameDepth = reference.frameDepth
                waiting.append(imported)
            }
        }
        return found
    }

    /// Whether a browser takes a resource for a style sheet.
    ///
    /// <https://html.spec.whatwg.org/multipage/links.html#link-type-stylesheet>
    func isStyleSheet(_ resource: CopiedResource, _ scope: Scope) -> Bool {
        guard let response = resource.response else { return false }
        guard let type = response.contentType else { return true }
        return type.essence == "text/css" || scope.isQuirky && response.url.isSameOrigin(as: scope.url)
    }
}
