import WebArchive
import WebDocument
import WebStandards

extension PageComposer {
    /// Passes on the page and its resources as parts that refer to each other.
    func writeMessage(
        _ write: (_ location: String, _ type: String, _ bytes: [UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        guard let main = contents.main else { return }
        let url = contents.page.response.url.withoutFragment
        _ = parts.add(url, as: .page(CopiedFrame(page: contents.page, rewriter: main)))
        while let part = parts.next() {
            switch part.content {
            case .page(let frame):
                let text = text(frame.rewriter, frame.page, chain: [part.url], isOutermost: false)
                let type = frame.page.kind == .html ? "text/html" : frame.page.mediaType.essence
                try write(part.location, "\(type); charset=utf-8", whole(text))
            case .styleSheet(let scope):
                try write(part.location, "text/css; charset=utf-8", whole(styleSheet(part.url, scope)))
            case .bytes:
                guard let resource = contents[part.url], let response = resource.response else { continue }
                try write(part.location, response.contentType?.description ?? resource.type, response.body)
            }
        }
    }

    /// The URL of a resource that is a part of the message.
    func part(
        _ resource: CopiedResource,
        _ reference: CopyReference,
        _ scope: Scope
    ) throws(CopyFault) -> Replacement {
        let content: MessageParts.Content
        switch reference.kind {
        case .stylesheet:
            guard resource.fault == nil, isStyleSheet(resource, scope) else { return .missing }
            content = .styleSheet(scope)
        case .frame, .object:
            if let frame = contents.frames[resource.url] {
                guard resource.fault == nil || reference.kind == .frame else { return .missing }
                content = .page(frame)
            } else {
                guard try isShown(resource, reference) else { return .missing }
                content = .bytes
            }
        default:
            guard try isUsable(resource, reference) else { return .missing }
            content = .bytes
        }
        // Browsers do not find a part by a URL with a fragment.
        if !reference.url.hash.isEmpty, case .bytes = content { return try embedding(resource, reference) }
        if let location = parts.location(of: resource.url, as: content) {
            return .url(location + reference.url.hash)
        }
        try budget.takePart()
        return .url(parts.add(resource.url, as: content) + reference.url.hash)
    }

    /// A text with the bytes in it in place of their marks.
    private func whole(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(embedded.length(of: text) { contents.body($0).count })
        embedded.write(text, bytes: contents.body) { output += $0 }
        return output
    }

    private func styleSheet(_ url: WebURL, _ scope: Scope) -> [UInt8] {
        guard let response = contents[url]?.response else { return [] }
        let text = StyleSheetLinks.text(of: response, environment: scope.encoding)
        let rewriter = SheetRewriter(text, url: response.url, policies: scope.policies)
        var scope = scope
        let rewritten = rewriter.rewritten(selectors: scope.selectors) { replacement($0, &scope) }
        note(rewritten.changed)
        return rewritten.bytes
    }
}
