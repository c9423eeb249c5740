/// The worker's side of a run: it takes requests, evaluates recipes, and sends each result as soon as it is
/// known.
///
/// It trusts its requests, which come from the process that started it, but nothing in the pages.
struct WorkerSession<Guard: WorkerGuard> {
    /// Parses the page of a request, which the layer above has written.
    typealias Parse = (WorkerRequest.Page) -> Result<RulePage, RuleError>

    let guardian: Guard
    let parse: Parse

    /// Serves requests until there are no more.
    package func serve() {
        while true {
            let request = unsafe guardian.withNextRequest { bytes in
                Result { () throws(RecordReader.Malformed) in try unsafe WorkerRequest(bytes) }
            }
            guard let request else { return }
            guard case .success(.run(let run)) = request else { return }
            serve(run)
        }
    }

    private func serve(_ run: WorkerRequest.Run) {
        do throws(RuleError) {
            let page = try parse(run.page).get()
            send(.started)
            // Reading a recipe may take longer than its time limit, so it counts against the budget.
            let started = MonotonicClock.now
            let recipe = try Recipe(parsing: run.recipe, file: run.file)
            try evaluate(recipe, page, run, since: started)
        } catch {
            guardian.end()
            send(.refused(error))
        }
    }

    private func evaluate(
        _ recipe: Recipe,
        _ page: RulePage,
        _ run: WorkerRequest.Run,
        since started: Double
    ) throws(RuleError) {
        let engine = try engine(run.budget)
        guardian.begin(
            time: run.budget.time.wholeNanoseconds,
            used: UInt64(clamping: Int(bounded: (MonotonicClock.now - started).boundedSeconds * 1e9)),
            memory: UInt64(truncatingIfNeeded: run.budget.memory.bytes)
        )
        let trace = run.notesTrace ? RuleTrace(recipe) : nil
        let sink = WorkerSink(guardian, trace)
        var evaluator = RecipeEvaluator(
            recipe,
            budget: run.budget,
            engine: engine,
            host: WorkerRuleHost(guardian: guardian, parse: parse),
            notesProvenance: run.notesProvenance,
            sink: sink
        )
        evaluator.trace = trace
        try evaluator.check()
        let ending: WorkerRecord
        do throws(BudgetExceeded) {
            try evaluator.run(on: page)
            ending = .done(usage(evaluator))
        } catch {
            sink.sendTrace()
            ending = .exceeded(error, usage(evaluator))
        }
        // Once the end is sent, another run may use the worker, which this run's timer must not end.
        guardian.end()
        send(ending)
    }

    /// Creates a script engine, in which scripts of other pages have left nothing.
    private func engine(_ budget: Budget) throws(RuleError) -> LuaEngine {
        let accounting = unsafe LuaEngine.Accounting(
            headroom: guardian.headroom,
            busy: guardian.busy,
            setReclaim: { unsafe guardian.setReclaim($0, $1) }
        )
        guard let engine = LuaEngine(budget: budget, accounting: accounting) else {
            throw RuleError(.failed, "not enough memory for the script engine")
        }
        return engine
    }

    private func usage(_ evaluator: RecipeEvaluator<WorkerSink<Guard>>) -> RuleUsage {
        var usage = RuleUsage()
        usage.time = .nanoseconds(guardian.usedTime)
        usage.memory = guardian.peakMemory.map { .bytes($0) }
        usage.output = .bytes(evaluator.output)
        usage.pages = evaluator.followed
        return usage
    }

    private func send(_ record: WorkerRecord) { guardian.write(record.framed) }
}

/// Sends results to the requesting process as they are finished.
final class WorkerSink<Guard: WorkerGuard>: RuleSink {
    private let guardian: Guard
    private let trace: RuleTrace?

    init(_ guardian: Guard, _ trace: RuleTrace?) {
        self.guardian = guardian
        self.trace = trace
    }

    /// Sends what the rules did that were evaluated since the last call, if it was requested.
    func sendTrace() {
        for (index, entry) in trace?.takeNew() ?? [] { send(.traced(index, entry)) }
    }

    func begin(rule index: Int) { guardian.begin(rule: index) }

    func finish(field: String, value: JSONValue, provenance: [Provenance]) {
        send(.finished(field: field, value: value, provenance: provenance))
        sendTrace()
    }

    func report(_ error: RuleError) { send(.report(error)) }

    func log(_ text: String) { send(.log(text)) }

    private func send(_ record: WorkerRecord) { guardian.write(record.framed) }
}

/// Asks the requesting process to load pages; loading and parsing them does not count against the budget.
final class WorkerRuleHost<Guard: WorkerGuard>: RuleHost {
    private let guardian: Guard
    private let parse: WorkerSession<Guard>.Parse
    /// How many pages have been received, including the first.
    private var pages = 1

    init(guardian: Guard, parse: @escaping WorkerSession<Guard>.Parse) {
        self.guardian = guardian
        self.parse = parse
    }

    func page(at url: WebURL, from origin: RulePage) throws(RuleFailure) -> RulePage {
        let record = WorkerRecord.follow(url.href, from: origin.number).framed
        let live = guardian.pause()
        guardian.write(record)
        let number = pages
        let answer = answer()
        guardian.write(WorkerRecord.started.framed)
        let uncounted = guardian.resume(live)
        switch answer {
        case .failure(let error): throw .rule(error)
        case .success(var page):
            page.number = number
            page.document.context.attachment = Uncounted(uncounted, guardian)
            return page
        }
    }

    private func answer() -> Result<RulePage, RuleError> {
        let request = unsafe guardian.withNextRequest { bytes in
            Result { () throws(RecordReader.Malformed) in try unsafe WorkerRequest(bytes) }
        }
        guard case .success(let request) = request else {
            return .failure(RuleError(.failed, "the page was not received"))
        }
        switch request {
        case .page(let page):
            // A page that cannot be parsed has been received, too.
            pages += 1
            return parse(page)
        case .noPage(let error): return .failure(error)
        case .run: return .failure(RuleError(.failed, "an unexpected request was received"))
        }
    }

    /// Memory that does not count against the budget, until its document is freed.
    private final class Uncounted {
        private let bytes: UInt64
        private let guardian: Guard

        init(_ bytes: UInt64, _ guardian: Guard) {
            self.bytes = bytes
            self.guardian = guardian
        }

        deinit { guardian.uncount(bytes) }
    }
}
