extension PageLoader {
    /// Loads a page and evaluates a recipe on it; the page is parsed in the worker only.
    ///
    /// The errors that ``Page/extract(_:budget:options:)`` throws are in ``/WebRules/Extraction/failure`` here.
    ///
    /// - Parameters:
    ///   - recipe: The recipe to evaluate.
    ///   - request: The request for the page.
    ///   - overrides: Settings that override those of the server.
    ///   - budget: How much time and memory the rules may take.
    ///   - options: Where it is evaluated, and whether provenance is recorded.
    /// - Returns: The response, and the extraction.
    /// - Throws: ``LoadError`` if the page cannot be loaded.
    public func extract(
        _ recipe: Recipe,
        from request: WebRequest,
        overriding overrides: ContentOverrides = ContentOverrides(),
        budget: Budget = Budget(),
        options: ExtractionOptions = ExtractionOptions()
    ) async throws(LoadError) -> (response: WebResponse, extraction: Extraction) {
        guard let observation else {
            return try await extracting(recipe, request, overrides, budget, options)
        }
        let work = observation.begin(.extraction, request.url, request.httpMethod)
        return try await observation.during(work) { () async throws(LoadError) in
            try await self.extracting(recipe, request, overrides, budget, options)
        } note: {
            $0.take($1.response)
            $0.take($1.extraction)
        }
    }

    private func extracting(
        _ recipe: Recipe,
        _ request: WebRequest,
        _ overrides: ContentOverrides,
        _ budget: Budget,
        _ options: ExtractionOptions
    ) async throws(LoadError) -> (response: WebResponse, extraction: Extraction) {
        let end = ExtractionEnd(in: configuration.limits.maximumSeconds)
        let response = try await fetch(request)
        let origin = LoaderOrigin(loader: self, request: request)
        let settings = settings(overrides)
        return (response, try await extract(recipe, response, settings, origin, budget, options, end))
    }

    /// Evaluates a recipe on a page from standard input, up to ``/WebStandards/LoadLimits/maximumBodySize``.
    package func extractFromStandardInput(
        _ recipe: Recipe,
        overriding overrides: ContentOverrides,
        budget: Budget,
        options: ExtractionOptions
    ) async throws(LoadError) -> (response: WebResponse, extraction: Extraction) {
        let end = ExtractionEnd(in: configuration.limits.maximumSeconds)
        let url = overrides.baseURL ?? .aboutBlank
        let response = WebResponse(url: url, status: nil, body: try await standardInput(), source: .memory)
        let origin = LoaderOrigin(loader: self, request: WebRequest(url: url))
        var settings = settings(overrides)
        settings.isLocal = true
        return (response, try await extract(recipe, response, settings, origin, budget, options, end))
    }

    /// Evaluates a recipe on a response that the caller has.
    ///
    /// Requests of scripts are derived from `request`; if it is `nil`, no scripts are run.
    package func extract(
        _ recipe: Recipe,
        from response: WebResponse,
        for request: WebRequest?,
        overriding overrides: ContentOverrides,
        budget: Budget,
        options: ExtractionOptions
    ) async throws(LoadError) -> Extraction {
        let origin = LoaderOrigin(loader: self, request: request ?? WebRequest(url: response.url))
        let end = ExtractionEnd(in: configuration.limits.maximumSeconds)
        let settings = settings(overrides)
        let runsScripts = request != nil
        return try await extract(
            recipe,
            response,
            settings,
            origin,
            budget,
            options,
            end,
            runsScripts: runsScripts
        )
    }

    /// Evaluates a recipe on HTML that the caller has.
    package func extract(
        _ recipe: Recipe,
        fromHTML html: String,
        for request: WebRequest,
        overriding overrides: ContentOverrides,
        budget: Budget,
        options: ExtractionOptions
    ) async throws(LoadError) -> Extraction {
        let url = overrides.baseURL ?? .aboutBlank
        let response = WebResponse(url: url, status: nil, body: Array(html.utf8), source: .memory)
        var settings = settings(overrides)
        settings.detection = .text
        let origin = LoaderOrigin(loader: self, request: request)
        let end = ExtractionEnd(in: configuration.limits.maximumSeconds)
        return try await extract(recipe, response, settings, origin, budget, options, end)
    }

    /// Starts a worker for the next extraction while its page is being loaded.
    package func prepareWorker() { workers.prepare() }

    private func extract(
        _ recipe: Recipe,
        _ response: WebResponse,
        _ settings: PageContent.Settings,
        _ origin: LoaderOrigin,
        _ budget: Budget,
        _ options: ExtractionOptions,
        _ end: ExtractionEnd,
        runsScripts: Bool = true
    ) async throws(LoadError) -> Extraction {
        let job = ExtractionJob(recipe: recipe, budget: budget, options: options, origin: origin, end: end)
        var (response, settings) = (response, settings)
        if runsScripts, let renderer = configuration.renderer {
            (response, settings) = try await scripted(response, settings, origin.request, by: renderer)
        }
        let (page, how) = (response, settings)
        do throws(ParsingError) {
            return try await job.observed(response.url) { () async throws(ParsingError) in
                switch options.isolation {
                case .worker: await job.runInWorker(try PageTransfer(page, how))
                case .none: try await job.runHere(page, how)
                }
            }
        } catch {
            throw LoadError(error, url: response.url)
        }
    }

    /// The page that scripts make of a response, as another response.
    private func scripted(
        _ response: WebResponse,
        _ settings: PageContent.Settings,
        _ request: WebRequest,
        by renderer: any PageRenderer
    ) async throws(LoadError) -> (WebResponse, PageContent.Settings) {
        let served: ParsedPage
        do throws(ParsingError) {
            served = try await parsing(response.url) { () throws(ParsingError) in
                try ParsedPage(response, settings)
            }
        } catch {
            throw LoadError(error, url: response.url)
        }
        let seconds = configuration.limits.maximumSeconds
        let page = try await rendered(served, settings, request, within: seconds, by: renderer).0
        return (page.response, page.facts.settings)
    }
}
