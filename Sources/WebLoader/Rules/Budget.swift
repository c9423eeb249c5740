/// How much a run of rules may take before it is ended.
///
///     let extraction = try await page.extract(recipe, budget: Budget(time: .seconds(1)))
///
/// A run that reaches a limit ends there: what was finished before stays, and ``Extraction/exceeded`` says which
/// limit it was, and which rule met it.
public struct Budget: Hashable, Sendable {
    /// Wall-clock time from the first rule to the last byte of the result; loading followed pages is outside it.
    public var time: Duration { didSet { time = time.bounded } }

    /// Live memory above what stood when the page was parsed and the engine had started.
    public var memory: ByteCount

    /// The length of the result as JSON, 1 MiB unless said otherwise.
    public var output = ByteCount.megabytes(1)

    /// The length of what scripts log, 64 KiB unless said otherwise.
    public var log = ByteCount.kilobytes(64)

    /// How many pages a run may follow, 100 unless said otherwise.
    public var pages = 100 { didSet { pages.boundCount() } }

    /// How far from the page a run may follow, in links; 16 unless said otherwise.
    public var depth = 16 { didSet { depth.boundCount() } }

    /// A budget of so much time and memory.
    public init(time: Duration = .seconds(5), memory: ByteCount = .megabytes(10)) {
        self.time = time.bounded
        self.memory = memory
    }
}

/// That a run was ended by its budget: which limit, where, and what was used.
public struct BudgetExceeded: Error, Hashable, Sendable {
    /// What there was too much of, as a stable word.
    public enum Limit: String, Sendable, Codable, CaseIterable {
        /// ``Budget/time``.
        case time = "budget.time"
        /// ``Budget/memory``.
        case memory = "budget.memory"
        /// ``Budget/output``.
        case output = "budget.output"
        /// ``Budget/log``.
        case log = "budget.log"
        /// The stack: rules, scripts or values were nested too deeply.
        case stack = "budget.stack"
        /// ``Budget/pages``.
        case pages = "budget.pages"
        /// ``Budget/depth``.
        case depth = "budget.depth"
    }

    /// What there was too much of.
    public let limit: Limit

    /// The rule that was being evaluated, as in "items[].price"; nil between rules.
    public let rule: String?

    /// The limit's value: milliseconds for time, a number for pages and depth, bytes for all others.
    public let allowed: Int

    /// What was used when it was noticed, in the same unit.
    public let used: Int

    init(_ limit: Limit, rule: String?, allowed: Int, used: Int) {
        self.limit = limit
        self.rule = rule
        self.allowed = allowed
        self.used = used
    }
}

extension BudgetExceeded: CustomStringConvertible {
    /// What happened, in figures.
    public var description: String {
        let place = rule.map { " in \($0)" } ?? ""
        return switch limit {
        case .time: "\(used) ms of \(allowed) ms were used\(place)"
        case .memory: "\(used) bytes of memory were asked for\(place), \(allowed) allowed"
        case .output: "the result would be \(used) bytes\(place), \(allowed) allowed"
        case .log: "the log would be \(used) bytes\(place), \(allowed) allowed"
        case .stack: "the stack is used up\(place)"
        case .pages: "\(used) pages would be followed\(place), \(allowed) allowed"
        case .depth: "pages would be followed \(used) deep\(place), \(allowed) allowed"
        }
    }
}
