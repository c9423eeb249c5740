/// One run of a recipe in a worker, seen from the process that asked: it gathers what comes, holds the worker to its
/// time from outside, and has pages loaded that rules follow.
struct WorkerRun {
    /// What the worker gets over its budget before it is ended from outside, in seconds: its own timer comes first.
    static let grace = 0.05

    private let process: WorkerProcess
    private let recipe: Recipe
    private let budget: Budget
    private(set) var extraction = Extraction()
    private var members: [JSONValue.Member] = []
    /// Until when the worker may be silent, on ``MonotonicClock``.
    private var deadline: Double
    /// The seconds that it has for parsing a page.
    private let preparation: Double
    /// The seconds that its budget has left, and since when they run; nil while they do not.
    private var left: Double
    private var running: Double?

    /// What a step ends with.
    enum Step {
        /// A page is to be loaded; ``resume(_:)`` takes it.
        case follow(String)
        /// The run is over; whether the worker can serve another.
        case over(isReusable: Bool)
        /// The worker was gone before it began, as one may be that has waited for long.
        case gone
    }

    /// Takes up a run that the worker has been given.
    ///
    /// - Parameters:
    ///   - process: The worker.
    ///   - recipe: What it evaluates.
    ///   - budget: What it is held to.
    ///   - preparation: The seconds that it has for parsing the page.
    init(_ process: WorkerProcess, _ recipe: Recipe, _ budget: Budget, preparation: Double) {
        self.process = process
        self.recipe = recipe
        self.budget = budget
        self.preparation = preparation
        deadline = MonotonicClock.now + preparation
        left = Double(budget.time.wholeNanoseconds) / 1e9 + Self.grace
    }

    /// Gathers what the worker says until something is to be done.
    mutating func step() -> Step {
        while true {
            switch process.next(until: deadline) {
            case .record(let record):
                if let step = take(record) { return step }
            case .ended:
                if running == nil, members.isEmpty, process.runs > 1, case .crash = process.end() {
                    return .gone
                }
                return ended()
            case .timedOut:
                // The worker's own timer has failed, or parsing takes longer than it may.
                process.kill()
                if running != nil {
                    exceed(.time, used: budget.time.wholeMilliseconds + Int(bounded: Self.grace * 1000))
                } else {
                    extraction.failure = RuleError(.failed, "the page takes too long to parse")
                }
                return over(isReusable: false)
            case .unreadable:
                process.kill()
                extraction.failure = RuleError(.crash, "the worker says what cannot be read")
                return over(isReusable: false)
            }
        }
    }

    /// Goes on with a page that was followed, or without it.
    mutating func resume(_ answer: WorkerRequest) throws(RuleError) {
        // Its parse is outside the budget, but not without bounds.
        deadline = MonotonicClock.now + preparation
        try process.send(answer)
    }

    private mutating func take(_ record: WorkerRecord) -> Step? {
        switch record {
        case .started:
            let now = MonotonicClock.now
            running = now
            deadline = now + left
        case .finished(let field, let value, let provenance):
            members.append(JSONValue.Member(field, value))
            extraction.provenance += provenance
        case .report(let error): extraction.errors.append(error)
        case .log(let text): extraction.log.append(text)
        case .follow(let url):
            if let running { left = max(0, left - (MonotonicClock.now - running)) }
            running = nil
            return .follow(url)
        case .done(let usage):
            extraction.usage = usage
            return over(isReusable: true)
        case .exceeded(let exceeded, let usage):
            extraction.exceeded = exceeded
            extraction.usage = usage
            return over(isReusable: true)
        case .refused(let error):
            extraction.failure = error
            return over(isReusable: true)
        }
        return nil
    }

    private mutating func ended() -> Step {
        switch process.end() {
        case .breach(let limit, let asked):
            let used =
                switch limit {
                case .time: Int(bounded: process.usedTime / 1_000_000)
                default: asked
                }
            exceed(limit, used: used)
        case .unfit(let reason):
            extraction.failure = RuleError(.unavailable, "the worker cannot be used: \(reason)")
        case .crash(let reason):
            extraction.failure = RuleError(.crash, "the worker died: \(reason)", rule: rule)
        }
        return over(isReusable: false)
    }

    private var rule: String? {
        guard let index = process.rule, recipe.rules.indices.contains(index) else { return nil }
        return recipe.rules[index].name
    }

    private mutating func exceed(_ limit: BudgetExceeded.Limit, used: Int) {
        let allowed =
            switch limit {
            case .time: budget.time.wholeMilliseconds
            case .memory: budget.memory.bytes
            default: 0
            }
        extraction.exceeded = BudgetExceeded(limit, rule: rule, allowed: allowed, used: used)
        extraction.usage.time = .nanoseconds(process.usedTime)
        extraction.usage.memory = process.peakMemory.map { .bytes($0) }
        extraction.usage.output = .bytes(JSONValue.object(members).serialized(sortingNames: false).count)
    }

    private mutating func over(isReusable: Bool) -> Step {
        extraction.data = .object(members)
        return .over(isReusable: isReusable)
    }
}
