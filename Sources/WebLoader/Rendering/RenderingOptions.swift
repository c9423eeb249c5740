/// How a page is rendered: when it is taken, its outputs, and the budget.
public struct RenderingOptions: Hashable, Sendable {
    /// A picture of a page.
    public struct Screenshot: Hashable, Sendable {
        /// Whether all of the page is in it, up to 16,384 pixels of height, and not only what the window shows.
        public var isOfWholePage = false

        /// A CSS selector whose first matching element is in it; `nil`, the default, for the page.
        public var selector: String?

        /// Creates a picture of what the window shows.
        public init() {}
    }

    /// When the page is taken: once an element matches this CSS selector; nil, the default, for when it is loaded and quiet.
    public var waitSelector: String?

    /// When the page is taken: after so much time from its beginning; nil, the default, for when it is loaded and quiet.
    public var waitTime: Duration?

    /// How long nothing may come before a loaded page counts as quiet; half a second by default.
    public var quietTime = Duration.milliseconds(500)

    /// The budget's time for a page, 30 seconds by default.
    public var maximumTime = Duration.seconds(30)

    /// The budget's memory: that of all of the browser's processes, in bytes, 2 GiB by default.
    public var maximumMemory = 2 << 30 { didSet { maximumMemory.boundCount() } }

    /// The budget's bytes of responses, 256 MiB by default; what would be more fails in the page.
    public var maximumBytes = 256 << 20 { didSet { maximumBytes.boundCount() } }

    /// The budget's requests, 1,000 by default; all others fail in the page.
    public var maximumRequests = 1000 { didSet { maximumRequests.boundCount() } }

    /// The width of the window in CSS pixels, 1,280 by default, from 1 to 16,384.
    public var windowWidth = 1280 { didSet { windowWidth = min(max(1, windowWidth), Self.mostPixels) } }

    /// The height of the window in CSS pixels, 800 by default, from 1 to 16,384.
    public var windowHeight = 800 { didSet { windowHeight = min(max(1, windowHeight), Self.mostPixels) } }

    /// The picture to take; `nil`, the default, if no picture is taken.
    public var screenshot: Screenshot?

    /// Whether the page is written as PDF too; false by default.
    public var makesPDF = false

    /// The most pixels that a picture has in a direction.
    package static let mostPixels = 16_384

    /// Creates options with the defaults.
    public init() {}
}
