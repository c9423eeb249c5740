/// The limits of a crawl: how much it loads, and what it takes for a trap.
///
/// A site of 100,000 pages, each made by people, reaches none of the limits for traps.
public struct CrawlLimits: Hashable, Sendable {
    /// The maximum number of links from a seed to a page, seeds being 0; `nil`, the default, for no limit.
    public var maximumDepth: Int?
    /// The maximum number of pages to load, whatever their status, not counting resources; `nil`, the default, for no
    /// limit.
    public var maximumPages: Int?
    /// The maximum number of bytes of bodies to load, as received; `nil`, the default, for no limit.
    ///
    /// Requests in progress when the limit is reached are finished.
    public var maximumBytes: Int?
    /// The maximum duration of one run; `nil`, the default, for no limit.
    public var maximumTime: Duration?

    // MARK: Traps

    /// The maximum number of bytes of a URL: 2,000 (`trap.url-length`).
    public var maximumURLLength = 2_000
    /// The maximum number of segments of a path: 30 (`trap.path-depth`).
    public var maximumPathSegments = 30
    /// The maximum number of times in a row that the same one to four segments may occur in a path: 4
    /// (`trap.repeated-segments`).
    ///
    /// A relative link that goes one level down each time creates such paths endlessly.
    public var maximumRepetitions = 4
    /// The maximum number of parameters of a query: 30 (`trap.query-parameters`).
    public var maximumQueryParameters = 30
    /// The maximum number of redirects to a URL: 20 (`trap.redirects`).
    public var maximumRedirects = 20
    /// The maximum number of pages to load of one folder, including its subfolders: 250,000 (`trap.folder-pages`).
    ///
    /// The top three folders of a path are counted, without the host's root.
    public var maximumPagesPerFolder = 250_000
    /// The maximum number of pages to load of a host: 2,000,000 (`trap.host-pages`).
    public var maximumPagesPerHost = 2_000_000
    /// The maximum number of look-alikes in a row to load of one form of URL: 5,000, and five times as many of one
    /// folder (`trap.look-alikes`).
    ///
    /// Two URLs have the same form if they differ only in numbers, IDs and the values of parameters; two pages look
    /// alike if their words without numbers, and the sources of their images, are the same. Calendars and session IDs
    /// create such pages endlessly. Each new page offsets ten look-alikes.
    public var maximumLookAlikes = 5_000

    /// Creates limits with the defaults.
    public init() {}
}
