/// The result of a recipe on a page.
public struct Extraction: Sendable {
    /// The values, in the recipe's order and shape; if the run ended early, those that were finished before.
    public var data: JSONValue

    /// The errors of rules: assertions that do not hold (``RuleError/Code/drift``), and rules that failed.
    public var errors: [RuleError]

    /// Why the run ended early; nil if it did not.
    public var exceeded: BudgetExceeded?

    /// Why the run did not begin, or was ended by something other than its budget, such as a crash of its
    /// worker; nil otherwise.
    public var failure: RuleError?

    /// The resources that were used, whether or not a limit was exceeded.
    public var usage: RuleUsage

    /// The texts that scripts logged, a line each.
    public var log: [String]

    /// Where each value comes from, in the order of ``data``; empty unless it was requested.
    public var provenance: [Provenance]

    /// The trace of each rule, in the order of the recipe; empty unless it was requested.
    package var trace: [RuleTrace.Entry] = []

    /// Decodes ``data`` as a value of a type of the program's own.
    ///
    /// - Throws: ``/WebStandards/JSONValue/MismatchError``, with the path of the value that does not fit: also if a
    ///   run that ended early left something out.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self
    ) throws(JSONValue.MismatchError) -> Value {
        try data.decoded(as: type)
    }

    package init() {
        data = .object([])
        errors = []
        usage = RuleUsage()
        log = []
        provenance = []
    }
}

/// The resources that a run of rules used.
public struct RuleUsage: Hashable, Sendable {
    /// The time from the first rule to the result.
    public var time: Duration = .zero

    /// The most memory that was live at once, beyond what was live before; nil if it was not counted, as
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

    /// The node, as an XPath that finds it; nil if the value comes from no node.
    public var node: String?

    /// The place of the element's tag in the source; nil if it is not known.
    public var position: SourcePosition?

    /// The page's URL.
    public var source: String
}
