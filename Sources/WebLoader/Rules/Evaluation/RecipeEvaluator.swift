/// Evaluates a recipe on a page, field after field, and hands each field on as soon as it is finished.
///
/// It counts what it writes and what it follows; time and memory are for the process around it to bound.
struct RecipeEvaluator<Sink: RuleSink> {
    let recipe: Recipe
    let budget: Budget
    let engine: (any ScriptEngine)?
    let host: (any RuleHost)?
    let sink: Sink

    let patterns = RecipePatterns()
    let log: RuleLog
    /// The bytes of the result so far, as JSON; fields that are being made among them.
    var output = 1
    /// How many pages have been followed.
    var followed = 0
    /// The rule that is being evaluated.
    var rule = 0
    /// How often each rule has failed or drifted.
    var reports: [Int: Int] = [:]
    /// Where values come from; nil if nobody wants to know.
    var origins: ProvenanceNotes?
    /// What rules do; nil if nobody wants to know.
    var trace: RuleTrace?
    private let started = MonotonicClock.now

    /// Takes up a recipe.
    ///
    /// - Parameters:
    ///   - recipe: What to take of pages.
    ///   - budget: Its bounds of output, log, pages and depth hold here.
    ///   - engine: What runs scripts; nil if there is nothing to run them.
    ///   - host: What gets pages that are followed; nil if none may be.
    ///   - notesProvenance: Whether to note where each value comes from.
    ///   - sink: Where results go.
    init(
        _ recipe: Recipe,
        budget: Budget,
        engine: (any ScriptEngine)?,
        host: (any RuleHost)?,
        notesProvenance: Bool = false,
        sink: Sink
    ) {
        self.recipe = recipe
        self.budget = budget
        self.engine = engine
        self.host = host
        self.sink = sink
        log = RuleLog(budget)
        if notesProvenance { origins = ProvenanceNotes() }
    }

    /// Compiles all patterns and scripts of the recipe.
    ///
    /// - Throws: ``RuleError`` with ``RuleError/Code/invalid`` for the first that does not compile.
    func check() throws(RuleError) {
        try check(recipe.fields)
    }

    /// Evaluates the recipe on a page.
    ///
    /// - Parameter page: The page.
    /// - Throws: ``BudgetExceeded``; what was finished before is with the sink.
    mutating func run(on page: RulePage) throws(BudgetExceeded) {
        let scope = RuleScope(node: page.document.documentNode, page: page, depth: 0)
        do throws(RuleFailure) {
            for field in recipe.fields {
                let value = try self.value(of: field, in: scope, at: field.name)
                guard output <= budget.output.bytes else {
                    throw exceeded(.output, allowed: budget.output.bytes, used: output)
                }
                try sink.finish(field: field.name, value: value, provenance: origins?.take() ?? [])
            }
        } catch {
            reportRepetitions()
            switch error {
            case .budget(let exceeded): throw exceeded
            case .rule(let error): sink.report(error)
            }
            return
        }
        reportRepetitions()
    }

    // MARK: - Fields

    /// The value of a field; null, and a report, if it fails.
    mutating func value(
        of field: RecipeField,
        in scope: RuleScope,
        at path: String
    ) throws(RuleFailure) -> JSONValue {
        do throws(RuleFailure) {
            try begin(field)
            let value = try made(by: field, in: scope, at: path)
            // Of an alternative, this is looked at where it is chosen.
            try begin(field)
            if let breach = try breach(of: field.assertions, by: value) {
                report(RuleError(.drift, breach), ofRule: field.rule)
            }
            let result = value.isNothing && field.fallback != .null ? field.fallback : value
            try charge(field, result)
            return result
        } catch .rule(let error) {
            report(error, ofRule: field.rule)
            try charge(field, .null)
            return .null
        }
    }

    /// What a field makes of what it takes, whether or not it holds what is asserted.
    private mutating func made(
        by field: RecipeField,
        in scope: RuleScope,
        at path: String
    ) throws(RuleFailure) -> JSONValue {
        let mark = trace?.begin(field.rule)
        defer { if let mark { trace?.end(field.rule, mark) } }
        var (value, nodes) = try taken(by: field, in: scope, at: path)
        try begin(field)
        trace?.took(value, by: field.rule)
        for transform in field.transforms {
            value = try apply(transform, to: value, in: scope)
            trace?.made(value, by: transform, of: field.rule)
        }
        note(nodes, of: field, value, in: scope, at: path)
        return value
    }

    private mutating func begin(_ field: RecipeField) throws(RuleFailure) {
        rule = field.rule
        do throws(RuleFailure) {
            try sink.begin(rule: field.rule)
        } catch .budget(let exceeded) where exceeded.rule == nil {
            throw self.exceeded(exceeded.limit, allowed: exceeded.allowed, used: exceeded.used)
        }
    }

    /// What a field takes, and the nodes that it takes it of.
    private mutating func taken(
        by field: RecipeField,
        in scope: RuleScope,
        at path: String
    ) throws(RuleFailure) -> (JSONValue, [XPathNode]) {
        switch field.value {
        case .constant(let value): return (value, [])
        case .selection(let selection): return try select(selection, in: scope)
        case .each(let query, let fields): return (try objects(fields, query, in: scope, at: path), [])
        case .alternatives(let alternatives):
            return (try alternative(alternatives, in: scope, at: path), [])
        case .script(let script, let query, let isList):
            return try run(script, query, isList: isList, in: scope)
        case .follow(let selection, let follow):
            return (try self.follow(selection, follow, in: scope, at: path), [])
        }
    }

    private mutating func objects(
        _ fields: [RecipeField],
        _ query: RecipeQuery,
        in scope: RuleScope,
        at path: String
    ) throws(RuleFailure) -> JSONValue {
        var objects: [JSONValue] = []
        for (index, node) in try elements(query, in: scope).enumerated() {
            let place = origins == nil ? "" : "\(path)[\(index)]"
            objects.append(
                try object(fields, in: RuleScope(node: node, page: scope.page, depth: scope.depth), at: place)
            )
        }
        return .array(objects)
    }

    mutating func object(
        _ fields: [RecipeField],
        in scope: RuleScope,
        at path: String
    ) throws(RuleFailure) -> JSONValue {
        var members: [JSONValue.Member] = []
        members.reserveCapacity(fields.count)
        for field in fields {
            let place = origins == nil ? "" : "\(path).\(field.name)"
            members.append(JSONValue.Member(field.name, try value(of: field, in: scope, at: place)))
        }
        return .object(members)
    }

    /// The first alternative that has a value, and one that holds what is asserted of it.
    private mutating func alternative(
        _ alternatives: [RecipeField],
        in scope: RuleScope,
        at path: String
    ) throws(RuleFailure) -> JSONValue {
        var failure: RuleError?
        for field in alternatives {
            do throws(RuleFailure) {
                try begin(field)
                let value = try made(by: field, in: scope, at: path)
                if value.isNothing {
                    guard field.fallback == .null else { return field.fallback }
                } else if try breach(of: field.assertions, by: value) == nil {
                    return value
                }
            } catch .rule(let error) {
                failure = error
            }
            origins?.forget(path)
        }
        if let failure { throw .rule(failure) }
        return .null
    }

    private mutating func run(
        _ script: String,
        _ query: RecipeQuery,
        isList: Bool,
        in scope: RuleScope
    ) throws(RuleFailure) -> (JSONValue, [XPathNode]) {
        guard let engine else { throw .rule(RuleError(.failed, "there is nothing here that runs scripts")) }
        let context = ScriptContext(baseURL: scope.page.baseURL) { [log, sink] (text) throws(RuleFailure) in
            try log.add(text)
            sink.log(text)
        }
        let name = recipe.rules[rule].name
        var nodes: [Node]
        if case .current = query { nodes = [scope.node] } else { nodes = try elements(query, in: scope) }
        if !isList { nodes = Array(nodes.prefix(1)) }
        log.rule = name
        var values: [JSONValue] = []
        for node in nodes { values.append(try engine.run(script, name: name, on: node, context: context)) }
        let origins = origins == nil ? [] : nodes.map { XPathNode.node($0) }
        return (isList ? .array(values) : values.first ?? .null, origins)
    }

    // MARK: - Bounds

    /// Ends the run, since a limit was met.
    func exceeded(_ limit: BudgetExceeded.Limit, allowed: Int, used: Int) -> RuleFailure {
        .budget(BudgetExceeded(limit, rule: recipe.rules[rule].name, allowed: allowed, used: used))
    }

    /// Ends the run, since an engine gave up; how long it would have taken nobody knows.
    func exceededSteps() -> RuleFailure {
        exceeded(
            .time,
            allowed: budget.time.wholeMilliseconds,
            used: Int(bounded: (MonotonicClock.now - started) * 1000)
        )
    }

    /// Counts a field's place in the result, to the byte; what is inside objects has been counted where it was made.
    private mutating func charge(_ field: RecipeField, _ value: JSONValue) throws(RuleFailure) {
        // The quotes, the colon and a comma, of which each object has one too many and a bracket uncounted.
        var count = JSONValue.string(field.name).serializedLength + 2
        switch (field.value, value) {
        case (.each, .array(let items)), (.follow, .array(let items)):
            count += max(2, items.count + 1) + items.count
        case (.follow, .object): count += 1
        default: count += value.serializedLength
        }
        output += count
        // A result in the making is memory: lists inside lists end by that, and what is finished by its own bound.
        guard output <= max(budget.output.bytes, budget.memory.bytes) else {
            throw exceeded(.memory, allowed: budget.memory.bytes, used: output)
        }
    }

    /// Looks whether a text that is being made would take more memory than all there is.
    func checkSize(_ bytes: Int) throws(RuleFailure) {
        guard bytes <= budget.memory.bytes else {
            throw exceeded(.memory, allowed: budget.memory.bytes, used: bytes)
        }
    }

    // MARK: - Reports

    /// How many reports of a rule are made one by one; an `each` could make thousands.
    private static var maximumReports: Int { 10 }

    mutating func report(_ error: RuleError, ofRule index: Int) {
        let count = reports[index, default: 0] + 1
        reports[index] = count
        guard count <= Self.maximumReports else { return }
        sink.report(error.located(recipe.rules[index]))
    }

    /// Says of what there was more than was reported.
    private func reportRepetitions() {
        for (index, rule) in recipe.rules.enumerated() {
            guard let count = reports[index], count > Self.maximumReports else { continue }
            let more = RuleError(.failed, "the same \(count - Self.maximumReports) times more")
            sink.report(more.located(rule))
        }
    }
}

/// Where rules are evaluated.
struct RuleScope {
    /// The node in hand: the document, or an element inside an `each`.
    let node: Node
    let page: RulePage
    /// How many links away from the first page.
    let depth: Int
}

/// Counts what scripts log.
final class RuleLog {
    private let allowed: Int
    private var used = 0
    /// The rule whose script runs.
    var rule: String?

    init(_ budget: Budget) {
        allowed = budget.log.bytes
    }

    func add(_ text: String) throws(RuleFailure) {
        used += text.utf8.count + 1
        guard used <= allowed else {
            throw .budget(BudgetExceeded(.log, rule: rule, allowed: allowed, used: used))
        }
    }
}
