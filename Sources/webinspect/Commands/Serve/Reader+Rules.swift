import WebLoader

extension Reader {
    /// Evaluates a recipe on a page in a worker, and reports ten times a second how much of its budget is
    /// used.
    ///
    /// An invalid recipe and a run that was ended are answers, too: "error" has the reason, "data" the
    /// results finished before. "lines" has the line of each rule in the recipe.
    func run(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let recipe = try Self.recipe(request)
        let lines = Self.lines(recipe)
        var options = ExtractionOptions()
        options.notesProvenance = true
        options.progress = { usage, rule in
            self.send([
                "time_ms": .number(JSONValue.milliseconds(usage.time)),
                "memory_bytes": JSONValue(usage.memory?.bytes),
                "rule": JSONValue(rule), "line": JSONValue(rule.flatMap { lines[$0] }),
            ])
        }
        let extraction = try await extraction(recipe, request, options)
        let report = ExtractionReport(extraction: extraction, notesProvenance: true)
        let places = lines.map { JSONValue.Member($0.key, JSONValue($0.value)) }
        return .json(.object(report.members + [.init("lines", .object(places))]))
    }

    /// Returns the effect of each rule of a recipe on a page, also evaluated in a worker; long values are
    /// cut.
    func explain(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        var options = ExtractionOptions()
        options.notesTrace = true
        let extraction = try await extraction(try Self.recipe(request), request, options)
        var members: [JSONValue.Member] = [
            .init("rules", ExplanationReport(rules: extraction.trace).json),
            .init("errors", .array(extraction.errors.map(ExtractionReport.error))),
        ]
        let report = ExtractionReport(extraction: extraction, notesProvenance: false)
        if let error = report.error { members.append(.init("error", error)) }
        return .json(.object(members))
    }

    /// Returns the errors in a recipe, its selectors, patterns and scripts; none of them is run.
    func checkRecipe(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let recipe = try Self.recipe(request)
        do throws(RuleError) {
            try recipe.get().check()
            return .json(["errors": []])
        } catch {
            return .json(["errors": [ExtractionReport.error(error)]])
        }
    }

    private static func recipe(_ request: ReaderRequest) throws(Failure) -> Result<Recipe, RuleError> {
        let text = try request.string("recipe")
        return Result { () throws(RuleError) in try Recipe(text) }
    }

    /// The line of each rule, by its name.
    private static func lines(_ recipe: Result<Recipe, RuleError>) -> [String: Int] {
        guard case .success(let recipe) = recipe else { return [:] }
        return Dictionary(zip(recipe.ruleNames, recipe.ruleLines)) { first, _ in first }
    }

    /// Evaluates a recipe on the page of a request, within its budget.
    private func extraction(
        _ recipe: Result<Recipe, RuleError>,
        _ request: ReaderRequest,
        _ options: ExtractionOptions
    ) async throws(Failure) -> Extraction {
        let budget = Budget(
            time: .milliseconds(request.integer("time_ms", default: 5000, in: 1...60_000)),
            memory: .bytes(request.integer("memory_bytes", default: 10 << 20, in: 64 << 10...1 << 30))
        )
        let page = try await page(request).page
        do throws(RuleError) {
            return try await page.extract(try recipe.get(), budget: budget, options: options)
        } catch {
            var extraction = Extraction()
            extraction.failure = error
            return extraction
        }
    }
}
