/// One run of a recipe in a worker, seen from the process that asked: it gathers what comes, holds the worker to its
/// time from outside, and has pages loaded that rules follow.
struct WorkerRun {
    /// What the worker gets over its budget before it is ended from outside, in seconds: its own timer comes first.
    static let grace = 0.05

    private let process: WorkerProcess
    private let recipe: Recipe
    private let budget: Budget
    private let end: ExtractionEnd
    private var transcript: WorkerTranscript
    /// Until when the worker may be silent, on ``MonotonicClock``.
    private var deadline: Double
    /// The seconds that its budget has left, and since when they run; nil while they do not.
    private var left: Double
    private var running: Double?

    /// What has come of it; all of it once the run is over.
    private(set) var extraction = Extraction()

    /// What a step ends with.
    enum Step {
        /// A page is to be loaded; ``resume(_:_:)`` takes it.
        case follow(WebURL)
        /// The run is over; whether the worker can serve another.
        case over(isReusable: Bool)
        /// The worker was gone before it began, as one may be that has waited for long.
        case gone
    }

    /// Takes up a run that the worker has been given.
    ///
    /// - Parameters:
    ///   - process: The worker.
    ///   - transcript: What it is to say.
    ///   - recipe: What it evaluates.
    ///   - budget: What it is held to.
    ///   - end: When all of it has to be over, parsing and loading included.
    init(
        _ process: WorkerProcess,
        _ transcript: WorkerTranscript,
        _ recipe: Recipe,
        _ budget: Budget,
        end: ExtractionEnd
    ) {
        self.process = process
        self.transcript = transcript
        self.recipe = recipe
        self.budget = budget
        self.end = end
        deadline = end.moment
        left = Double(budget.time.wholeNanoseconds) / 1e9 + Self.grace
    }

    /// Gathers what the worker says until something is to be done.
    mutating func step() -> Step {
        while true {
            switch process.next(until: deadline) {
            case .record(let bytes):
                if let step = take(bytes) { return step }
            case .ended:
                if running == nil, transcript.members.isEmpty, process.runs > 1, case .crash = process.end() {
                    return .gone
                }
                return ended()
            case .timedOut:
                // The worker's own timer has failed, or it all takes longer than it may.
                process.kill()
                if MonotonicClock.now >= end.moment {
                    exceed(.time, allowed: end.milliseconds, used: end.milliseconds)
                } else {
                    let allowed = budget.time.wholeMilliseconds
                    exceed(.time, allowed: allowed, used: allowed +| Int(bounded: Self.grace * 1000))
                }
                return over(isReusable: false)
            case .unreadable: return lied("more than any run may, or what cannot be read")
            }
        }
    }

    /// Goes on with a page that was followed, or without it.
    ///
    /// - Parameters:
    ///   - answer: What the worker is told.
    ///   - source: Where the page comes from; nil if there is none.
    /// - Throws: ``RuleError`` if the worker cannot be told.
    mutating func resume(_ answer: WorkerRequest, _ source: WebURL?) throws(RuleError) {
        if let source { transcript.handOver(source) }
        // Its parse is outside the budget, but not without bounds.
        deadline = end.moment
        try process.send(answer)
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) -> Step? {
        switch transcript.take(bytes) {
        case .heard: return nil
        case .started:
            let now = MonotonicClock.now
            running = now
            deadline = min(now + left, end.moment)
            return nil
        case .follow(let url):
            if let running { left = max(0, left - (MonotonicClock.now - running)) }
            running = nil
            return .follow(url)
        case .over:
            extraction = transcript.extraction
            return over(isReusable: true)
        case .exceeded(let limit, let used):
            process.kill()
            exceed(limit, allowed: budget.allowed(limit), used: used)
            return over(isReusable: false)
        case .lie(let what): return lied(what)
        }
    }

    private mutating func lied(_ what: String) -> Step {
        process.kill()
        extraction = transcript.extraction
        extraction.failure = RuleError(.failed, "the worker was ended: it says \(what)", rule: rule)
        return over(isReusable: false)
    }

    private mutating func ended() -> Step {
        extraction = transcript.extraction
        switch process.end() {
        case .breach(let limit, let asked) where running != nil || limit == .stack:
            let used: Int
            switch limit {
            case .time:
                let claimed = Duration.nanoseconds(process.usedTime)
                used = min(claimed, transcript.elapsed).wholeMilliseconds
            case .memory, .output, .log, .stack, .pages, .depth: used = Int(bounded: asked)
            }
            exceed(limit, allowed: budget.allowed(limit), used: used)
        case .breach:
            extraction.failure = RuleError(.crash, "the worker died: it names a limit that did not hold")
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

    private mutating func exceed(_ limit: BudgetExceeded.Limit, allowed: Int, used: Int) {
        extraction = transcript.extraction
        extraction.exceeded = BudgetExceeded(limit, rule: rule, allowed: allowed, used: used)
        extraction.usage.time = min(.nanoseconds(process.usedTime), transcript.elapsed)
        extraction.usage.memory = process.peakMemory.map { min(.bytes($0), budget.memory) }
        extraction.usage.output = .bytes(transcript.output)
        extraction.usage.pages = transcript.followed
    }

    private mutating func over(isReusable: Bool) -> Step {
        extraction.data = .object(transcript.members)
        return .over(isReusable: isReusable && process.hasSaidAll)
    }
}

/// When an extraction has to be over, loading and parsing included.
struct ExtractionEnd: Sendable {
    /// On ``MonotonicClock``; infinite where there is no limit.
    let moment: Double
    /// How long it may take in all.
    let milliseconds: Int

    /// So many seconds from now; nil is no limit.
    init(in seconds: Double?) {
        guard let seconds else {
            moment = .infinity
            milliseconds = .largestBounded
            return
        }
        moment = MonotonicClock.now + seconds
        milliseconds = Int(bounded: max(0, seconds) * 1000)
    }

    /// The seconds that are left; nil where there is no limit.
    var left: Double? { moment.isFinite ? max(0, moment - MonotonicClock.now) : nil }
}
