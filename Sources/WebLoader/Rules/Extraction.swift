/// What a recipe made of a page.
public struct Extraction: Sendable {
    /// The values, in the recipe's order and shape; those finished before, where the run ended early.
    public var data: JSONValue

    /// What rules met: assertions that do not hold (``RuleError/Code/drift``), and rules that failed.
    public var errors: [RuleError]

    /// Why the run ended early; nil if it did not.
    public var exceeded: BudgetExceeded?

    /// Why the run did not begin, or ended otherwise than by its budget, as with the death of its worker; nil if it did
    /// not.
    public var failure: RuleError?

    /// What was used, whether or not a limit was met.
    public var usage: RuleUsage

    /// What scripts logged, a line each.
    public var log: [String]

    /// Where each value comes from, in the order of ``data``; empty unless it was asked for.
    public var provenance: [Provenance]

    init() {
        data = .object([])
        errors = []
        usage = RuleUsage()
        log = []
        provenance = []
    }
}

/// What a run of rules used.
public struct RuleUsage: Hashable, Sendable {
    /// From the first rule to the result.
    public var time: Duration = .zero

    /// The most memory that was live at once, above what stood before; nil where it was not counted, as it is not
    /// without a worker.
    public var memory: ByteCount?

    /// The length of the result as JSON.
    public var output = ByteCount.bytes(0)

    /// How many pages were followed.
    public var pages = 0
}

/// Where a value comes from.
public struct Provenance: Hashable, Sendable {
    /// The value's place in the data, as in "items[3].price".
    public var path: String

    /// The rule, as in "items[].price".
    public var rule: String

    /// The node, as an XPath that finds it; nil for what comes from no node.
    public var node: String?

    /// Where the element's tag stands in the source; nil where that is not known.
    public var position: SourcePosition?

    /// The page's URL.
    public var source: String
}
