extension ParsedPage {
    /// Evaluates a recipe in this process, and reports what each of its rules did, to help authors of
    /// recipes.
    ///
    /// Pages are not followed.
    ///
    /// - Parameters:
    ///   - recipe: The recipe to evaluate.
    ///   - budget: The limits, which apply as far as possible without a worker.
    /// - Returns: The extraction, and a trace of each rule.
    /// - Throws: ``RuleError`` if the page has no tree.
    package func explain(
        _ recipe: Recipe,
        budget: Budget
    ) throws(RuleError) -> (extraction: Extraction, rules: [RuleTrace.Entry]) {
        let trace = RuleTrace(recipe)
        var run = InProcessRun(recipe: recipe, budget: budget, notesProvenance: false, host: nil)
        run.trace = trace
        let extraction = run.run(on: try rulePage)
        return (extraction, trace.entries)
    }
}
