import HTTPTypes
import WebDocument
import WebStandards

/// A composer of a page and its resources into one text, in which marks represent the bytes that become Base64.
final class PageComposer {
    let contents: CopyContents
    let options: PageCopy.Options
    let embedded = EmbeddedBytes()
    let budget: CompositionBudget
    /// The number of the mark for the additions to a head.
    private static let head = 0xFFFF_FFFF
    private(set) var changed: [String: Int] = [:]
    /// Whether audio or video was left on the network.
    private(set) var leavesMedia = false
    /// The URLs, without fragment, of the resources in the copy.
    private(set) var used: Set<WebURL> = []
    /// The resources that were loaded, but are not in the copy, in the order in which that was found.
    private(set) var missing: [PageCopy.Missing] = []
    private var noted: Set<WebURL> = []

    /// The state of a page while it is composed and its references are replaced.
    struct Scope {
        /// The URL of the page.
        let url: WebURL
        /// The page's encoding, which its style sheets have unless they declare another.
        let encoding: TextEncoding
        /// Whether style sheets of the page's own origin may have any type.
        let isQuirky: Bool
        let policies: ContentPolicies
        /// The URLs of the pages and style sheets around it, and its own.
        var chain: [WebURL]
        var images = SharedImages([]) { _ in nil }
        var symbols = SymbolInliner()
        var selectors: SelectorWriting
        /// The style sheets of the page, by the URLs of their responses.
        var rewriters: [WebURL: SheetRewriter] = [:]
        /// The `data:` URLs of the style sheets that are composed, by their URLs.
        var sheets: [WebURL: String] = [:]
        /// Whether a style sheet was omitted because of those around it, since it imports itself or is too deep.
        var isCut = false
    }

    /// Whether resources are parts beside the page, rather than inside of it.
    let isMessage: Bool
    var parts: MessageParts

    init(_ contents: CopyContents, _ options: PageCopy.Options) {
        self.contents = contents
        isMessage = options.format == .mhtml
        parts = MessageParts(CopyLocation(of: contents.page.response.url))
        self.options = options
        budget = CompositionBudget(
            parts: max(1, options.maximumFiles),
            bytes: options.maximumTextSize +| contents.page.response.body.count,
            embedded: options.maximumBytes +| contents.page.response.body.count
        )
    }

    /// Returns the whole copy.
    ///
    /// - Parameters:
    ///   - comment: The markup above it.
    ///   - marks: The marks to add.
    /// - Returns: The text, with marks for the embedded bytes.
    func page(comment: String, marks: PageMarks = PageMarks()) -> [UInt8] {
        guard let main = contents.main else { return [] }
        let url = contents.page.response.url.withoutFragment
        return Array(comment.utf8)
            + text(main, contents.page, chain: [url], isOutermost: true, marks: marks)
    }

    // MARK: - Pages

    /// Returns a page with everything in it.
    func text(
        _ rewriter: PageRewriter,
        _ page: ParsedPage,
        chain: [WebURL],
        isOutermost: Bool,
        marks: PageMarks = PageMarks()
    ) -> [UInt8] {
        let isHTML = page.kind == .html
        var scope = Scope(
            url: page.response.url,
            encoding: page.encoding?.encoding ?? .utf8,
            isQuirky: isHTML && page.document?.compatibilityMode == .quirks,
            policies: rewriter.plan.policies,
            chain: chain,
            selectors: SelectorWriting(keepsValues: !options.keepsScripts)
        )
        scope.selectors.sparesSymbols = rewriter.references.contains(where: \.isSymbol)
        let sheets = linkedSheets(rewriter.references, &scope)
        var shared: [WebURL: String] = [:]
        if isHTML, !isMessage {
            let sheets = sheets.filter { $0.frameDepth == 0 }.flatMap(\.sheet.references)
            scope.images = sharedImages(rewriter.references + sheets)
            // They come first, so that each is in the copy once, whichever budget is exhausted later.
            for (url, _) in scope.images.numbers.sorted(by: { $0.value < $1.value }) {
                do throws(CopyFault) { shared[url] = try dataURL(url) } catch { leaveOut(url, error, scope) }
            }
        }
        // The additions to the head are known once all else is.
        let sign = embedded.mark(Self.head)
        let tested = sheets.reduce(into: Set<String>()) { $0.formUnion($1.sheet.tested(scope.selectors)) }
        let rewritten = rewriter.rewritten(
            head: isHTML ? sign : "",
            marks: marks,
            selectors: scope.selectors,
            tested: tested
        ) { self.replacement($0, &scope) }
        note(rewritten.changed)
        guard isHTML else { return rewritten.bytes }
        var head = isOutermost && !options.keepsScripts && !isMessage ? policy : ""
        head += scope.images.style { shared[$0] ?? "data:," } + marks.style
        return embedded.replacing(Self.head, with: head, in: rewritten.bytes)
    }

    func note(_ changes: [String: Int]) { changed.merge(changes, uniquingKeysWith: +|) }

    /// Returns a page inside of another, or symbols for it; the chain has the pages around it, and itself.
    func inner(_ frame: CopiedFrame, chain: [WebURL]) throws(CopyFault) -> [UInt8] {
        // The outermost page and itself are not around it.
        guard chain.count - 2 <= ResourceWish.maximumDepth else { throw .tooDeep }
        try budget.takePart()
        let text = text(frame.rewriter, frame.page, chain: chain, isOutermost: false)
        try budget.take(bytes: text.count)
        return text
    }

    /// A policy that prevents the copy from loading anything.
    private var policy: String {
        let media = leavesMedia ? "data: http: https:" : "data:"
        // An object with a type and no URL is shown normally only if the page's own URL is allowed.
        let pages = [contents.page] + contents.frames.values.map(\.page)
        let hasTyped = pages.contains { (try? $0.querySelector("object[type]:not([data])")) ?? nil != nil }
        return """
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
            style-src 'unsafe-inline' data:; font-src data:; media-src \(media); frame-src data:; \
            object-src \(hasTyped ? "'self' data:" : "data:")">
            """
    }

    // MARK: - References

    /// Returns the replacement of a reference.
    func replacement(_ reference: CopyReference, _ scope: inout Scope) -> Replacement {
        let replacement: Replacement
        do throws(CopyFault) {
            replacement = try decision(reference, &scope)
        } catch {
            leaveOut(reference.resource, error, scope)
            replacement = .missing
        }
        switch replacement {
        case .keep, .absolute, .missing, .remove: break
        default: used.insert(reference.resource)
        }
        return replacement
    }

    /// Records a resource that is not in the copy, by the URL of the page around it if its own is a `data:` URL.
    private func leaveOut(_ url: WebURL, _ fault: CopyFault, _ scope: Scope) {
        let url = [url, scope.url].first { $0.scheme != "data" } ?? contents.page.response.url
        guard noted.insert(url).inserted else { return }
        missing.append(
            PageCopy.Missing(url: url, code: fault.code, message: fault.message, isDeadRule: false)
        )
    }

    private func decision(
        _ reference: CopyReference,
        _ scope: inout Scope
    ) throws(CopyFault) -> Replacement {
        guard reference.isRequisite else { return .absolute }
        if reference.url.scheme == "data", !reference.canBeLoaded { return .keep }
        guard !reference.isForbidden, CopyWishes.use(reference, scope.encoding) != nil,
            let resource = contents[reference.resource]
        else { return reference.isOptional && reference.element == "link" ? .remove : .missing }
        guard resource.response != nil else {
            return isLeftOnNetwork(resource, reference) ? .absolute : .missing
        }
        if reference.isSymbol { return try symbol(reference, &scope) }
        // A `data:` URL has its bytes in it, and becomes no part beside the page.
        if isMessage, resource.url.scheme != "data" { return try part(resource, reference, scope) }
        switch reference.kind {
        case .stylesheet:
            return try sheet(resource, &scope).map { .url($0) } ?? .missing
        case .frame, .object:
            return try frame(resource, reference, scope)
        default:
            guard try isUsable(resource, reference) else { return .missing }
            if let shared = scope.images.replacement(reference) { return shared }
            return try embedding(resource, reference)
        }
    }

    /// Whether a resource has something to show.
    func isUsable(_ resource: CopiedResource, _ reference: CopyReference) throws(CopyFault) -> Bool {
        guard let response = resource.response else { return false }
        if response.body.isEmpty, reference.kind == .image {
            // A server may declare that there is no content (204), and a `data:` URL may be empty.
            guard resource.fault == nil, response.status?.code != 204, resource.url.scheme != "data" else {
                return false
            }
            throw CopyFault(code: "copy.empty", message: "the image has no bytes")
        }
        // The body of an error response is shown if it is an image.
        return resource.fault == nil || reference.kind == .image && resource.isImageByItsBytes
    }

    /// Whether a sound or a film is too large to be copied, and stays on the network.
    private func isLeftOnNetwork(_ resource: CopiedResource, _ reference: CopyReference) -> Bool {
        guard reference.kind == .media, resource.fault?.code == "limit.size", resource.url.scheme != "file"
        else {
            return false
        }
        leavesMedia = true
        return true
    }

    /// Returns a resource as it was received, as a `data:` URL with a mark.
    func embedding(_ resource: CopiedResource, _ reference: CopyReference) throws(CopyFault) -> Replacement {
        try dataURL(resource.url).map { .url($0 + reference.url.hash) } ?? .missing
    }

    /// Takes from the budget the bytes of a text that is inserted once more, and of the resources in it.
    func take(again text: String) throws(CopyFault) {
        let bytes = Array(text.utf8)
        try budget.take(bytes: bytes.count)
        var count = 0
        _ = embedded.length(of: bytes) { number in
            count +|= contents.body(number).count
            return 0
        }
        try budget.take(embedded: count)
    }

    private func dataURL(_ url: WebURL) throws(CopyFault) -> String? {
        guard let number = contents.numbers[url], let response = contents.loaded[number].response else {
            return nil
        }
        try budget.take(embedded: response.body.count)
        return "data:\(contents.loaded[number].typeWithEncoding);base64,\(embedded.mark(number))"
    }
}
