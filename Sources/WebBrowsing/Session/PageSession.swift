import Glibc
public import WebLoader
public import WebSite
import WebTransport

/// A browser without its window: pages that are loaded one after the other, with a history to go back and forward in, cookies,
/// links that are followed and forms that are sent.
///
/// ```swift
/// let session = try PageSession()
/// try await session.load(WebRequest(url: WebURL("https://example.com/login")))
/// try await session.fill("user", with: "ada")
/// try await session.submit()
/// print(await session.title ?? "untitled")
/// try await session.goBack()
/// ```
///
/// Going back shows the page as it was stored, however old it is, and asks no server: a history is not a cache
/// ([RFC 9111, section 6](https://www.rfc-editor.org/rfc/rfc9111#section-6)). A navigation that begins while another
/// one is under way cancels that one, with "load.cancelled". A load that fails leaves the history and the page as they
/// were.
public actor PageSession {
    /// The configuration of the session.
    public nonisolated let configuration: Configuration

    /// The loader of the session's pages.
    public nonisolated let loader: PageLoader

    /// The session's cookies.
    public nonisolated let cookieJar: CookieJar

    /// The history.
    public internal(set) var history: BackForwardList

    /// Whether a page is being loaded.
    public internal(set) var isLoading = false

    /// The fraction of the expected bytes of the page and its resources that were received: 0 when a navigation begins,
    /// 1 once it has ended.
    public internal(set) var estimatedProgress = 0.0

    let kept: KeptPages
    let progress: LoadProgress
    let channel = SessionChannel()

    /// Pages with their trees by the key of their entry, and the keys in the order of their last use.
    var pages: [String: Page] = [:]
    var recentPages: [String] = []

    /// The requests of entries, from which those for their links are made: with the fields that the caller gave.
    var requests: [Int: WebRequest] = [:]

    /// The forms of the page in view, as they are filled in.
    var forms: (entry: Int, key: String?, forms: PageForms)?
    /// The text of the page in view, and the last search in it.
    var finding: Finding?

    /// The navigation under way, and its number.
    var running: Task<Result<Navigation, LoadError>, Never>?
    var number = 0

    /// The task that saves the state.
    var writing: Task<Result<Void, StateError>, Never>?
    /// The state that was saved last.
    var writtenState: [UInt8]?
    /// The keys of pages that no entry has any more, but that the saved state may still name.
    var unusedPages: Set<String> = []

    /// Creates a session: without history, or restored from the ``Configuration/stateFile`` if that exists.
    ///
    /// Nothing is loaded: the page in view is read on demand.
    ///
    /// - Parameter configuration: The configuration.
    /// - Throws: `StateError`: "state.busy" if another session uses the folder of pages, "file.write" if that cannot be
    ///   created; for the state file, the errors of ``init(configuration:interactionState:)`` and "file.unreadable".
    public init(configuration: Configuration = Configuration()) throws(StateError) {
        // Check the state before anything is created.
        _ = try configuration.stateFile.map { (file) throws(StateError) in try Self.state(in: file) }
        let kept = try Self.keptPages(configuration)
        // Read it again, now that no other session can write it.
        let (bytes, state) =
            try configuration.stateFile.map { (file) throws(StateError) in try Self.state(in: file) }
            ?? (nil, SessionState())
        try self.init(configuration, state, kept, savedState: bytes)
    }

    /// Creates a session from the saved state of another one, maybe of another process.
    ///
    /// Nothing is loaded: the page in view is read on demand.
    ///
    /// - Parameters:
    ///   - configuration: The configuration; without the other session's folder of pages, going back loads pages again.
    ///   - interactionState: The ``interactionState`` of the other session.
    /// - Throws: `StateError`: "state.version" for a state of another version, "state.damaged" for an invalid or
    ///   incomplete state, or one of more than 32 MiB; "state.busy" and "file.write" as ``init(configuration:)``.
    /// - Complexity: O(n) in the size of the state.
    public init(configuration: Configuration, interactionState: [UInt8]) throws(StateError) {
        let state = try SessionState(interactionState)
        try self.init(configuration, state, try Self.keptPages(configuration))
    }

    private static func keptPages(_ configuration: Configuration) throws(StateError) -> KeptPages {
        try KeptPages(directory: configuration.keptDirectory, maximumSize: configuration.maximumKeptSize)
    }

    /// Reads the state in a file; an empty state, and `nil` for its bytes, if the file does not exist.
    private static func state(in file: String) throws(StateError) -> (bytes: [UInt8]?, state: SessionState) {
        let (folder, name) = Directory.split(file)
        let bytes: [UInt8]
        do throws(File.Failure) {
            guard !name.isEmpty else { throw File.Failure(errno: EISDIR) }
            _ = try Directory(folder)
        } catch {
            throw StateError(.unreadable, "\(file): \(error.text)")
        }
        do throws(FileError) {
            bytes = try FileReader.read(own: file, maximumSize: SessionState.maximumSize)
        } catch {
            if error.code == .notFound { return (nil, SessionState()) }
            let code: StateError.Code = error.code == .tooLarge ? .damaged : .unreadable
            throw StateError(code, "\(file): the session's state: \(error.reason)")
        }
        do throws(StateError) {
            return (bytes, try SessionState(bytes))
        } catch {
            throw StateError(error.code, "\(file): \(error.message)")
        }
    }

    private init(
        _ configuration: Configuration,
        _ state: SessionState,
        _ kept: KeptPages,
        savedState bytes: [UInt8]? = nil
    ) throws(StateError) {
        writtenState = bytes
        self.configuration = configuration
        self.kept = kept
        let maximum = configuration.maximumEntries
        guard
            var history = BackForwardList(
                state.entries,
                currentIndex: state.currentIndex,
                maximumCount: maximum
            )
        else {
            throw StateError(.damaged, "the session's state does not say which entry is in view")
        }
        history.forget(kept.restore(history.entries.compactMap(\.cacheKey)))
        self.history = history
        cookieJar = configuration.loader.cookieJar ?? CookieJar()
        cookieJar.add(state.cookies)
        let channel = channel
        progress = LoadProgress { share in channel.progressed(share) }
        var loading = configuration.loader
        loading.cookieJar = cookieJar
        loading.meter = progress
        loader = PageLoader(configuration: loading)
        channel.publish(State(history: history, isLoading: false, estimatedProgress: 0))
        channel.onProgress { [weak self] share in
            Task { await self?.note(progress: share) }
        }
    }

    // MARK: - The current page

    /// The title of the page in view; nil if it has none, or there is no page.
    public var title: String? { history.current?.title }

    /// The URL of the page in view, after redirects, with its fragment; nil if there is no page.
    public var url: WebURL? { history.current?.url }

    /// Whether there is an entry to go back to.
    public var canGoBack: Bool { history.backEntry != nil }

    /// Whether there is an entry to go forward to.
    public var canGoForward: Bool { history.forwardEntry != nil }

    /// The page in view; nil if there is none.
    ///
    /// It is read from its stored copy if it is not in memory, and loaded again if it is not stored any more.
    ///
    /// - Throws: `LoadError` if it has to be loaded and cannot be.
    public var page: Page? {
        get async throws(LoadError) {
            guard let entry = history.current else { return nil }
            return try await page(of: entry)
        }
    }
}
