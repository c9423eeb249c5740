public import WebLoader

extension PageSession {
    /// How a session works.
    public struct Configuration: Sendable {
        /// How its pages are loaded.
        ///
        /// Without a cookie jar the session has one of its own.
        public var loader = PageLoader.Configuration()

        /// Settings that override those of servers, for each page that is loaded.
        public var overrides = ContentOverrides()

        /// What requests are made of that nobody gives: for pages that another process has kept, and what they lead to.
        ///
        /// Its cache policy, its time-out, and whether responses are stored count; its URL, method, body and fields do not. With
        /// `returnCacheDataDontLoad` nothing that the session does asks a server, but for requests of the caller's own.
        public var request = WebRequest(url: .aboutBlank)

        /// The file from which the session goes on, if it is there, and to which ``PageSession/putAway()`` writes its
        /// ``PageSession/interactionState``; nil, the default, for none.
        ///
        /// Only its owner can read it: cookies are in it. Links are not followed.
        public var stateFile: String?

        /// The folder in which pages are kept, so that another process can go on; nil, the default, for memory, or, where there is a
        /// ``stateFile``, the folder of its name and ".pages".
        ///
        /// It is the session's own: what else is in it under names of pages is removed, and only one session at a time has it.
        public var pagesDirectory: String?

        /// The folder in which pages are kept; nil for memory.
        var keptDirectory: String? { pagesDirectory ?? stateFile.map { "\($0).pages" } }

        /// The largest number of entries in the history, 1,000 by default; beyond it, the oldest go.
        public var maximumEntries = 1000 { didSet { maximumEntries = min(max(1, maximumEntries), 100_000) } }

        /// Bytes that all kept pages together may have, 256 MiB by default; beyond it, those go that were kept first, and going back
        /// to them loads them again.
        public var maximumKeptSize = 256 << 20 { didSet { maximumKeptSize.boundCount() } }

        /// How many pages besides the one in view stay in memory with their trees, 4 by default; the others are parsed again when
        /// they are gone back to.
        public var maximumTrees = 4 { didSet { maximumTrees.boundCount() } }

        /// Whether the images and style sheets of each page are loaded as well; false by default.
        public var loadsResources = false

        /// Is asked, and told, of what the session does.
        public var delegate: (any PageSessionDelegate)?

        /// Creates a configuration with the defaults.
        public init() {}
    }
}
