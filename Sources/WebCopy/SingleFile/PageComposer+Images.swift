import WebDocument
import WebStandards

/// Images that are stored once, and symbols that are put into the page.
extension PageComposer {
    // MARK: - Images

    /// The images that are used so often that they are stored once.
    ///
    /// - Parameter references: Those of the page, and of each of its style sheets, which count once however often they are imported.
    /// - Returns: The images.
    func sharedImages(_ references: [CopyReference]) -> SharedImages {
        var uses: [(url: WebURL, times: Int)] = []
        var places: [WebURL: Int] = [:]
        for reference in references where !reference.isForbidden && SharedImages.canShare(reference) {
            guard let resource = contents[reference.resource], resource.response != nil, resource.fault == nil
            else { continue }
            if let place = places[resource.url] {
                uses[place].times += 1
            } else {
                places[resource.url] = uses.count
                uses.append((resource.url, 1))
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
