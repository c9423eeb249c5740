/// A run of a recipe in this process.
struct InProcessRun {
    let recipe: Recipe
    let budget: Budget
    let notesProvenance: Bool
    let host: (any RuleHost)?
    /// What rules do; nil if nobody wants to know.
    var trace: RuleTrace?

    /// Evaluates the recipe on a page.
    func run(on page: RulePage) -> Extraction {
        let started = MonotonicClock.now
        let deadline = started + Double(budget.time.wholeNanoseconds) / 1e9
        let sink = Sink(deadline: deadline, budget)
        guard let engine = LuaEngine(budget: budget) else {
            sink.extraction.failure = RuleError(.failed, "there is no memory for the script engine")
            return sink.extraction
        }
        engine.deadline = Duration(boundedSeconds: deadline).wholeNanoseconds
        var evaluator = RecipeEvaluator(
            recipe,
            budget: budget,
            engine: engine,
            host: host,
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
        extraction.usage.time = Duration(boundedSeconds: MonotonicClock.now - started)
        extraction.usage.output = .bytes(evaluator.output)
        extraction.usage.pages = evaluator.followed
        return extraction
    }

    private final class Sink: RuleSink {
        var extraction = Extraction()
        var members: [JSONValue.Member] = []
        let deadline: Double
        let budget: Budget

        init(deadline: Double, _ budget: Budget) {
            self.deadline = deadline
            self.budget = budget
        }

        func begin(rule index: Int) {}

        func finish(field: String, value: JSONValue, provenance: [Provenance]) throws(RuleFailure) {
            // The only look at the clock outside scripts.
            guard MonotonicClock.now < deadline else {
                let allowed = budget.time.wholeMilliseconds
                throw .budget(BudgetExceeded(.time, rule: field, allowed: allowed, used: allowed))
            }
            members.append(JSONValue.Member(field, value))
            extraction.provenance += provenance
        }

        func report(_ error: RuleError) { extraction.errors.append(error) }

        func log(_ text: String) { extraction.log.append(text) }
    }
}
