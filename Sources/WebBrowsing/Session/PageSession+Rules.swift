public import WebLoader

/// Evaluating rules on the page in view.
extension PageSession {
    /// Evaluates a recipe on the page in view, as `Page.extract(_:budget:options:)` does.
    ///
    /// If its process ends because it used up its budget or died, that is an event as well.
    ///
    /// - Parameters:
    ///   - recipe: The recipe.
    ///   - budget: The limits of time and memory.
    ///   - options: Where it is evaluated.
    /// - Returns: The values; nil if there is no page.
    /// - Throws: `RuleError`, `LoadError` as ``page``.
    public func extract(
        _ recipe: Recipe,
        budget: Budget = Budget(),
        options: ExtractionOptions = ExtractionOptions()
    ) async throws -> Extraction? {
        guard let page = try await page else { return nil }
        let extraction = try await page.extract(recipe, budget: budget, options: options)
        var end: WorkerTermination?
        if let exceeded = extraction.exceeded {
            end = WorkerTermination(code: exceeded.code.rawValue, message: exceeded.message)
        } else if let failure = extraction.failure, failure.code.rawValue == "worker.crash" {
            end = WorkerTermination(code: failure.code.rawValue, message: failure.message)
        }
        if let end {
            send(.workerEnded(end))
            await configuration.delegate?.didEndWorker(end)
        }
        return extraction
    }
}
