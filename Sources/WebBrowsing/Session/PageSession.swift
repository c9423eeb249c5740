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
/// Going back shows the page as it was kept, however old it is, and asks no server: a history is not a cache
/// ([RFC 9111, section 6](https://www.rfc-editor.org/rfc/rfc9111#section-6)). A navigation that is begun while another one is under
/// way ends that one, with "load.cancelled". A load that fails leaves the history and the page as they were.
public actor PageSession {
    /// How the session works.
    public nonisolated let configuration: Configuration

    /// Loads its pages.
    public nonisolated let loader: PageLoader

    /// Its cookies.
    public nonisolated let cookieJar: CookieJar

    /// The history.
    public internal(set) var list: BackForwardList

    /// Whether a page is being loaded.
    public internal(set) var isLoading = false

    /// The share of the expected bytes of the page, and of its resources, that have come: 0 when a navigation begins, 1 once it has
    /// ended.
    public internal(set) var estimatedProgress = 0.0

    let kept: KeptPages
    let progress: LoadProgress
    let channel = SessionChannel()

    /// Pages with their trees by the key of their entry, and in the order of their last use.
    var pages: [String: Page] = [:]
    var recentPages: [String] = []

    /// The requests of entries, for those of the pages that they lead to: with the fields that the caller gave.
    var requests: [Int: WebRequest] = [:]

    /// The forms of the page in view, as they are filled in.
    var forms: (entry: Int, key: String?, forms: PageForms)?
    /// The text of the page in view, and what was found in it last.
    var finding: Finding?

    /// The navigation under way, and its number.
    var running: Task<Result<Navigation, LoadError>, Never>?
    var number = 0

    /// The state that is being put away.
    var writing: Task<Result<Void, StateError>, Never>?
    /// What was put away last.
    var writtenState: [UInt8]?
    /// The keys of pages that no entry has any more, but what was put away may.
    var unusedPages: Set<String> = []

    /// Creates a session: without history, or, with a ``Configuration/stateFile`` that is there, where that was put away.
    ///
    /// Nothing is loaded: the page in view is read when it is asked for.
    ///
    /// - Parameter configuration: How it works.
    /// - Throws: `StateError`: "state.busy" if another session has the folder of pages, "file.write" if that cannot be made;
    ///   as ``init(configuration:interactionState:)`` for the file, and "file.unreadable".
    public init(configuration: Configuration = Configuration()) throws(StateError) {
        // Before anything is made for what is no state.
        _ = try configuration.stateFile.map { (file) throws(StateError) in try Self.state(in: file) }
        let kept = try Self.keptPages(configuration)
        // Once no other session can write it.
        let (bytes, state) =
            try configuration.stateFile.map { (file) throws(StateError) in try Self.state(in: file) }
            ?? (nil, SessionState())
        try self.init(configuration, state, kept, putAway: bytes)
    }

    /// Creates a session that goes on where another one was, maybe in another process.
    ///
    /// Nothing is loaded: the page in view is read when it is asked for.
    ///
    /// - Parameters:
    ///   - configuration: How it works; with the folder of pages that the other one had, or going back loads them again.
    ///   - interactionState: What that said in ``interactionState``.
    /// - Throws: `StateError`: "state.version" for a state of another version, "state.damaged" for what is no state or not a whole
    ///   one, or of more than 32 MiB; "state.busy" and "file.write" as ``init(configuration:)``.
    /// - Complexity: O(n) in the size of the state.
    public init(configuration: Configuration, interactionState: [UInt8]) throws(StateError) {
        let state = try SessionState(interactionState)
        try self.init(configuration, state, try Self.keptPages(configuration))
    }

    private static func keptPages(_ configuration: Configuration) throws(StateError) -> KeptPages {
        try KeptPages(directory: configuration.keptDirectory, maximumSize: configuration.maximumKeptSize)
    }

    /// The state in a file; an empty one, of no bytes, if the file is not there.
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
        putAway bytes: [UInt8]? = nil
    ) throws(StateError) {
        writtenState = bytes
        self.configuration = configuration
        self.kept = kept
        let maximum = configuration.maximumEntries
        guard
            var list = BackForwardList(state.entries, currentIndex: state.currentIndex, maximumCount: maximum)
        else {
            throw StateError(.damaged, "the session's state does not say which entry is in view")
        }
        list.forget(kept.restore(list.entries.compactMap(\.cacheKey)))
        self.list = list
        cookieJar = configuration.loader.cookieJar ?? CookieJar()
        cookieJar.add(state.cookies)
        let channel = channel
        progress = LoadProgress { share in channel.progressed(share) }
        var loading = configuration.loader
        loading.cookieJar = cookieJar
        loading.meter = progress
        loader = PageLoader(configuration: loading)
        channel.publish(State(list: list, isLoading: false, estimatedProgress: 0))
        channel.onProgress { [weak self] share in
            Task { await self?.note(progress: share) }
        }
    }

    // MARK: - What is in view

    /// The title of the page in view; nil if it has none, or there is no page.
    public var title: String? { list.current?.title }

    /// The URL of the page in view, after redirects, with its fragment; nil if there is no page.
    public var url: WebURL? { list.current?.url }

    /// Whether ``goBack()`` leads anywhere.
    public var canGoBack: Bool { list.backEntry != nil }

    /// Whether ``goForward()`` leads anywhere.
    public var canGoForward: Bool { list.forwardEntry != nil }

    /// The page in view; nil if there is none.
    ///
    /// It is read again from where it is kept if it is not in memory, and loaded again if it is not kept any more.
    ///
    /// - Throws: `LoadError` if it has to be loaded and cannot be.
    public var page: Page? {
        get async throws(LoadError) {
            guard let entry = list.current else { return nil }
            return try await page(of: entry)
        }
    }
}
