/// The records that a worker has sent in a run, each checked before it is accepted.
///
/// A page may have compromised the worker. It then gets no more than its recipe could: a record that does not
/// fit the recipe, the budget or the order of the protocol is treated as a lie, and ends the run.
package struct WorkerTranscript {
    /// The result of checking a record, for the caller to act on.
    enum Verdict {
        /// The record is accepted; there is nothing to do.
        case accepted
        /// The budget runs from now on.
        case started
        /// A page is to be loaded; ``registerPage(_:)`` registers the one that was loaded.
        case follow(WebURL)
        /// The run is over.
        case over
        /// The result, or the log, is longer than the budget allows.
        case exceeded(BudgetExceeded.Code, used: Int)
        /// An uncompromised worker does not send this; the text describes it.
        case invalid(String)
    }

    private enum State {
        /// A page is being parsed; whether it is the first.
        case preparing(isFirst: Bool)
        /// Rules are being evaluated; whether no record has come from them yet.
        case running(isFirst: Bool)
        case over
    }

    /// A page that the worker has been given.
    private struct Page {
        let scheme: String
        let depth: Int
    }

    private(set) var extraction = Extraction()
    private(set) var members: [JSONValue.Member] = []
    /// The bytes of the result as JSON.
    private(set) var output = 2
    private(set) var followed = 0

    private let recipe: Recipe
    private let budget: Budget
    private let notesProvenance: Bool
    private let ruleNames: Set<String>
    private let deepest: Int
    private var state = State.preparing(isFirst: true)
    private var pages: [Page]
    private var sources: Set<String>
    /// The distance of the requested page from the first one, in links.
    private var nextDepth = 0
    private var logged = 0
    private var reports = 0
    /// The index of the first rule of which it may still be said what it did.
    private var untraced = 0
    private let started = MonotonicClock.now

    /// The maximum length of a URL that may be followed, in bytes; it is the same as Chromium's.
    static var maximumURLLength: Int { 2 << 20 }

    /// Creates the transcript of a run.
    ///
    /// - Parameters:
    ///   - recipe: The recipe that the worker evaluates.
    ///   - budget: The budget of the run.
    ///   - notesProvenance: Whether provenance was requested.
    ///   - notesTrace: Whether the trace of the rules was requested.
    ///   - source: The URL of the page.
    package init(
        _ recipe: Recipe,
        _ budget: Budget,
        notesProvenance: Bool,
        notesTrace: Bool = false,
        source: WebURL
    ) {
        self.recipe = recipe
        self.budget = budget
        self.notesProvenance = notesProvenance
        ruleNames = Set(recipe.rules.map(\.name))
        deepest = recipe.followingDepth
        pages = [Page(scheme: source.scheme, depth: 0)]
        sources = [source.description]
        if notesTrace { extraction.trace = RuleTrace(recipe).entries }
    }

    /// The maximum number of bytes of all records of a run: a value takes up to nine bytes for two of JSON.
    package var allowance: Int {
        let result = 16 << 20 +| budget.output.bytes *| 5 +| budget.log.bytes *| 6
        return notesProvenance || !extraction.trace.isEmpty ? result +| 64 << 20 : result
    }

    // MARK: - Records

    /// Reads a record without its length, and checks it.
    mutating func take(_ bytes: some Collection<UInt8>) -> Verdict {
        let record: WorkerRecord
        do throws(RecordReader.Malformed) {
            record = try WorkerRecord(bytes, valueLength: max(0, budget.output.bytes))
        } catch {
            if error.isTooLarge, case .running = state { return .exceeded(.output, used: bytes.count) }
            return .invalid("an unreadable record")
        }
        switch (state, record) {
        case (.over, _): return .invalid("a record after the end of the run")
        case (.preparing(let isFirst), .started):
            state = .running(isFirst: isFirst)
            return .started
        case (.preparing(isFirst: true), .refused(let error)),
            (.running(isFirst: true), .refused(let error)):
            guard isPlausible(error) else { return .invalid("an error that does not fit the recipe") }
            extraction.failure = error
            return over()
        case (.preparing, _): return .invalid("a record before the start of the page")
        case (.running, .started), (.running(isFirst: false), .refused):
            return .invalid("a second start of the same page")
        case (.running, let record):
            state = .running(isFirst: false)
            return take(record)
        }
    }

    private mutating func take(_ record: WorkerRecord) -> Verdict {
        switch record {
        case .started, .refused: return .invalid("a second start of the same page")
        case .finished(let field, let value, let provenance):
            return finish(field, value, provenance)
        case .traced(let index, let entry): return trace(index, entry)
        case .report(let error):
            reports += 1
            // Ten for each rule, one with the number of the others, and one for the run.
            guard isPlausible(error), reports <= 11 * recipe.rules.count + 1 else {
                return .invalid("an error that does not fit the recipe")
            }
            extraction.errors.append(error)
            return .accepted
        case .log(let text):
            logged +|= text.utf8.count + 1
            guard logged <= budget.log.bytes else { return .exceeded(.log, used: logged) }
            extraction.log.append(text)
            return .accepted
        case .follow(let url, from: let page): return follow(url, from: page)
        case .done(let usage):
            guard members.count == recipe.fields.count else {
                return .invalid("the end of the run before all fields")
            }
            extraction.usage = plausible(usage)
            return over()
        case .exceeded(let exceeded, let usage):
            guard exceeded.rule.map(ruleNames.contains) ?? true else {
                return .invalid("an unknown rule")
            }
            extraction.exceeded = BudgetExceeded(
                exceeded.code,
                rule: exceeded.rule,
                allowed: budget.allowed(exceeded.code),
                used: Self.plausible(exceeded.used)
            )
            extraction.usage = plausible(usage)
            return over()
        }
    }

    private mutating func over() -> Verdict {
        state = .over
        return .over
    }

    /// Accepts a field if it is the next one in the recipe's order.
    private mutating func finish(_ field: String, _ value: JSONValue, _ provenance: [Provenance]) -> Verdict {
        guard members.count < recipe.fields.count, recipe.fields[members.count].name == field else {
            return .invalid("a field out of order")
        }
        guard provenance.isEmpty || notesProvenance, provenance.allSatisfy(isPlausible) else {
            return .invalid("invalid provenance")
        }
        // With the colon, and a comma before all but the first.
        let length = JSONValue.string(field).serializedLength + value.serializedLength + 1
        output +|= length + (members.isEmpty ? 0 : 1)
        guard output <= budget.output.bytes else { return .exceeded(.output, used: output) }
        members.append(JSONValue.Member(field, value))
        extraction.provenance += provenance
        return .accepted
    }

    /// Accepts what a rule did, if that was requested; of each rule once, in their order.
    private mutating func trace(_ index: Int, _ entry: RuleTrace.Entry) -> Verdict {
        guard index >= untraced, extraction.trace.indices.contains(index) else {
            return .invalid("a trace out of order")
        }
        untraced = index + 1
        var entry = entry
        entry.rule = recipe.rules[index].name
        entry.line = recipe.rules[index].place.line
        entry.time = min(entry.time, elapsed)
        extraction.trace[index] = entry
        return .accepted
    }

    // MARK: - Following

    /// Accepts only pages that ``RecipeEvaluator`` could request: with `http`, `https` or the scheme of the
    /// page that links to them, and within the budget.
    private mutating func follow(_ reference: String, from index: Int) -> Verdict {
        guard reference.utf8.count <= Self.maximumURLLength, let url = try? WebURL(reference) else {
            // Why the URL is invalid does not matter.
            return .invalid("a request for an invalid URL")
        }
        guard pages.indices.contains(index) else { return .invalid("a request from an unknown page") }
        let page = pages[index]
        guard ["http", "https", page.scheme].contains(url.scheme) else {
            return .invalid("a request from a \(page.scheme) page for a \(url.scheme) page")
        }
        guard followed < budget.pages, page.depth < min(budget.depth, deepest) else {
            return .invalid("a request for more pages than allowed")
        }
        followed += 1
        nextDepth = page.depth + 1
        state = .preparing(isFirst: false)
        return .follow(url)
    }

    /// Registers the page that is passed to the worker, as requested.
    mutating func registerPage(_ source: WebURL) {
        pages.append(Page(scheme: source.scheme, depth: nextDepth))
        sources.insert(source.description)
    }

    // MARK: - Plausibility

    private func isPlausible(_ error: RuleError) -> Bool {
        // Only the requesting process sets the other codes, not the worker.
        guard [.invalid, .failed, .drift].contains(error.code) else { return false }
        guard error.message.utf8.count <= RuleError.maximumMessageLength else { return false }
        guard error.file == nil || error.file == recipe.file else { return false }
        guard error.rule.map(ruleNames.contains) ?? true else { return false }
        return [error.line, error.column].allSatisfy { $0.map { 1...Int(Int32.max) ~= $0 } ?? true }
    }

    private func isPlausible(_ origin: Provenance) -> Bool {
        guard ruleNames.contains(origin.rule), sources.contains(origin.source) else { return false }
        guard let position = origin.position else { return true }
        return [position.line, position.column].allSatisfy { $0.map { 1...Int(Int32.max) ~= $0 } ?? true }
    }

    /// A number that can be written as JSON, and calculated with.
    private static func plausible(_ number: Int) -> Int { min(max(0, number), 1 << 53) }

    private func plausible(_ usage: RuleUsage) -> RuleUsage {
        var usage = usage
        usage.time = min(usage.time, elapsed)
        usage.memory = usage.memory.map { min($0, budget.memory) }
        usage.output = .bytes(Self.plausible(usage.output.bytes))
        usage.pages = followed
        return usage
    }

    /// The time since the worker got the request; its budget cannot have run longer.
    var elapsed: Duration {
        Duration(boundedSeconds: MonotonicClock.now - started)
    }
}

extension Budget {
    /// The value of a limit, as in ``BudgetExceeded/allowed``.
    func allowed(_ limit: BudgetExceeded.Code) -> Int {
        switch limit {
        case .time: time.wholeMilliseconds
        case .memory: memory.bytes
        case .output: output.bytes
        case .log: log.bytes
        case .pages: pages
        case .depth: depth
        default: 0
        }
    }
}
