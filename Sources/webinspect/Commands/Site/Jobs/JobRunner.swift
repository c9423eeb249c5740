import WebLoader

/// Does the jobs of a line on pages: each is parsed once for all of them.
struct JobRunner: Sendable {
    let list: JobList
    let loader: PageLoader
    let overrides: ContentOverrides
    /// By which a page's resources are asked for, if its scripts are run.
    let template: WebRequest

    /// Starts workers while the first pages are being loaded.
    func prepare() {
        if list.jobs.contains(where: \.isInWorker) { loader.prepareWorker() }
    }

    /// The answer to an input, whose page is loaded.
    func answer(_ input: PageInput, _ pages: InputLoader) async -> PageAnswer {
        switch input.content {
        case .failure(let failure): return PageAnswer(id: input.id, failure)
        case .success(let content):
            do throws(Failure) {
                return await answer(input.id, try await pages.load(content))
            } catch {
                return PageAnswer(id: input.id, url: content.name, error)
            }
        }
    }

    /// The answer to an input whose page was loaded.
    func answer(_ id: [UInt8], _ loaded: LoadedPage) async -> PageAnswer {
        var answer = PageAnswer(id: id, url: loaded.url)
        answer.status = loaded.response.status.map { Int($0.code) }
        answer.date = loaded.date
        if let status = answer.status, status >= 400 {
            let code = "http.\(status)"
            answer.failure = Failure(
                subject: loaded.name,
                "HTTP status \(status)",
                code: code,
                status: .httpStatus
            )
        }
        do throws(Failure) {
            if list.areAllInWorkers {
                for job in list.jobs { add(try await result(of: job, loaded), of: job, to: &answer) }
            } else {
                let page = try await page(loaded)
                let parsed = try await page.parsed(for: loaded.name)
                for (index, job) in list.jobs.enumerated() {
                    add(
                        try await result(of: job, page, parsed, loaded, isFirst: index == 0),
                        of: job,
                        to: &answer
                    )
                }
            }
        } catch {
            answer.failure = error
            answer.failedJob = nil
        }
        return answer
    }

    private func add(_ result: JobResult, of job: PageJob, to answer: inout PageAnswer) {
        answer.results.append((job.name, result.json))
        guard answer.failure == nil, let failure = result.failure else { return }
        answer.failure = failure
        answer.failedJob = job.name
    }

    private func request(_ loaded: LoadedPage) -> WebRequest {
        var request = template
        request.url = loaded.response.url
        return request
    }

    /// Parses a page.
    private func page(_ loaded: LoadedPage) async throws(Failure) -> Page {
        do throws(LoadError) {
            if let html = loaded.html { return try await loader.load(html: html, for: request(loaded)) }
            return try await loader.load(kept: loaded.response, for: request(loaded), overriding: overrides)
        } catch {
            throw Failure(error, source: loaded.name)
        }
    }

    private func result(
        of job: PageJob,
        _ page: Page,
        _ parsed: ParsedPage,
        _ loaded: LoadedPage,
        isFirst: Bool
    ) async throws(Failure) -> JobResult {
        // Each job has an allowance of its own.
        let own = isFirst ? parsed : ParsedPage(treeOf: parsed)
        if let result = job.result(of: own, source: loaded.name, base: overrides.baseURL) { return result }
        guard case .extract(let recipe, let options) = job.work else {
            throw Failure(subject: job.name, "the job has no result", code: "internal", status: .fault)
        }
        do throws(RuleError) {
            let extraction = try await page.extract(
                recipe,
                budget: options.budget,
                options: options.extraction
            )
            return PageJob.result(extraction, options)
        } catch {
            return PageJob.result(Self.failed(error), options)
        }
    }

    /// Does a job of a worker on a page that is parsed nowhere else.
    private func result(of job: PageJob, _ loaded: LoadedPage) async throws(Failure) -> JobResult {
        guard case .extract(let recipe, let options) = job.work else {
            throw Failure(subject: job.name, "the job has no result", code: "internal", status: .fault)
        }
        do throws(LoadError) {
            let (budget, extraction) = (options.budget, options.extraction)
            guard let html = loaded.html else {
                let done = try await loader.extract(
                    recipe,
                    from: loaded.response,
                    for: request(loaded),
                    overriding: overrides,
                    budget: budget,
                    options: extraction
                )
                return PageJob.result(done, options)
            }
            var overrides = ContentOverrides(mimeType: "text/html")
            overrides.baseURL = loaded.response.url
            let done = try await loader.extract(
                recipe,
                fromHTML: html,
                for: request(loaded),
                overriding: overrides,
                budget: budget,
                options: extraction
            )
            return PageJob.result(done, options)
        } catch {
            throw Failure(error, source: loaded.name)
        }
    }

    private static func failed(_ error: RuleError) -> Extraction {
        var extraction = Extraction()
        extraction.failure = error
        return extraction
    }
}
