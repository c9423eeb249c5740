/// What bounds a crawl: how much it loads, and what it takes for a trap.
///
/// The bounds of traps are such that a site of 100,000 pages, each made by people, reaches none of them.
public struct CrawlLimits: Hashable, Sendable {
    /// How many links away from a seed a page may be, seeds being 0; nil, the default, for any number.
    public var maximumDepth: Int?
    /// How many pages are loaded, whatever their status, without their resources; nil, the default, for any number.
    public var maximumPages: Int?
    /// How many bytes of bodies are loaded, as they come; nil, the default, for any number.
    ///
    /// What runs when they are reached is finished.
    public var maximumBytes: Int?
    /// How long one run goes on; nil, the default, for as long as it takes.
    public var maximumTime: Duration?

    // MARK: Traps

    /// How many bytes a URL may have: 2,000 (`trap.url-length`).
    public var maximumURLLength = 2_000
    /// How many segments a path may have: 30 (`trap.path-depth`).
    public var maximumPathSegments = 30
    /// How often in a row the same segments, one to four of them, may stand in a path: 4 (`trap.repeated-segments`).
    ///
    /// A relative link that leads one level down each time makes such paths without end.
    public var maximumRepetitions = 4
    /// How many parameters a query may have: 30 (`trap.query-parameters`).
    public var maximumQueryParameters = 30
    /// How many redirects lead to a URL at most: 20 (`trap.redirects`).
    public var maximumRedirects = 20
    /// How many pages of one folder, with all below it, are loaded: 250,000 (`trap.folder-pages`).
    ///
    /// The uppermost three folders of a path are counted, not the host's root.
    public var maximumPagesPerFolder = 250_000
    /// How many pages of a host are loaded: 2,000,000 (`trap.host-pages`).
    public var maximumPagesPerHost = 2_000_000
    /// How many look-alikes in a row are loaded of one form of URL: 5,000, and five times as many of one folder
    /// (`trap.look-alikes`).
    ///
    /// Two URLs have one form if they differ in numbers, IDs and the values of parameters only; two pages look alike if the words
    /// without numbers, and the sources of images, are the same. Calendars and session IDs make such pages without end. Each page
    /// that is new counts against ten look-alikes.
    public var maximumLookAlikes = 5_000

    /// Creates limits with the defaults.
    public init() {}
}
