/// The evaluation of a recipe on a page, in a worker or in this process, with the pages that it follows.
struct ExtractionJob: Sendable {
    let recipe: Recipe
    let budget: Budget
    let options: ExtractionOptions
    let origin: LoaderOrigin
    /// When all of it must end.
    let end: ExtractionEnd

    private var work: BlockingWork { origin.loader.configuration.blockingWork }

    /// Runs `body`, and reports the evaluation to the loader's observer.
    func observed<Failure: WebError>(
        _ url: WebURL,
        _ body: () async throws(Failure) -> Extraction
    ) async throws(Failure) -> Extraction {
        guard let observation = origin.loader.observation else { return try await body() }
        return try await observation.during(observation.begin(.rules, url), body) { $0.take($1) }
    }

    // MARK: - In a worker

    /// Evaluates the recipe in a worker.
    func runInWorker(_ transfer: PageTransfer) async -> Extraction {
        var transfer = transfer
        transfer.settings.parsing.limits.maximumSeconds = end.left
        let request = WorkerRequest.run(
            WorkerRequest.Run(
                recipe: recipe.source,
                file: recipe.file,
                budget: budget,
                notesProvenance: options.notesProvenance,
                notesTrace: options.notesTrace,
                page: transfer.page
            )
        )
        let transcript = WorkerTranscript(
            recipe,
            budget,
            notesProvenance: options.notesProvenance,
            notesTrace: options.notesTrace,
            source: transfer.url
        )
        do throws(RuleError) {
            while true {
                let lease = try await start(request, transcript.allowance)
                if let extraction = try await run(lease, transcript) { return extraction }
            }
        } catch {
            var extraction = Extraction()
            extraction.failure = error
            return extraction
        }
    }

    private func start(_ request: WorkerRequest, _ allowance: Int) async throws(RuleError) -> WorkerLease {
        let pool = origin.loader.workers
        return try await work.run { () throws(RuleError) in
            let process = try pool.take()
            try process.begin(request, allowance: allowance)
            return WorkerLease(process, of: pool)
        }
    }

    /// Runs the recipe in a worker; nil if the idle worker had exited.
    ///
    /// It runs on the caller's actor: otherwise a command would start threads, which takes half a
    /// millisecond.
    private func run(
        _ lease: WorkerLease,
        _ transcript: WorkerTranscript,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(RuleError) -> Extraction? {
        var extraction: Extraction?
        let failure: RuleError? = await withTaskCancellationHandler {
            _ = isolation
            do throws(RuleError) {
                extraction = try await steps(lease, transcript)
                return nil
            } catch {
                return error
            }
        } onCancel: {
            lease.kill()
        }
        if Task.isCancelled { throw Self.cancelled }
        if let failure { throw failure }
        return extraction
    }

    private static var cancelled: RuleError { RuleError(.cancelled, "the extraction was cancelled") }

    private func steps(
        _ lease: WorkerLease,
        _ transcript: WorkerTranscript
    ) async throws(RuleError) -> Extraction? {
        var run = WorkerRun(
            lease.process,
            transcript,
            recipe,
            budget,
            end: end,
            progress: options.progress
        )
        while true {
            let (next, step) = await work.run { [run] in
                var run = run
                let step = run.step()
                // Here, since waiting for a process to end may block.
                switch step {
                case .over(let isReusable): lease.release(isReusable: isReusable)
                case .gone, .follow: break
                }
                return (run, step)
            }
            run = next
            switch step {
            case .over: return run.extraction
            case .gone: return nil
            case .follow(let url):
                let (answer, source) = await followed(url)
                try run.resume(answer, source)
            }
        }
    }

    /// The answer to a worker that requested a page, and the page's URL; nil if it could not be loaded.
    private func followed(_ url: WebURL) async -> (WorkerRequest, WebURL?) {
        do throws(RuleError) {
            let (response, settings) = try await load(url)
            do throws(ParsingError) {
                var transfer = try PageTransfer(response, settings)
                transfer.settings.parsing.limits.maximumSeconds = end.left
                return (.page(transfer.page), transfer.url)
            } catch {
                throw RuleError(.failed, "\(url): \(error.message)")
            }
        } catch {
            return (.noPage(error), nil)
        }
    }

    private func load(_ url: WebURL) async throws(RuleError) -> (WebResponse, PageContent.Settings) {
        let loader = origin.loader
        var limits = loader.configuration.limits
        // At least a millisecond, so that the load fails with a timeout.
        limits.maximumSeconds = end.left.map { max($0, 0.001) }
        do throws(LoadError) {
            let request = origin.request(for: url)
            let response: WebResponse
            if let observation = loader.observation {
                response = try await loader.fetch(request, within: limits, observation)
            } else {
                response = try await loader.fetch(request, nil, nil, limits: limits)
            }
            return (response, loader.settings(ContentOverrides()))
        } catch {
            throw RuleError(.failed, error.description)
        }
    }

    // MARK: - In this process

    /// Evaluates the recipe in this process, on an existing page.
    func runHere(_ page: ParsedPage) async -> Extraction {
        await runHere { (_) throws(Never) in page }
    }

    /// Parses a page and evaluates the recipe on it, in this process.
    func runHere(
        _ response: WebResponse,
        _ settings: PageContent.Settings
    ) async throws(ParsingError) -> Extraction {
        try await runHere { (stop) throws(ParsingError) in
            try ParsedPage(response, interrupted(settings, stop))
        }
    }

    private func runHere<Failure>(
        isolation: isolated (any Actor)? = #isolation,
        _ page: @escaping @Sendable (RunStop) throws(Failure) -> ParsedPage
    ) async throws(Failure) -> Extraction {
        let stop = RunStop()
        let result: Result<Extraction, Failure> = await withTaskCancellationHandler {
            _ = isolation
            // A run that waits for pages occupies a thread; slots keep enough threads free for loading them.
            let slots = recipe.followingDepth > 0 ? Self.slots : nil
            await slots?.enter()
            defer { slots?.leave() }
            // Its threads are no task's.
            let scope = origin.loader.observation == nil ? nil : ObservationScope.current
            return await work.run { Result { () throws(Failure) in evaluate(try page(stop), stop, scope) } }
        } onCancel: {
            stop.cancel()
        }
        var extraction = try result.get()
        if stop.isCancelled {
            extraction = Extraction()
            extraction.failure = Self.cancelled
        }
        return extraction
    }

    /// A quarter of the threads that ``/WebStandards/BlockingWork/threads`` has.
    private static let slots = TaskSlots(16)

    private func evaluate(_ page: ParsedPage, _ stop: RunStop, _ scope: ObservationScope?) -> Extraction {
        let run = InProcessRun(
            recipe: recipe,
            budget: budget,
            notesProvenance: options.notesProvenance,
            host: Host(job: self, stop: stop, scope: scope),
            end: end,
            stop: stop
        )
        do throws(RuleError) {
            return run.run(on: try page.rulePage)
        } catch {
            var extraction = Extraction()
            extraction.failure = error
            return extraction
        }
    }

    private func interrupted(_ settings: PageContent.Settings, _ stop: RunStop) -> PageContent.Settings {
        var settings = settings
        settings.parsing.interruption = { [end] in
            if stop.isCancelled { return .cancelled }
            return MonotonicClock.now >= end.moment ? .time : nil
        }
        return settings
    }

    /// Loads pages for rules, which wait for them on a thread of their own.
    private struct Host: RuleHost {
        let job: ExtractionJob
        let stop: RunStop
        let scope: ObservationScope?

        func page(at url: WebURL, from origin: RulePage) throws(RuleFailure) -> RulePage {
            let answer = BlockingWork.waiting({ await job.loadPage(url, stop, scope) }, started: stop.hold)
            switch answer {
            case .success(let page): return page
            case .failure(let error): throw .rule(error)
            }
        }
    }

    private func loadPage(
        _ url: WebURL,
        _ stop: RunStop,
        _ scope: ObservationScope?
    ) async -> Result<RulePage, RuleError> {
        guard let scope else { return await loadPage(url, stop) }
        return await ObservationScope.$current.withValue(scope) { await loadPage(url, stop) }
    }

    private func loadPage(_ url: WebURL, _ stop: RunStop) async -> Result<RulePage, RuleError> {
        do throws(RuleError) {
            let (response, settings) = try await load(url)
            let page: ParsedPage
            do throws(ParsingError) {
                page = try ParsedPage(response, interrupted(settings, stop))
            } catch {
                throw RuleError(.failed, "\(url): \(error.message)")
            }
            return .success(try page.rulePage)
        } catch {
            return .failure(error)
        }
    }
}
