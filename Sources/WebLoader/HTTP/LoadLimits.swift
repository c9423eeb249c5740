/// How far a load may go.
///
/// The defaults are what no honest page meets.
public struct LoadLimits: Hashable, Sendable {
    /// Bytes of the body, its content coding undone; 64 MiB.
    public var maximumBodySize = 64 << 20 { didSet { maximumBodySize.boundCount() } }

    /// Bytes of status lines and fields, interim responses included; 256 KiB, as Chromium has it.
    public var maximumHeaderSize = 256 << 10 { didSet { maximumHeaderSize.boundCount() } }

    /// Lines of fields, interim responses' and trailers included; 1,000.
    public var maximumHeaderFields = 1000 { didSet { maximumHeaderFields.boundCount() } }

    /// Interim responses (1xx) before the final one; 16.
    public var maximumInterimResponses = 16 { didSet { maximumInterimResponses.boundCount() } }

    /// Redirects, 20 as the Fetch standard has it.
    public var maximumRedirects = 20 { didSet { maximumRedirects.boundCount() } }

    /// Seconds until the connection stands; 30.
    public var connectTimeout = 30.0

    /// Seconds for the whole load, redirects and parsing included; 300.
    ///
    /// Nil is no limit. A page that is not parsed by then is cut short, and says so. (Reading a file is bounded by its
    /// size.) Each inspection of the page has as long (``Page/inspectionLimits``).
    public var maximumTime: Double? = 300

    /// Elements inside each other, 512 as browsers have it; deeper ones are put beside their parent.
    public var maximumDepth = 512 { didSet { maximumDepth.boundCount() } }

    /// Nodes of a tree, attributes not counted; 5,000,000.
    ///
    /// What comes after is left out, and the page says so.
    public var maximumNodes = 5_000_000 { didSet { maximumNodes.boundCount() } }

    /// Attributes of an element; 4096.
    ///
    /// Further ones are left out, and the page says so. Of XML they are an error, since libxml2's parsers take time in
    /// proportion to their square.
    public var maximumAttributes = 4096 { didSet { maximumAttributes.boundCount() } }

    /// Bytes of a text, a comment or an attribute's value of HTML; 256 MiB.
    ///
    /// The rest of it is left out, and the page says so.
    public var maximumTextLength = 1 << 28 { didSet { maximumTextLength.boundCount() } }

    /// Bytes of memory for a tree, roughly; nil, the default, is 24 MiB and 32 for each byte of the page, and no more than
    /// 1 GiB.
    ///
    /// What comes after is left out, and the page says so. Honest pages stay far below: a node takes some 120 bytes.
    public var maximumTreeMemory: Int? { didSet { maximumTreeMemory?.boundCount() } }

    /// What the tree of a page of so many bytes may take.
    package func treeMemory(inputSize size: Int) -> Int {
        maximumTreeMemory ?? min(1 << 30, 24 << 20 + 32 *| size)
    }

    /// Creates limits with the defaults.
    public init() {}
}
