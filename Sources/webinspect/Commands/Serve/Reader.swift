import Synchronization
import WebLoader

/// Answers what the server asks of kept pages, one request after the other.
///
/// It runs in a process of its own, since the pages that it parses may be hostile: a page that takes too long,
/// or too much memory, costs that one answer. Only ``load(_:)`` uses the network.
final class Reader: Sendable {
    /// How kept pages are loaded: from the cache alone.
    let options: LoadingOptions

    /// The cache that they are in.
    let browser: CacheBrowser

    private let frames = ReaderFrames()
    private let pages = Mutex(ReaderPages())
    /// The connections to servers, once one was asked; made anew when the user's settings have changed.
    let connections = Mutex<(settings: ConnectionOptions, fetcher: any Fetcher)?>(nil)
    /// The number of the request in hand.
    private let current = Atomic<Int64>(0)

    /// - Parameter directory: The directory of the cache; a missing one is an empty cache.
    init(directory: String) {
        var options = LoadingOptions()
        options.cacheDirectory = directory
        options.policies = [.returnCacheDataDontLoad]
        options.isSilent = true
        self.options = options
        browser = CacheBrowser(directory: directory)
    }

    // MARK: - Pages

    /// The kept page that a request is about, at its date.
    ///
    /// Pages that were asked for last are still there, if the cache has nothing newer.
    func page(_ request: ReaderRequest) async throws(Failure) -> (page: Page, parsed: ParsedPage) {
        try await page(try request.url(), at: try request.date())
    }

    /// The kept page of a URL, at a date.
    func page(_ url: String, at date: Timestamp?) async throws(Failure) -> (page: Page, parsed: ParsedPage) {
        let key = ReaderPages.Key(url: url, date: date)
        if let kept = pages.withLock({ $0.page(key) }), kept.isCurrent(in: browser) {
            return (kept.page, try await kept.page.parsed(for: url))
        }
        pages.withLock { $0.makeRoom() }
        var options = options
        options.archiveDate = date
        // Taken first: what is stored while the page is read makes it old.
        let stamp = ReaderPages.Kept.stamp(of: url, date, in: browser)
        let page = try await options.load(url, with: try options.loader())
        let kept = ReaderPages.Kept(page, key, stamp, in: browser)
        pages.withLock { $0.add(kept) }
        return (page, try await page.parsed(for: url))
    }

    // MARK: - Answering

    /// Tells the server something about the request in hand, before it is answered; from any thread.
    func send(_ event: JSONValue) {
        let id = current.load(ordering: .relaxed)
        frames.write(.event, id, event.serialized(sortingNames: false))
    }

    /// Answers a line of standard input, whatever is in it.
    func answer(line: LineSplitter.Line) async {
        current.store(0, ordering: .relaxed)
        do throws(Failure) {
            guard case .whole(let bytes) = line else {
                throw Failure(
                    input: "the request is longer than \(ReaderRequest.maximumLength) bytes",
                    code: "input.line"
                )
            }
            let request = try ReaderRequest(bytes)
            current.store(request.id, ordering: .relaxed)
            let answer = try await answer(request)
            frames.write(.answer, request.id, answer.content)
        } catch {
            frames.write(.error, current.load(ordering: .relaxed), Self.described(error))
        }
    }

    /// Returns a failure in the form that the server receives.
    private static func described(_ failure: Failure) -> [UInt8] {
        let document: JSONValue = [
            "code": .string(failure.code), "message": .string(failure.message),
            "subject": .string(failure.subject),
        ]
        return document.serialized(sortingNames: false)
    }

    func answer(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        switch request.name {
        case "index": try await index(request)
        case "report": try await report(request)
        case "tree": try await tree(request)
        case "ancestors": try await ancestors(request)
        case "source": try await source(request)
        case "text": try await text(request)
        case "tables": try await tables(request)
        case "select": try await select(request)
        case "view": try await view(request)
        case "run": try await run(request)
        case "explain": try await explain(request)
        case "check-recipe": try await checkRecipe(request)
        case "history": try await history(request)
        case "diff": try await diff(request)
        case "diff-view": try await diffView(request)
        case "load": try await load(request)
        case "remove": try await remove(request)
        default: throw Failure(usage: request.name, "a reader does no such thing")
        }
    }
}
