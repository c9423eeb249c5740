/// The limits of a load.
///
/// Legitimate pages stay below the defaults.
public struct LoadLimits: Hashable, Sendable {
    /// The maximum size of the body in bytes, after content decoding; 64 MiB by default.
    public var maximumBodySize = 64 << 20 { didSet { maximumBodySize.boundCount() } }

    /// The maximum size of status lines and fields in bytes, interim responses included; 256 KiB, as in Chromium.
    public var maximumHeaderSize = 256 << 10 { didSet { maximumHeaderSize.boundCount() } }

    /// The maximum number of field lines, those of interim responses and trailers included; 1,000.
    public var maximumHeaderFields = 1000 { didSet { maximumHeaderFields.boundCount() } }

    /// The maximum number of interim responses (1xx) before the final one; 16.
    public var maximumInterimResponses = 16 { didSet { maximumInterimResponses.boundCount() } }

    /// The maximum number of redirects that are followed; 20, as in the Fetch standard.
    public var maximumRedirects = 20 { didSet { maximumRedirects.boundCount() } }

    /// The time until the connection is established; 30 seconds.
    public var connectTimeout = Duration.seconds(30)

    /// The time for the whole load, redirects and parsing included; 300 seconds.
    ///
    /// `nil` means no limit. A page that is not parsed by then is truncated, and reports it. (Reading a file is bounded
    /// by its size.) Each inspection of the page has the same time (`ParsedPage.inspectionLimits`).
    public var maximumTime: Duration? {
        get { maximumSeconds.map { Duration(boundedSeconds: $0) } }
        set { maximumSeconds = newValue?.inSeconds }
    }

    /// ``maximumTime`` in seconds, which is what is calculated with for each load.
    package var maximumSeconds: Double? = 300

    /// The depth of nested elements, 512 as in browsers; deeper elements become siblings of their parent.
    public var maximumDepth = 512 { didSet { maximumDepth.boundCount() } }

    /// The maximum number of nodes of a tree, attributes not counted; 5,000,000.
    ///
    /// Further nodes are dropped, and the page reports it.
    public var maximumNodes = 5_000_000 { didSet { maximumNodes.boundCount() } }

    /// The maximum number of attributes of an element; 4096.
    ///
    /// Further attributes are dropped, and the page reports it. In XML they are an error, since the time of libxml2's
    /// parsers is quadratic in their number.
    public var maximumAttributes = 4096 { didSet { maximumAttributes.boundCount() } }

    /// The maximum size of a text, a comment or an attribute's value of HTML, in bytes; 256 MiB.
    ///
    /// The rest is dropped, and the page reports it.
    public var maximumTextLength = 1 << 28 { didSet { maximumTextLength.boundCount() } }

    /// The approximate maximum memory for a tree, in bytes; `nil`, the default, means 24 MiB plus 32 bytes for each
    /// byte of the page, at most 1 GiB.
    ///
    /// Further nodes are dropped, and the page reports it. Legitimate pages stay far below: a node takes some 120
    /// bytes.
    public var maximumTreeMemory: Int? { didSet { maximumTreeMemory?.boundCount() } }

    /// The memory limit in bytes for the tree of a page of `size` bytes.
    package func treeMemory(inputSize size: Int) -> Int {
        maximumTreeMemory ?? min(1 << 30, 24 << 20 + 32 *| size)
    }

    /// Creates limits with the defaults.
    public init() {}
}
