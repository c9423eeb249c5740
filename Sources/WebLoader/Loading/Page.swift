import Synchronization

/// A page that a loader has loaded: the response, its type, and the way to what is in it.
///
///     let page = try await loader.load(WebRequest(url: url)).parsed()
///     print(page.title ?? "untitled", page.links.count)
public final class Page: Sendable {
    let facts: PageFacts

    /// The loader that made the page, and the request.
    let origin: LoaderOrigin

    /// The result of running the page's scripts; `nil` if none were run.
    private let scripted: ScriptedPage?

    private let tree: Mutex<Tree>

    /// Where the page's tree is.
    private enum Tree {
        case released
        /// Being made again, for all that wait for it.
        case parsing(Task<Result<ParsedPage, ParsingError>, Never>)
        case parsed(ParsedPage)
    }

    init(_ parsed: ParsedPage, from origin: LoaderOrigin, _ scripted: ScriptedPage? = nil) {
        facts = parsed.facts
        self.origin = origin
        self.scripted = scripted
        tree = Mutex(.parsed(parsed))
    }

    /// The page taken apart: its tree, its links, its text and all else.
    ///
    /// It is there at once, but for a page whose tree ``PageLoader/handleMemoryPressure()`` has released: then it is
    /// parsed again, once for all that ask meanwhile, on a thread of ``PageLoader/Configuration/blockingWork``, in O(n) of
    /// its bytes and within the limits with which it was loaded. A value that you hold stays as it is.
    ///
    /// - Throws: ``/WebDocument/ParsingError`` if it had to be parsed again and there was not enough memory.
    public func parsed() async throws(ParsingError) -> ParsedPage {
        while true {
            switch tree.withLock({ $0 }) {
            case .parsed(let page): return page
            case .parsing(let task): return try await task.value.get()
            case .released:
                tree.withLock { tree in
                    if case .released = tree { tree = .parsing(Task { await self.parseAgain() }) }
                }
            }
        }
    }

    private func parseAgain() async -> Result<ParsedPage, ParsingError> {
        let result: Result<ParsedPage, ParsingError>
        do throws(ParsingError) {
            result = .success(
                try await origin.loader.parsing(response.url) { [facts] () throws(ParsingError) in
                    try ParsedPage(again: facts)
                }
            )
        } catch {
            result = .failure(error)
        }
        tree.withLock { tree in
            switch result {
            case .success(let page): tree = .parsed(page)
            case .failure: tree = .released
            }
        }
        return result
    }

    /// Releases the tree, which can be parsed again from the response.
    func releaseTree() {
        tree.withLock { tree in
            if case .parsed = tree { tree = .released }
        }
    }

    /// The response with the page.
    public var response: WebResponse { facts.response }

    /// The computed MIME type: that of the Content-Type field, or the sniffed one if that is missing or known
    /// to be unreliable.
    ///
    /// <https://mimesniff.spec.whatwg.org/#computed-mime-type>
    public var mediaType: MediaType { facts.mediaType }

    /// How the page is treated, by its type.
    public var kind: PageKind { facts.kind }

    /// The encoding and its source; nil for a page that is not text.
    public var encoding: EncodingDetection? { facts.encoding }

    /// The URL against which the page's references are resolved; `about:blank` for a page without a base URL.
    public var baseURL: WebURL { facts.baseURL }

    /// The title; nil if there is none.
    public var title: String? { facts.title }

    /// Descriptions of the corrections made while decoding and parsing; empty for most pages.
    public var warnings: [String] { facts.warnings }

    /// The limits that the page reached while it was parsed; empty for legitimate pages.
    public var limits: [ReachedLimit] { facts.limits }

    /// Whether a part of the page is missing because it reached a limit.
    public var isTruncated: Bool { limits.contains(where: \.isTruncation) }

    /// The parse errors; empty unless ``PageLoader/Configuration/reportsParseErrors`` is set.
    public var parseErrors: ParseErrors { facts.parseErrors }

    // MARK: - Rendering

    /// How the page's scripts were run; nil unless ``PageLoader/Configuration/renderer`` has run them.
    public var rendering: Rendering? { scripted?.rendering }

    /// Returns the problems and possible improvements of the page; if its scripts were run, also what is present only
    /// because of them.
    ///
    /// - Throws: ``/WebDocument/ParsingError`` if it had to be parsed again and there was not enough memory.
    public func findings() async throws(ParsingError) -> Findings {
        findings(of: try await parsed())
    }

    /// Returns the same findings for a page that is already parsed.
    package func findings(of page: ParsedPage) -> Findings {
        guard let served else { return page.findings }
        // These concern the page as a whole.
        var findings = page.scriptFindings(served: served)
        findings.add(page.findings)
        return findings
    }

    /// The page as its server sent it; nil unless scripts were run.
    public var served: ParsedPage? { scripted?.served }

    /// A picture of the page as PNG, if the renderer was to take one.
    public var screenshot: [UInt8]? { scripted?.screenshot }

    /// The page as PDF, if the renderer was to make one.
    public var pdf: [UInt8]? { scripted?.pdf }
}
