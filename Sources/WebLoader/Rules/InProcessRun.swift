/// A run of a recipe in this process.
struct InProcessRun {
    let recipe: Recipe
    let budget: Budget
    let notesProvenance: Bool
    let host: (any RuleHost)?
    /// When all of it has to be over, loading and parsing included; nil for no other end than the budget's.
    var end: ExtractionEnd?
    /// Says that nobody wants the result any more; nil if nobody may.
    var stop: RunStop?
    /// What rules do; nil if nobody wants to know.
    var trace: RuleTrace?

    /// Evaluates the recipe on a page.
    func run(on page: RulePage) -> Extraction {
        let started = MonotonicClock.now
        let watch = Watch(
            deadline: started + Double(budget.time.wholeNanoseconds) / 1e9,
            allowed: budget.time.wholeMilliseconds,
            end: end,
            stop: stop
        )
        let sink = Sink(watch)
        guard let engine = LuaEngine(budget: budget) else {
            sink.extraction.failure = RuleError(.failed, "there is no memory for the script engine")
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

    /// Knows whether the run may go on.
    private final class Watch {
        /// When the budget's time is used up, and when it began; both go on by what loading pages takes.
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

        /// Why the run is to end, in milliseconds that it may take; nil if it may go on.
        var interruption: Int? {
            let now = MonotonicClock.now
            if let end, now >= end.moment { return end.milliseconds }
            if now >= deadline { return allowed }
            // Whoever has stopped it does not look at why.
            return stop?.isSet == true ? allowed : nil
        }

        func look(_ rule: String?) throws(RuleFailure) {
            guard let allowed = interruption else { return }
            throw .budget(BudgetExceeded(.time, rule: rule, allowed: allowed, used: allowed))
        }

        /// Does what is outside the budget.
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
            try watch.look(nil)
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

        /// The only look at the clock outside scripts.
        func begin(rule index: Int) throws(RuleFailure) { try watch.look(nil) }

        func finish(field: String, value: JSONValue, provenance: [Provenance]) throws(RuleFailure) {
            try watch.look(field)
            members.append(JSONValue.Member(field, value))
            extraction.provenance += provenance
        }

        func report(_ error: RuleError) { extraction.errors.append(error) }

        func log(_ text: String) { extraction.log.append(text) }
    }
}
