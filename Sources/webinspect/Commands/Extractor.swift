import WebLoader

/// Loads sources and evaluates a recipe on each.
struct Extractor {
    private let recipe: Recipe
    private let options: LoadingOptions
    private let extract: ExtractOptions
    let loader: PageLoader

    init(_ recipe: Recipe, _ options: LoadingOptions, _ extract: ExtractOptions) throws(Failure) {
        self.recipe = recipe
        self.options = options
        self.extract = extract
        loader = try options.loader(pagesPerWorker: extract.workerReuse ?? (options.takesAllPages ? 100 : 1))
        // The worker starts while the first page is being loaded.
        if !extract.isInProcess { loader.prepareWorker() }
    }

    /// Evaluates the recipe on a source.
    func extract(_ name: String) async throws(Failure) -> (response: WebResponse, report: ExtractionReport) {
        let overrides = try options.overrides()
        var request: WebRequest?
        if case .url(let url) = try Source(name, options) { request = try options.request(for: url) }
        do throws(LoadError) {
            let (response, extraction) =
                if let request {
                    try await loader.extract(
                        recipe,
                        from: request,
                        overriding: overrides,
                        budget: extract.budget,
                        options: extract.extraction
                    )
                } else {
                    try await loader.extractFromStandardInput(
                        recipe,
                        overriding: overrides,
                        budget: extract.budget,
                        options: extract.extraction
                    )
                }
            return (
                response, ExtractionReport(extraction: extraction, notesProvenance: extract.notesProvenance)
            )
        } catch {
            throw Failure(error, source: name)
        }
    }

    /// Evaluates the recipe on a response that is at hand.
    ///
    /// The requests of the page's scripts are made as `request` is; without it, no scripts are run.
    func extract(
        _ response: WebResponse,
        for request: WebRequest? = nil,
        of name: String
    ) async throws(Failure) -> ExtractionReport {
        let overrides = try options.overrides().applied(to: response)
        do throws(LoadError) {
            let extraction = try await loader.extract(
                recipe,
                from: response,
                for: request,
                overriding: overrides,
                budget: extract.budget,
                options: extract.extraction
            )
            return ExtractionReport(extraction: extraction, notesProvenance: extract.notesProvenance)
        } catch {
            throw Failure(error, source: name)
        }
    }

    /// Evaluates the recipe on HTML.
    func extract(html: String, baseURL: String?) async throws(Failure) -> ExtractionReport {
        var overrides = try options.overrides()
        if let baseURL { overrides.baseURL = try Source.parse(baseURL) }
        overrides.mimeType = overrides.mimeType ?? "text/html"
        let request = try options.request(for: overrides.baseURL ?? .aboutBlank)
        do throws(LoadError) {
            let extraction = try await loader.extract(
                recipe,
                fromHTML: html,
                for: request,
                overriding: overrides,
                budget: extract.budget,
                options: extract.extraction
            )
            return ExtractionReport(extraction: extraction, notesProvenance: extract.notesProvenance)
        } catch {
            throw Failure(error, source: "html")
        }
    }

    /// The output line of an archive's page.
    func line(_ found: ArchivedPages.Element) async -> (json: JSONValue, status: ExitStatus) {
        await line(PageOutput.place(found.url, found.date)) { () async throws(Failure) in
            let response: WebResponse
            do throws(LoadError) {
                response = try found.result.get()
            } catch {
                throw Failure(error, source: found.url)
            }
            return try await extract(response, for: WebRequest(url: response.url), of: found.url)
        }
    }

    /// The output line of a source, and the exit status of a command with that source only; a source that
    /// cannot be loaded has a line too.
    func line(_ first: JSONValue.Member, _ source: String) async -> (json: JSONValue, status: ExitStatus) {
        await line([first]) { () async throws(Failure) in
            let (response, report) = try await extract(source)
            try Diagnostics.checkStatus(response, options)
            return report
        }
    }

    /// An output line that begins with members.
    func line(
        _ first: [JSONValue.Member],
        _ body: () async throws(Failure) -> ExtractionReport
    ) async -> (json: JSONValue, status: ExitStatus) {
        do throws(Failure) {
            let report = try await body()
            return (.object(first + report.lineMembers), report.status)
        } catch {
            return (.object(first + [.init("error", error.json["error"] ?? .null)]), error.status)
        }
    }
}
