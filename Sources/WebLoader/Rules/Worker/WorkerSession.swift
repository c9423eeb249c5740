/// The worker's side: takes requests, evaluates, and says what comes of it as it goes.
///
/// It trusts its requests, which come from the process that started it, and nothing in the pages.
struct WorkerSession<Guard: WorkerGuard> {
    /// Makes a page of what the layer above has written.
    typealias Parse = (WorkerRequest.Page) -> Result<RulePage, RuleError>

    let guardian: Guard
    let parse: Parse

    /// Serves until nobody asks any more.
    func serve() {
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
            // A recipe may take longer to read than its budget is long.
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
        var evaluator = RecipeEvaluator(
            recipe,
            budget: run.budget,
            engine: engine,
            host: WorkerRuleHost(guardian: guardian, parse: parse),
            notesProvenance: run.notesProvenance,
            sink: WorkerSink(guardian)
        )
        try evaluator.check()
        let ending: WorkerRecord
        do throws(BudgetExceeded) {
            try evaluator.run(on: page)
            ending = .done(usage(evaluator))
        } catch {
            ending = .exceeded(error, usage(evaluator))
        }
        // Once it is said, the worker is somebody else's, whom this run's time must not end.
        guardian.end()
        send(ending)
    }

    /// A state in which no other page's scripts have left anything.
    private func engine(_ budget: Budget) throws(RuleError) -> LuaEngine {
        let accounting = unsafe LuaEngine.Accounting(
            headroom: guardian.headroom,
            busy: guardian.busy,
            setReclaim: { unsafe guardian.setReclaim($0, $1) }
        )
        guard let engine = LuaEngine(budget: budget, accounting: accounting) else {
            throw RuleError(.failed, "there is no memory for the script engine")
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

/// Sends results on as they are finished.
final class WorkerSink<Guard: WorkerGuard>: RuleSink {
    private let guardian: Guard

    init(_ guardian: Guard) {
        self.guardian = guardian
    }

    func begin(rule index: Int) { guardian.begin(rule: index) }

    func finish(field: String, value: JSONValue, provenance: [Provenance]) {
        send(.finished(field: field, value: value, provenance: provenance))
    }

    func report(_ error: RuleError) { send(.report(error)) }

    func log(_ text: String) { send(.log(text)) }

    private func send(_ record: WorkerRecord) { guardian.write(record.framed) }
}

/// Has pages loaded by the process that asked; that time, and their parse, are outside the budget.
final class WorkerRuleHost<Guard: WorkerGuard>: RuleHost {
    private let guardian: Guard
    private let parse: WorkerSession<Guard>.Parse
    /// How many pages have come, the first among them.
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
            page.document.surroundings.attachment = Uncounted(uncounted, guardian)
            return page
        }
    }

    private func answer() -> Result<RulePage, RuleError> {
        let request = unsafe guardian.withNextRequest { bytes in
            Result { () throws(RecordReader.Malformed) in try unsafe WorkerRequest(bytes) }
        }
        guard case .success(let request) = request else {
            return .failure(RuleError(.failed, "the page did not come"))
        }
        switch request {
        case .page(let page):
            // One that cannot be parsed has come, too.
            pages += 1
            return parse(page)
        case .noPage(let error): return .failure(error)
        case .run: return .failure(RuleError(.failed, "another page came"))
        }
    }

    /// Memory that does not count, until its document goes.
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
