/// A run of a recipe in this process.
package struct InProcessRun {
    let recipe: Recipe
    let budget: Budget
    let notesProvenance: Bool
    let host: (any RuleHost)?
    /// The deadline of the whole extraction, loading and parsing included; nil if only the budget limits the
    /// time.
    var end: ExtractionEnd?
    /// Cancels the run from outside; nil if it cannot be cancelled.
    var stop: RunStop?
    /// Records what rules do; nil if no trace was requested.
    var trace: RuleTrace?

    package init(
        recipe: Recipe,
        budget: Budget,
        notesProvenance: Bool,
        host: (any RuleHost)?,
        end: ExtractionEnd? = nil,
        stop: RunStop? = nil,
        trace: RuleTrace? = nil
    ) {
        self.recipe = recipe
        self.budget = budget
        self.notesProvenance = notesProvenance
        self.host = host
        self.end = end
        self.stop = stop
        self.trace = trace
    }

    /// Evaluates the recipe on a page.
    package func run(on page: RulePage) -> Extraction {
        let started = MonotonicClock.now
        let watch = Watch(
            deadline: started + Double(budget.time.wholeNanoseconds) / 1e9,
            allowed: budget.time.wholeMilliseconds,
            end: end,
            stop: stop
        )
        let sink = Sink(watch)
        guard let engine = LuaEngine(budget: budget) else {
            sink.extraction.failure = RuleError(.failed, "not enough memory for the script engine")
            return sink.extraction
        }
        engine.interruption = { watch.interruption }
        var evaluator = RecipeEvaluator(
            recipe,
            budget: budget,
            engine: engine,
            host: host.map { WatchedHost(upstream: $0, watch: watch) },
            notesProvenance: notesProvenance,
            sink: sink
        )
        evaluator.trace = trace
        do throws(RuleError) {
            try evaluator.check()
            do throws(BudgetExceeded) {
                try evaluator.run(on: page)
            } catch {
                sink.extraction.exceeded = error
            }
        } catch {
            sink.extraction.failure = error
        }
        var extraction = sink.extraction
        extraction.data = .object(sink.members)
        extraction.usage.time = Duration(boundedSeconds: MonotonicClock.now - watch.started)
        extraction.usage.output = .bytes(evaluator.output)
        extraction.usage.pages = evaluator.followed
        return extraction
    }

    /// Decides whether the run may continue.
    private final class Watch {
        /// The moments at which the budget's time ends and began; loading pages moves both forward by the
        /// time it takes.
        private(set) var deadline: Double
        private(set) var started = MonotonicClock.now
        private let allowed: Int
        private let end: ExtractionEnd?
        private let stop: RunStop?

        init(deadline: Double, allowed: Int, end: ExtractionEnd?, stop: RunStop?) {
            self.deadline = deadline
            self.allowed = allowed
            self.end = end
            self.stop = stop
        }

        /// The time limit that was reached, in milliseconds, if the run has to end; nil if it may continue.
        var interruption: Int? {
            let now = MonotonicClock.now
            if let end, now >= end.moment { return end.milliseconds }
            if now >= deadline { return allowed }
            // The caller that cancelled the run does not use the reason, so it is reported as the time limit.
            return stop?.isCancelled == true ? allowed : nil
        }

        func throwIfTimeIsUp(_ rule: String?) throws(RuleFailure) {
            guard let allowed = interruption else { return }
            throw .budget(BudgetExceeded(.time, rule: rule, allowed: allowed, used: allowed))
        }

        /// Runs `body` without counting its time against the budget.
        func outside<Value>(_ body: () throws(RuleFailure) -> Value) throws(RuleFailure) -> Value {
            let before = MonotonicClock.now
            defer {
                let taken = MonotonicClock.now - before
                deadline += taken
                started += taken
            }
            return try body()
        }
    }

    private struct WatchedHost: RuleHost {
        let upstream: any RuleHost
        let watch: Watch

        func page(at url: WebURL, from origin: RulePage) throws(RuleFailure) -> RulePage {
            try watch.throwIfTimeIsUp(nil)
            return try watch.outside { () throws(RuleFailure) in try upstream.page(at: url, from: origin) }
        }
    }

    private final class Sink: RuleSink {
        var extraction = Extraction()
        var members: [JSONValue.Member] = []
        private let watch: Watch

        init(_ watch: Watch) {
            self.watch = watch
        }

        /// Outside scripts, the time is checked only here, in `finish` and before a page is followed.
        func begin(rule index: Int) throws(RuleFailure) { try watch.throwIfTimeIsUp(nil) }

        func finish(field: String, value: JSONValue, provenance: [Provenance]) throws(RuleFailure) {
            try watch.throwIfTimeIsUp(field)
            members.append(JSONValue.Member(field, value))
            extraction.provenance += provenance
        }

        func report(_ error: RuleError) { extraction.errors.append(error) }

        func log(_ text: String) { extraction.log.append(text) }
    }
}
