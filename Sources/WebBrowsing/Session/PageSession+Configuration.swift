public import WebLoader

extension PageSession {
    /// The configuration of a session.
    public struct Configuration: Sendable {
        /// The configuration of the loader of its pages.
        ///
        /// Without a cookie jar, the session creates its own.
        public var loader = PageLoader.Configuration()

        /// Settings that override those of servers, for each page that is loaded.
        public var overrides = ContentOverrides()

        /// The template of requests that the caller does not give: for pages that another process has stored, and for
        /// their links.
        ///
        /// Its cache policy, its time-out, and whether responses are stored are used; its URL, method, body and fields
        /// are ignored. With `returnCacheDataDontLoad` the session sends no request to a server, except for the
        /// caller's own requests.
        public var request = WebRequest(url: .aboutBlank)

        /// The file from which the session is restored, if it exists, and to which ``PageSession/saveState()`` writes its
        /// ``PageSession/interactionState``; `nil`, the default, if the state is not saved.
        ///
        /// Only its owner can read it, since it contains cookies. Symbolic links are not followed.
        public var stateFile: String?

        /// The folder in which pages are stored, so that another process can restore the session.
        ///
        /// `nil`, the default, stores them in memory, or, if there is a ``stateFile``, in the folder of its name and
        /// ".pages".
        ///
        /// The session owns the folder: other files with names of pages are removed, and only one session at a time can
        /// use it.
        public var pagesDirectory: String?

        /// The folder in which pages are stored; `nil` if they are in memory.
        var keptDirectory: String? { pagesDirectory ?? stateFile.map { "\($0).pages" } }

        /// The maximum number of entries in the history, 1,000 by default; beyond it, the oldest are removed.
        public var maximumEntries = 1000 { didSet { maximumEntries = min(max(1, maximumEntries), 100_000) } }

        /// The maximum size of all stored pages in bytes, 256 MiB by default.
        ///
        /// Beyond it, the pages that were stored first are evicted, and going back to them loads them again.
        public var maximumKeptSize = 256 << 20 { didSet { maximumKeptSize.boundCount() } }

        /// The number of pages besides the one in view that stay in memory with their trees, 4 by default; going back
        /// to the others parses them again.
        public var maximumTrees = 4 { didSet { maximumTrees.boundCount() } }

        /// Whether the images and style sheets of each page are loaded as well; false by default.
        public var loadsResources = false

        /// The delegate that is asked about, and notified of, the session's navigations and events.
        public var delegate: (any PageSessionDelegate)?

        /// Creates a configuration with the defaults.
        public init() {}
    }
}
