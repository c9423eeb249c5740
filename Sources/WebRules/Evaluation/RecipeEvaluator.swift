/// Evaluates a recipe on a page, field by field, and passes each field to the sink as soon as it is finished.
///
/// It enforces the limits of output, log, pages and depth; time and memory have to be limited by the process
/// around it.
struct RecipeEvaluator<Sink: RuleSink> {
    let recipe: Recipe
    let budget: Budget
    let engine: (any ScriptEngine)?
    let host: (any RuleHost)?
    let sink: Sink

    let patterns = RecipePatterns()
    let log: RuleLog
    /// The length of the result so far as JSON, in bytes, including fields that are still being evaluated.
    var output = 1
    /// How many pages have been followed.
    var followed = 0
    /// The rule that is being evaluated.
    var rule = 0
    /// How often each rule has failed or drifted.
    var reports: [Int: Int] = [:]
    /// Records where values come from; nil if provenance was not requested.
    var origins: ProvenanceNotes?
    /// Records what rules do; nil if no trace was requested.
    var trace: RuleTrace?
    private let started = MonotonicClock.now

    /// Creates an evaluator for a recipe.
    ///
    /// - Parameters:
    ///   - recipe: The recipe to evaluate.
    ///   - budget: The budget, whose limits of output, log, pages and depth are enforced here.
    ///   - engine: The engine that runs scripts; nil if there is none.
    ///   - host: Loads the pages that are followed; nil if no page may be followed.
    ///   - notesProvenance: Whether to record where each value comes from.
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
    /// - Throws: ``BudgetExceeded``; the sink has received the fields that were finished before.
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

    /// The value of a field; if the field fails, the error is reported and the value is null.
    mutating func value(
        of field: RecipeField,
        in scope: RuleScope,
        at path: String
    ) throws(RuleFailure) -> JSONValue {
        do throws(RuleFailure) {
            try begin(field)
            let value = try transformedValue(of: field, in: scope, at: path)
            // The assertions of an alternative are checked where it is chosen, in `alternative`.
            try begin(field)
            if let failure = try assertionFailure(of: value, against: field.assertions) {
                report(RuleError(.drift, failure), ofRule: field.rule)
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

    /// The value of a field after its transforms, before its assertions are checked.
    private mutating func transformedValue(
        of field: RecipeField,
        in scope: RuleScope,
        at path: String
    ) throws(RuleFailure) -> JSONValue {
        let mark = trace?.begin(field.rule)
        defer { if let mark { trace?.end(field.rule, mark) } }
        var (value, nodes) = try rawValue(of: field, in: scope, at: path)
        try begin(field)
        trace?.recordTaken(value, by: field.rule)
        for transform in field.transforms {
            value = try apply(transform, to: value, in: scope)
            trace?.recordTransformed(value, by: transform, of: field.rule)
        }
        note(nodes, of: field, value, in: scope, at: path)
        return value
    }

    private mutating func begin(_ field: RecipeField) throws(RuleFailure) {
        rule = field.rule
        do throws(RuleFailure) {
            try sink.begin(rule: field.rule)
        } catch .budget(let exceeded) where exceeded.rule == nil {
            throw self.exceeded(exceeded.code, allowed: exceeded.allowed, used: exceeded.used)
        }
    }

    /// The value of a field before its transforms, and the nodes that it was taken from.
    private mutating func rawValue(
        of field: RecipeField,
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

    /// The value of the first alternative that has a value and meets its assertions.
    private mutating func alternative(
        _ alternatives: [RecipeField],
        in scope: RuleScope,
        at path: String
    ) throws(RuleFailure) -> JSONValue {
        var failure: RuleError?
        for field in alternatives {
            do throws(RuleFailure) {
                try begin(field)
                let value = try transformedValue(of: field, in: scope, at: path)
                if value.isNothing {
                    guard field.fallback == .null else { return field.fallback }
                } else if try assertionFailure(of: value, against: field.assertions) == nil {
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
        guard let engine else { throw .rule(RuleError(.failed, "scripts cannot be run here")) }
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

    /// The failure that ends the run because a limit was exceeded.
    func exceeded(_ limit: BudgetExceeded.Code, allowed: Int, used: Int) -> RuleFailure {
        .budget(BudgetExceeded(limit, rule: recipe.rules[rule].name, allowed: allowed, used: used))
    }

    /// The failure that ends the run because an engine took too many steps; it counts as exceeding the time
    /// limit.
    func exceededSteps() -> RuleFailure {
        exceeded(
            .time,
            allowed: budget.time.wholeMilliseconds,
            used: Int(bounded: (MonotonicClock.now - started) * 1000)
        )
    }

    /// Adds a field's exact length in JSON to `output`; fields inside objects were added when they were
    /// evaluated.
    private mutating func charge(_ field: RecipeField, _ value: JSONValue) throws(RuleFailure) {
        // The quotes, the colon and a comma. An object has one comma fewer than fields, but two brackets: the
        // one byte that is left is added with the object.
        var count = JSONValue.string(field.name).serializedLength + 2
        switch (field.value, value) {
        case (.each, .array(let items)), (.follow, .array(let items)):
            count += max(2, items.count + 1) + items.count
        case (.follow, .object): count += 1
        default: count += value.serializedLength
        }
        output += count
        // An unfinished result takes memory, so it may grow up to the memory limit even if the output limit
        // is lower; the output limit is checked when a top-level field is finished.
        guard output <= max(budget.output.bytes, budget.memory.bytes) else {
            throw exceeded(.memory, allowed: budget.memory.bytes, used: output)
        }
    }

    /// Checks that a text that is being built does not exceed the memory limit.
    func checkSize(_ bytes: Int) throws(RuleFailure) {
        guard bytes <= budget.memory.bytes else {
            throw exceeded(.memory, allowed: budget.memory.bytes, used: bytes)
        }
    }

    // MARK: - Reports

    /// How many errors of a rule are reported one by one; an `each` could cause thousands.
    private static var maximumReports: Int { 10 }

    mutating func report(_ error: RuleError, ofRule index: Int) {
        let count = reports[index, default: 0] + 1
        reports[index] = count
        guard count <= Self.maximumReports else { return }
        sink.report(error.located(recipe.rules[index]))
    }

    /// Reports how often a rule failed beyond the errors that were reported one by one.
    private func reportRepetitions() {
        for (index, rule) in recipe.rules.enumerated() {
            guard let count = reports[index], count > Self.maximumReports else { continue }
            let more = RuleError(.failed, "the same error \(count - Self.maximumReports) more times")
            sink.report(more.located(rule))
        }
    }
}

/// The node and the page on which rules are evaluated.
struct RuleScope {
    /// The current node: the document, or an element inside an `each`.
    let node: Node
    let page: RulePage
    /// How many links away from the first page the page is.
    let depth: Int
}

/// Counts the bytes that scripts log, and enforces their limit.
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
