extension Page {
    /// Evaluates a recipe in this process, and says what each of its rules did; for people who write recipes.
    ///
    /// Pages are not followed.
    ///
    /// - Parameters:
    ///   - recipe: What to take of the page.
    ///   - budget: Its bounds hold as far as they do without a worker.
    /// - Returns: What came of it, and of each rule.
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
