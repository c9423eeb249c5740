extension Page {
    /// Evaluates a recipe on the page, within a budget.
    ///
    ///     let extraction = try await page.extract(recipe)
    ///     if let exceeded = extraction.exceeded { print("stopped early:", exceeded) }
    ///
    /// By default it runs in a worker process, which parses the page again, can reach neither files nor
    /// network, and is terminated when the budget is used up. The values finished by then are in the
    /// extraction. Cancelling the task also terminates the worker.
    ///
    /// - Parameters:
    ///   - recipe: The recipe to evaluate.
    ///   - budget: How much time and memory it may take.
    ///   - options: Where it is evaluated, and whether provenance is recorded.
    /// - Returns: The values, errors of single rules, and the resources used.
    /// - Throws: ``/WebRules/RuleError`` with ``/WebRules/RuleError/Code/invalid`` for a pattern or script that does
    ///   not compile, with ``/WebRules/RuleError/Code/unavailable`` if there is no worker, with
    ///   ``/WebRules/RuleError/Code/cancelled`` if the task is cancelled.
    public func extract(
        _ recipe: Recipe,
        budget: Budget = Budget(),
        options: ExtractionOptions = ExtractionOptions()
    ) async throws(RuleError) -> Extraction {
        let job = ExtractionJob(
            recipe: recipe,
            budget: budget,
            options: options,
            origin: origin,
            end: ExtractionEnd(in: origin.loader.configuration.limits.maximumSeconds)
        )
        let extraction = try await job.observed(response.url) { () async throws(RuleError) in
            switch options.isolation {
            case .worker: await job.runInWorker(try transfer)
            case .none: await job.runHere(try await parsedForRules())
            }
        }
        if let failure = extraction.failure,
            [.invalid, .unavailable, .cancelled].contains(failure.code)
        {
            throw failure
        }
        return extraction
    }

    /// Runs a script on the page and returns its result, like UIWebView's
    /// `stringByEvaluatingJavaScript(from:)`; the script is in Lua, and `document` is the page.
    ///
    ///     let count = try await page.evaluateScript("return #document:select('p')")
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - budget: How much time and memory it may take.
    ///   - options: Where it runs.
    /// - Returns: The script's return value; null if there is none.
    /// - Throws: ``/WebRules/RuleError`` if the script does not compile or fails, ``/WebRules/BudgetExceeded`` if it
    ///   uses up its budget.
    public func evaluateScript(
        _ script: String,
        budget: Budget = Budget(),
        options: ExtractionOptions = ExtractionOptions()
    ) async throws -> JSONValue {
        let field = JSONValue.object([.init("script", .string(script))])
        let text = JSONValue.object([.init("version", 1), .init("fields", .object([.init("value", field)]))])
        let recipe = try Recipe(parsing: text.serialized(), file: nil)
        let extraction = try await extract(recipe, budget: budget, options: options)
        if let exceeded = extraction.exceeded { throw exceeded }
        if let error = extraction.failure ?? extraction.errors.first { throw error }
        return extraction.data["value"] ?? .null
    }

    /// The page for a worker, which parses it again.
    private var transfer: PageTransfer {
        get throws(RuleError) {
            do throws(ParsingError) {
                return try PageTransfer(response, facts.settings)
            } catch {
                throw RuleError(.failed, error.message)
            }
        }
    }

    /// The page for rules in this process.
    private func parsedForRules() async throws(RuleError) -> ParsedPage {
        do throws(ParsingError) {
            return try await parsed()
        } catch {
            throw RuleError(.failed, "\(response.url): \(error.message)")
        }
    }
}
