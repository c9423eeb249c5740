/// The limits of a run of rules; a run that exceeds one is ended.
///
///     let extraction = try await page.extract(recipe, budget: Budget(time: .seconds(1)))
///
/// A run that exceeds a limit ends there: fields that were finished before are kept, and
/// ``Extraction/exceeded`` names the limit and the rule that exceeded it.
public struct Budget: Hashable, Sendable {
    /// Wall-clock time from the first rule to the last byte of the result; loading followed pages is not
    /// counted.
    public var time: Duration { didSet { time = time.bounded } }

    /// The memory that may be live at once, beyond what was live when the page had been parsed and the engine
    /// started.
    public var memory: ByteCount

    /// The maximum length of the result as JSON; 1 MiB by default.
    public var output = ByteCount.megabytes(1)

    /// The maximum length of what scripts log; 64 KiB by default.
    public var log = ByteCount.kilobytes(64)

    /// How many pages a run may follow; 100 by default.
    public var pages = 100 { didSet { pages.boundCount() } }

    /// How far from the page a run may follow, in links; 16 by default.
    public var depth = 16 { didSet { depth.boundCount() } }

    /// Creates a budget with limits on time and memory.
    public init(time: Duration = .seconds(5), memory: ByteCount = .megabytes(10)) {
        self.time = time.bounded
        self.memory = memory
    }
}

/// The error of a run that was ended by its budget: the limit, the rule, and the amount used.
public struct BudgetExceeded: WebError, Hashable {
    /// The limit that was exceeded.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// ``Budget/time``.
        public static var time: Self { "budget.time" }
        /// ``Budget/memory``.
        public static var memory: Self { "budget.memory" }
        /// ``Budget/output``.
        public static var output: Self { "budget.output" }
        /// ``Budget/log``.
        public static var log: Self { "budget.log" }
        /// The stack: rules, scripts or values were nested too deeply.
        public static var stack: Self { "budget.stack" }
        /// ``Budget/pages``.
        public static var pages: Self { "budget.pages" }
        /// ``Budget/depth``.
        public static var depth: Self { "budget.depth" }

        /// All limits that there are: those that a worker may name.
        static var all: Set<Self> { [.time, .memory, .output, .log, .stack, .pages, .depth] }
    }

    /// The limit that was exceeded.
    public let code: Code

    /// The rule that was being evaluated, as in "items[].price"; nil between rules.
    public let rule: String?

    /// The limit's value: milliseconds for time, a number for pages and depth, bytes for all others.
    public let allowed: Int

    /// The amount used when the excess was noticed, in the same unit.
    public let used: Int

    init(_ code: Code, rule: String?, allowed: Int, used: Int) {
        self.code = code
        self.rule = rule
        self.allowed = allowed
        self.used = used
    }
}

extension BudgetExceeded {
    /// The message, with the amount used and the amount allowed.
    public var message: String {
        let place = rule.map { " in \($0)" } ?? ""
        return switch code {
        case .time: "\(used) ms of \(allowed) ms were used\(place)"
        case .memory: "\(used) bytes of memory were asked for\(place), \(allowed) allowed"
        case .output: "the result would be \(used) bytes\(place), \(allowed) allowed"
        case .log: "the log would be \(used) bytes\(place), \(allowed) allowed"
        case .stack: "the stack is used up\(place)"
        case .pages: "\(used) pages would be followed\(place), \(allowed) allowed"
        case .depth: "pages would be followed \(used) deep\(place), \(allowed) allowed"
        default: "\(used) of \(allowed) were used\(place)"
        }
    }
}
