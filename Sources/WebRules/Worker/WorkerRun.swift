/// One run of a recipe in a worker, as seen by the process that requested it.
///
/// It collects the worker's records, enforces the time limit from outside, and reports which pages have to be
/// loaded for rules to follow.
package struct WorkerRun {
    /// How long the worker may exceed its time limit before it is killed from outside, in seconds: its own
    /// timer comes first.
    static let grace = 0.05

    /// The interval at which the worker's usage is reported, in seconds.
    private static let progressInterval = 0.1

    private let process: WorkerProcess
    private let recipe: Recipe
    private let budget: Budget
    private let end: ExtractionEnd
    private var transcript: WorkerTranscript
    /// The deadline for the next record of the worker, on ``MonotonicClock``.
    private var deadline: Double
    /// The seconds that its budget has left, and when it last started to run; nil while it is paused.
    private var left: Double
    private var running: Double?
    private let progress: RuleProgress?
    /// When the usage is reported next, on ``MonotonicClock``; infinite while it is not reported.
    private var nextProgress = Double.infinity

    /// The result so far; complete once the run is over.
    package private(set) var extraction = Extraction()

    /// How a step ended.
    package enum Step {
        /// A page is to be loaded and passed to ``resume(_:_:)``.
        case follow(WebURL)
        /// The run is over; whether the worker can serve another.
        case over(isReusable: Bool)
        /// The worker was gone before it began, which can happen to one that was idle for long.
        case gone
    }

    /// Creates the run that a worker has been given.
    ///
    /// - Parameters:
    ///   - process: The worker.
    ///   - transcript: Checks the records of the worker.
    ///   - recipe: The recipe that it evaluates.
    ///   - budget: The budget of the run.
    ///   - end: The deadline of the whole extraction, parsing and loading included.
    ///   - progress: Receives the usage while rules are evaluated.
    package init(
        _ process: WorkerProcess,
        _ transcript: WorkerTranscript,
        _ recipe: Recipe,
        _ budget: Budget,
        end: ExtractionEnd,
        progress: RuleProgress? = nil
    ) {
        self.process = process
        self.transcript = transcript
        self.recipe = recipe
        self.budget = budget
        self.end = end
        self.progress = progress
        deadline = end.moment
        left = Double(budget.time.wholeNanoseconds) / 1e9 + Self.grace
    }

    /// Collects records of the worker until the caller has to act.
    package mutating func step() -> Step {
        while true {
            sendProgress()
            let moment = min(deadline, nextProgress)
            switch process.next(until: moment) {
            case .timedOut where moment < deadline: continue
            case .record(let bytes):
                if let step = take(bytes) { return step }
            case .ended:
                if running == nil, transcript.members.isEmpty, process.runs > 1, case .crash = process.end() {
                    return .gone
                }
                return ended()
            case .timedOut:
                // The worker's own timer has failed, or the deadline of the whole extraction has passed.
                process.kill()
                if MonotonicClock.now >= end.moment {
                    exceed(.time, allowed: end.milliseconds, used: end.milliseconds)
                } else {
                    let allowed = budget.time.wholeMilliseconds
                    exceed(.time, allowed: allowed, used: allowed +| Int(bounded: Self.grace * 1000))
                }
                return over(isReusable: false)
            case .unreadable: return endAfterInvalidRecord("an unreadable or too large record")
            }
        }
    }

    /// Continues with the page that was requested, or without it.
    ///
    /// - Parameters:
    ///   - answer: The request that is sent to the worker.
    ///   - source: The URL of the page; nil if there is none.
    /// - Throws: ``RuleError`` if the request cannot be sent.
    package mutating func resume(_ answer: WorkerRequest, _ source: WebURL?) throws(RuleError) {
        if let source { transcript.registerPage(source) }
        // Parsing the page is outside the budget, but has to end by the deadline of the extraction.
        deadline = end.moment
        try process.send(answer)
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) -> Step? {
        switch transcript.take(bytes) {
        case .accepted: return nil
        case .started:
            let now = MonotonicClock.now
            running = now
            deadline = min(now + left, end.moment)
            if progress != nil { nextProgress = now }
            return nil
        case .follow(let url):
            if let running { left = max(0, left - (MonotonicClock.now - running)) }
            running = nil
            nextProgress = .infinity
            return .follow(url)
        case .over:
            extraction = transcript.extraction
            return over(isReusable: true)
        case .exceeded(let limit, let used):
            process.kill()
            exceed(limit, allowed: budget.allowed(limit), used: used)
            return over(isReusable: false)
        case .invalid(let what): return endAfterInvalidRecord(what)
        }
    }

    private mutating func endAfterInvalidRecord(_ what: String) -> Step {
        process.kill()
        extraction = transcript.extraction
        extraction.failure = RuleError(.failed, "the worker was ended: it sent \(what)", rule: rule)
        return over(isReusable: false)
    }

    private mutating func ended() -> Step {
        extraction = transcript.extraction
        switch process.end() {
        case .exceeded(let limit, let asked) where running != nil || limit == .stack:
            let used: Int
            switch limit {
            case .time:
                let claimed = Duration.nanoseconds(process.usedTime)
                used = min(claimed, transcript.elapsed).wholeMilliseconds
            default: used = Int(bounded: asked)
            }
            exceed(limit, allowed: budget.allowed(limit), used: used)
        case .exceeded:
            extraction.failure = RuleError(
                .crash,
                "the worker died: it reported a limit that was not in force"
            )
        case .unfit(let reason):
            extraction.failure = RuleError(.unavailable, "the worker cannot be used: \(reason)")
        case .scarcity:
            let message = "the system has no memory left for the worker"
            extraction.failure = RuleError(.memory, message, rule: rule)
        case .crash(let reason):
            extraction.failure = RuleError(.crash, "the worker died: \(reason)", rule: rule)
        }
        return over(isReusable: false)
    }

    /// Reports the usage so far, if it is due.
    private mutating func sendProgress() {
        guard let progress, let running else { return }
        let now = MonotonicClock.now
        guard now >= nextProgress else { return }
        nextProgress = now + Self.progressInterval
        var usage = usage
        let whole = Double(budget.time.wholeNanoseconds) / 1e9 + Self.grace
        usage.time = Duration(boundedSeconds: whole - left + now - running)
        progress(usage, rule)
    }

    /// The resources that the worker has used so far, without the time.
    private var usage: RuleUsage {
        var usage = RuleUsage()
        usage.memory = process.peakMemory.map { min(.bytes($0), budget.memory) }
        usage.output = .bytes(transcript.output)
        usage.pages = transcript.followed
        return usage
    }

    private var rule: String? {
        guard let index = process.rule, recipe.rules.indices.contains(index) else { return nil }
        return recipe.rules[index].name
    }

    private mutating func exceed(_ limit: BudgetExceeded.Code, allowed: Int, used: Int) {
        extraction = transcript.extraction
        extraction.exceeded = BudgetExceeded(limit, rule: rule, allowed: allowed, used: used)
        extraction.usage = usage
        extraction.usage.time = min(.nanoseconds(process.usedTime), transcript.elapsed)
    }

    private mutating func over(isReusable: Bool) -> Step {
        extraction.data = .object(transcript.members)
        return .over(isReusable: isReusable && process.hasNoUnreadRecords)
    }
}

/// Receives the resources that a worker has used so far, ten times a second, and the rule that it is evaluating.
package typealias RuleProgress = @Sendable (_ usage: RuleUsage, _ rule: String?) -> Void

/// The deadline of an extraction, loading and parsing included.
package struct ExtractionEnd: Sendable {
    /// The moment on ``MonotonicClock``; infinite if there is no limit.
    package let moment: Double
    /// How long it may take in all.
    let milliseconds: Int

    /// A deadline this many seconds from now; nil for no limit.
    package init(in seconds: Double?) {
        guard let seconds else {
            moment = .infinity
            milliseconds = .largestBounded
            return
        }
        moment = MonotonicClock.now + seconds
        milliseconds = Int(bounded: max(0, seconds) * 1000)
    }

    /// The seconds that are left; nil where there is no limit.
    package var left: Double? { moment.isFinite ? max(0, moment - MonotonicClock.now) : nil }
}
