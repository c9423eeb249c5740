/// How far a load may go.
///
/// The defaults are what no honest page meets.
public struct LoadLimits: Hashable, Sendable {
    /// Bytes of the body, its content coding undone; 64 MiB.
    public var maximumBodySize = 64 << 20

    /// Bytes of status lines and fields, interim responses included; 256 KiB, as Chromium has it.
    public var maximumHeaderSize = 256 << 10

    /// Redirects, 20 as the Fetch standard has it.
    public var maximumRedirects = 20

    /// Seconds until the connection stands; 30.
    public var connectTimeout = 30.0

    /// Seconds for all of the fetching, redirects included; 300.
    ///
    /// Nil is no limit. (Parsing is bounded by the limits below, and reading a file by its size.).
    public var maximumTime: Double? = 300

    /// Elements inside each other, 512 as browsers have it; deeper ones are put beside their parent.
    public var maximumDepth = 512

    /// Nodes of a tree; 5,000,000.
    ///
    /// What comes after is left out, and the page says so.
    public var maximumNodes = 5_000_000

    /// Creates limits with the defaults.
    public init() {}
}
