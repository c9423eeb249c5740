import Testing

@testable import WebRules

/// Runs recipes in the tests' process, and records their results.
final class RecipeRun: RuleSink {
    private(set) var members: [JSONValue.Member] = []
    private(set) var errors: [RuleError] = []
    private(set) var provenance: [Provenance] = []
    private(set) var logged: [String] = []
    private(set) var begun = 0
    private(set) var exceeded: BudgetExceeded?

    func begin(rule index: Int) { begun += 1 }

    func finish(field: String, value: JSONValue, provenance: [Provenance]) {
        members.append(JSONValue.Member(field, value))
        self.provenance += provenance
    }

    func report(_ error: RuleError) { errors.append(error) }

    func log(_ text: String) { logged.append(text) }

    /// The finished fields, as JSON.
    var data: String {
        String(decoding: JSONValue.object(members).serialized(sortingNames: false), as: UTF8.self)
    }

    /// Runs a recipe on a page of HTML at `http://h.test/d/page`.
    static func run(
        _ recipe: String,
        on markup: String = "",
        type: String = "text/html; charset=utf-8",
        budget: Budget = Budget(),
        engine: (any ScriptEngine)? = nil,
        host: (any RuleHost)? = nil,
        notesProvenance: Bool = false
    ) throws -> RecipeRun {
        let run = RecipeRun()
        var evaluator = RecipeEvaluator(
            try Recipe(recipe),
            budget: budget,
            engine: engine,
            host: host,
            notesProvenance: notesProvenance,
            sink: run
        )
        do throws(RuleError) {
            try evaluator.check()
        } catch {
            run.errors.append(error)
            return run
        }
        let page = try rulePage(markup, type: type)
        do throws(BudgetExceeded) {
            try evaluator.run(on: page)
        } catch {
            run.exceeded = error
        }
        return run
    }

    static func rulePage(
        _ markup: String,
        type: String = "text/html; charset=utf-8",
        url: String = "http://h.test/d/page"
    ) throws -> RulePage {
        let page = try InspectionPages.page(markup, type: type)
        let url = try WebURL(url)
        return RulePage(document: try #require(page.document), baseURL: url, source: url)
    }

    /// Runs fields, written as JSON, on a page of HTML.
    static func fields(
        _ fields: String,
        on markup: String = "",
        notesProvenance: Bool = false
    ) throws -> RecipeRun {
        try run(#"{"version":1,"fields":\#(fields)}"#, on: markup, notesProvenance: notesProvenance)
    }
}
