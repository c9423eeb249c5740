import HTTPTypes
import WebDocument
import WebLoader
import WebStandards

/// A page with all contents of its copy, before it is written.
struct CopyContents: Sendable {
    /// The page, or the part of it that is copied.
    let page: ParsedPage
    /// All resources that were needed, in the order in which they were first needed.
    let loaded: [CopiedResource]
    /// Their indices, by their URLs without fragment.
    let numbers: [WebURL: Int]
    /// The resources that could not be loaded.
    let missing: [PageCopy.Missing]
    /// The rewriter of the page, with the places of its references; `nil` for an archive of something other than a
    /// page.
    let main: PageRewriter?
    /// The pages in frames with their rewriters, by their URLs without fragment.
    let frames: [WebURL: CopiedFrame]
    /// The faults of markup for frames that could not be parsed, by its URL without fragment.
    let unread: [WebURL: CopyFault]
    /// The resources that the page itself needs; empty unless the format lists them by page.
    let firstNeeds: [ResourceWish]
    /// The resources that others need in turn; empty unless the format lists them by page.
    let needs: [ResourceWish.Need: [ResourceWish]]

    /// Whether a limit has truncated the source of the page.
    private let isSourceCut: Bool

    /// Loads all resources that a page needs.
    init(_ page: Page, _ options: PageCopy.Options) async throws(LoadError) {
        let loading = ResourceLoading(page, options)
        let isArchive = options.format.isArchive
        let parsed: ParsedPage
        (parsed, isSourceCut) =
            isArchive ? (try await Self.parsed(page), false) : try await CopySource(page, options).page()
        self.page = parsed
        let main = isArchive && parsed.document == nil ? nil : try Self.rewriter(parsed, options)
        self.main = main
        let read = await Self.load(main, parsed, page.loader, loading, options)
        frames = read.frames
        unread = read.unread
        firstNeeds = read.firstNeeds
        needs = read.needs
        loaded = loading.order.compactMap { loading.resources[$0] }
        var numbers: [WebURL: Int] = [:]
        for (number, resource) in loaded.enumerated() { numbers[resource.url] = number }
        self.numbers = numbers
        missing = loaded.compactMap { resource in
            guard let fault = resource.fault, resource.url.scheme != "data",
                loading.needed.contains(resource.url)
            else { return nil }
            let isGone = fault.code == "http.404" || fault.code == "http.410"
            return PageCopy.Missing(
                url: resource.url,
                code: fault.code,
                message: fault.message,
                isDeadRule: isGone && !loading.neededByMarkup.contains(resource.url)
            )
        }
    }

    /// Whether a part of a page is missing because it reached a limit.
    var isTruncated: Bool {
        isSourceCut || page.isTruncated || main?.isTruncated ?? false
            || frames.values.contains { $0.page.isTruncated || $0.rewriter.isTruncated }
    }

    /// The resource of a URL without fragment; `nil` if it was not needed.
    subscript(url: WebURL) -> CopiedResource? { numbers[url].map { loaded[$0] } }

    /// Returns the bytes of a resource by its number; empty if it could not be loaded.
    func body(_ number: Int) -> [UInt8] {
        loaded.indices.contains(number) ? loaded[number].response?.body ?? [] : []
    }

    static func parsed(_ page: Page) async throws(LoadError) -> ParsedPage {
        do throws(ParsingError) {
            return try await page.parsed()
        } catch {
            throw LoadError(error, url: page.response.url)
        }
    }

    private static func rewriter(
        _ page: ParsedPage,
        _ options: PageCopy.Options
    ) throws(LoadError) -> PageRewriter {
        do throws(ParsingError) {
            return try PageRewriter(page, options: options.rewriting(page.response))
        } catch {
            throw LoadError(error, url: page.response.url)
        }
    }

    // MARK: - Loading

    /// The frames and the needs that were found in the loaded resources.
    private struct Read {
        var frames: [WebURL: CopiedFrame] = [:]
        var unread: [WebURL: CopyFault] = [:]
        var firstNeeds: [ResourceWish] = []
        var needs: [ResourceWish.Need: [ResourceWish]] = [:]
    }

    private static func load(
        _ main: PageRewriter?,
        _ page: ParsedPage,
        _ loader: PageLoader,
        _ loading: ResourceLoading,
        _ options: PageCopy.Options
    ) async -> Read {
        var read = Read()
        let isArchive = options.format.isArchive
        let isByPage = options.format == .webarchive
        let encoding = page.encoding?.encoding ?? .utf8
        var first = main.map { CopyWishes.find(in: $0.references, encoding, depth: 0) } ?? []
        let policies = main?.plan.policies ?? ContentPolicies()
        let links = isArchive ? page.links : main?.images ?? []
        first += ArchivedWishes.find(in: links, encoding, policies, depth: 0)
        if isByPage { read.firstNeeds = first }
        await loading.load(first) { resource, wish in
            guard let response = resource.response else { return [] }
            var wishes: [ResourceWish]
            switch wish.use {
            case .styleSheet(let encoding):
                // A faulty style sheet applies to no page: its references are not requested in vain.
                guard resource.fault == nil else { return [] }
                let text = StyleSheetLinks.text(of: response, environment: encoding)
                let sheet = SheetRewriter(text, url: response.url, isWritten: false)
                wishes = CopyWishes.find(in: sheet.references, encoding, depth: wish.depth + 1)
            case .frame, .symbols:
                if read.frames[resource.url] == nil, read.unread[resource.url] == nil {
                    do throws(LoadError) {
                        read.frames[resource.url] = try await frame(response, loader, options)
                    } catch {
                        let fault = CopyFault(code: error.code.rawValue, message: error.message)
                        read.unread[resource.url] = fault
                    }
                }
                guard let frame = read.frames[resource.url] else { return [] }
                let encoding = frame.page.encoding?.encoding ?? .utf8
                let depth = wish.depth + 1
                wishes = CopyWishes.find(in: frame.rewriter.references, encoding, depth: depth)
                if isArchive {
                    let policies = frame.rewriter.plan.policies
                    wishes += ArchivedWishes.find(in: frame.page.links, encoding, policies, depth: depth)
                }
            case .bytes, .media: return []
            }
            if isByPage { read.needs[wish.need] = wishes }
            return wishes
        }
        return read
    }

    /// Returns the page of a response; `nil` for an image and the like.
    private static func frame(
        _ response: WebResponse,
        _ loader: PageLoader,
        _ options: PageCopy.Options
    ) async throws(LoadError) -> CopiedFrame? {
        let page = try await parsed(try await loader.load(part: response))
        guard page.document != nil else { return nil }
        return CopiedFrame(page: page, rewriter: try rewriter(page, options))
    }
}

/// A page in a frame.
struct CopiedFrame: Sendable {
    let page: ParsedPage
    let rewriter: PageRewriter
}

extension PageCopy.Options {
    /// Returns the options for rewriting the page of a response.
    func rewriting(_ response: WebResponse) -> PageRewriter.Options {
        var options = PageRewriter.Options()
        options.keepsScripts = keepsScripts
        options.showsLazyImages = showsLazyImages
        options.maximumDensity = maximumDensity
        if let name = HTTPField.Name("Content-Security-Policy") { options.policies = response.values(name) }
        return options
    }
}
