import WebDocument
import WebStandards

/// Images that are stored once, and symbols that are put into the page.
extension PageComposer {
    // MARK: - Images

    /// The images that are used so often that they are stored once.
    ///
    /// What is in a style sheet counts once, however often that is imported.
    func sharedImages(_ references: [CopyReference], _ scope: Scope) -> SharedImages {
        var uses: [(url: WebURL, times: Int)] = []
        var places: [WebURL: Int] = [:]
        var sheets: Set<WebURL> = []
        var waiting = [references]
        while let references = waiting.popLast() {
            for reference in references where !reference.isForbidden {
                guard let resource = contents[reference.resource], let response = resource.response,
                    resource.fault == nil
                else { continue }
                if SharedImages.canShare(reference) {
                    if let place = places[resource.url] {
                        uses[place].times += 1
                    } else {
                        places[resource.url] = uses.count
                        uses.append((resource.url, 1))
                    }
                } else if reference.kind == .stylesheet, reference.frameDepth == 0,
                    isStyleSheet(resource, scope), sheets.insert(resource.url).inserted
                {
                    let text = StyleSheetLinks.text(of: response, environment: scope.encoding)
                    let sheet = SheetRewriter(text, url: response.url, policies: scope.policies)
                    waiting.append(sheet.references)
                }
            }
        }
        return SharedImages(uses) { contents[$0]?.response?.body.count }
    }

    // MARK: - Symbols

    func symbol(_ reference: CopyReference, _ scope: inout Scope) throws(CopyFault) -> Replacement {
        guard let frame = contents.frames[reference.resource] else {
            if let fault = contents.unread[reference.resource] { throw fault }
            return .missing
        }
        let isShared = reference.frameDepth == 0 && reference.isInPageScope
        let chain = scope.chain + [reference.resource]
        var fault: CopyFault?
        let made = scope.symbols.symbol(reference.url, isShared: isShared, frame.page) {
            do throws(CopyFault) {
                return try self.inner(frame, chain: chain)
            } catch {
                fault = error
                return nil
            }
        }
        if let fault { throw fault }
        guard let made else {
            if scope.symbols.isExhausted {
                throw CopyFault(code: "limit.resources", message: "more symbols than a page may have")
            }
            return .missing
        }
        try take(again: made.markup)
        return .symbol(markup: made.markup, id: made.id)
    }
}
