/// A recipe to be evaluated on a page: in a worker or here, with the pages that it follows.
struct ExtractionJob: Sendable {
    let recipe: Recipe
    let budget: Budget
    let options: ExtractionOptions
    let origin: PageOrigin

    private var work: BlockingWork { origin.loader.configuration.blockingWork }

    // MARK: - In a worker

    /// Evaluates the recipe in a worker.
    func runInWorker(_ transfer: PageTransfer) async -> Extraction {
        let request = WorkerRequest.run(
            WorkerRequest.Run(
                recipe: recipe.source,
                file: recipe.file,
                budget: budget,
                notesProvenance: options.notesProvenance,
                page: transfer.page
            )
        )
        let preparation = transfer.settings.parsing.limits.maximumTime.map { $0 + 1 } ?? .infinity
        do throws(RuleError) {
            while true {
                let process = try await start(request)
                if let extraction = try await run(in: process, preparation) { return extraction }
            }
        } catch {
            var extraction = Extraction()
            extraction.failure = error
            return extraction
        }
    }

    private func start(_ request: WorkerRequest) async throws(RuleError) -> WorkerProcess {
        let pool = origin.loader.workers
        return try await work.run { () throws(RuleError) in
            let process = try pool.take()
            try process.begin(request)
            return process
        }
    }

    /// Nil if the worker, which had waited for long, was gone.
    ///
    /// Where the caller is isolated: a command would start threads otherwise, half a millisecond of them.
    private func run(
        in process: WorkerProcess,
        _ preparation: Double,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(RuleError) -> Extraction? {
        var extraction: Extraction?
        let failure: RuleError? = await withTaskCancellationHandler {
            _ = isolation
            do throws(RuleError) {
                extraction = try await steps(process, preparation)
                return nil
            } catch {
                return error
            }
        } onCancel: {
            process.kill()
        }
        if Task.isCancelled { throw RuleError(.cancelled, "the extraction was cancelled") }
        if let failure { throw failure }
        return extraction
    }

    private func steps(_ process: WorkerProcess, _ preparation: Double) async throws(RuleError) -> Extraction?
    {
        var run = WorkerRun(process, recipe, budget, preparation: preparation)
        let pool = origin.loader.workers
        while true {
            let (next, step) = await work.run { [run] in
                var run = run
                let step = run.step()
                // Here, since waiting for a process to end may block.
                if case .over(let isReusable) = step {
                    if !isReusable || !pool.put(back: process) { _ = process.end() }
                }
                return (run, step)
            }
            run = next
            switch step {
            case .over: return run.extraction
            case .gone: return nil
            case .follow(let reference): try run.resume(await followed(reference))
            }
        }
    }

    private func followed(_ reference: String) async -> WorkerRequest {
        do throws(RuleError) {
            let (response, settings) = try await load(reference)
            do throws(ParsingError) {
                return .page(try PageTransfer(response, settings).page)
            } catch {
                throw RuleError(.failed, "\(reference): \(error.message)")
            }
        } catch {
            return .noPage(error)
        }
    }

    private func load(_ reference: String) async throws(RuleError) -> (WebResponse, PageContent.Settings) {
        guard let url = try? WebURL(reference) else {
            throw RuleError(.failed, "\(reference) is no URL")
        }
        do throws(LoadError) {
            let response = try await origin.loader.fetch(origin.request(for: url))
            return (response, origin.loader.settings(ContentOverrides()))
        } catch {
            throw RuleError(.failed, error.description)
        }
    }

    // MARK: - In this process

    /// Evaluates the recipe here.
    func runHere(_ page: Page) async -> Extraction {
        await work.run {
            do throws(RuleError) {
                let run = InProcessRun(
                    recipe: recipe,
                    budget: budget,
                    notesProvenance: options.notesProvenance,
                    host: Host(job: self)
                )
                return run.run(on: try page.rulePage)
            } catch {
                var extraction = Extraction()
                extraction.failure = error
                return extraction
            }
        }
    }

    /// Loads pages for rules that wait for them on a thread of their own.
    private struct Host: RuleHost {
        let job: ExtractionJob

        func page(at url: WebURL) throws(RuleFailure) -> RulePage {
            switch BlockingWork.waiting({ await job.loadPage(url) }) {
            case .success(let page): return page
            case .failure(let error): throw .rule(error)
            }
        }
    }

    private func loadPage(_ url: WebURL) async -> Result<RulePage, RuleError> {
        do throws(RuleError) {
            let (response, settings) = try await load(url.href)
            let page: Page
            do throws(ParsingError) {
                page = try Page(response, settings, origin: origin)
            } catch {
                throw RuleError(.failed, "\(url): \(error.message)")
            }
            return .success(try page.rulePage)
        } catch {
            return .failure(error)
        }
    }
}
