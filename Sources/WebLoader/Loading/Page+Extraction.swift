extension Page {
    /// Evaluates a recipe on the page, within a budget.
    ///
    ///     let extraction = try await page.extract(recipe)
    ///     if let exceeded = extraction.exceeded { print("stopped early:", exceeded) }
    ///
    /// A worker process does it unless the options say otherwise: it parses the page anew, can reach neither files nor
    /// network, and is ended when the budget is used up. What was finished by then is in the extraction. Cancelling the
    /// task ends the worker too.
    ///
    /// - Parameters:
    ///   - recipe: What to take of the page.
    ///   - budget: How much time and memory it may take.
    ///   - options: Where it is evaluated, and what is noted.
    /// - Returns: The values, errors of single rules, and what was used.
    /// - Throws: ``RuleError`` with ``RuleError/Code/invalid`` for a pattern or script that does not compile, with
    ///   ``RuleError/Code/unavailable`` if there is no worker, ``RuleError/Code/cancelled`` if the task is.
    public func extract(
        _ recipe: Recipe,
        budget: Budget = Budget(),
        options: ExtractionOptions = ExtractionOptions()
    ) async throws(RuleError) -> Extraction {
        guard let origin else { throw RuleError(.unavailable, "the page was made without a loader") }
        let job = ExtractionJob(
            recipe: recipe,
            budget: budget,
            options: options,
            origin: origin,
            end: ExtractionEnd(in: origin.loader.configuration.limits.maximumTime)
        )
        let extraction: Extraction
        switch options.isolation {
        case .worker: extraction = await job.runInWorker(try transfer)
        case .none: extraction = await job.runHere(self)
        }
        if let failure = extraction.failure {
            switch failure.code {
            case .invalid, .unavailable, .cancelled: throw failure
            case .failed, .drift, .crash: break
            }
        }
        return extraction
    }

    /// Runs a script on the page and returns what it returns, as UIWebView's `stringByEvaluatingJavaScript(from:)`; the
    /// script is in Lua, and `document` is the page.
    ///
    ///     let count = try await page.evaluateScript("return #document:select('p')")
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - budget: How much time and memory it may take.
    ///   - options: Where it runs.
    /// - Returns: What it returned; null for nothing.
    /// - Throws: ``RuleFailure``: it does not compile, failed, or used up its budget.
    public func evaluateScript(
        _ script: String,
        budget: Budget = Budget(),
        options: ExtractionOptions = ExtractionOptions()
    ) async throws(RuleFailure) -> JSONValue {
        let field = JSONValue.object([.init("script", .string(script))])
        let text = JSONValue.object([.init("version", 1), .init("fields", .object([.init("value", field)]))])
        let extraction: Extraction
        do throws(RuleError) {
            extraction = try await extract(
                try Recipe(parsing: text.serialized(), file: nil),
                budget: budget,
                options: options
            )
        } catch {
            throw .rule(error)
        }
        if let exceeded = extraction.exceeded { throw .budget(exceeded) }
        if let error = extraction.failure ?? extraction.errors.first { throw .rule(error) }
        return extraction.data["value"] ?? .null
    }

    /// The page for a worker, which parses it anew.
    private var transfer: PageTransfer {
        get throws(RuleError) {
            do throws(ParsingError) {
                return try PageTransfer(response, settings)
            } catch {
                throw RuleError(.failed, error.message)
            }
        }
    }
}
