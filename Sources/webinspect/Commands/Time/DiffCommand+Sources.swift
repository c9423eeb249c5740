import WebDifference
import WebLoader

extension DiffCommand {
    // MARK: - Volatile parts

    /// Throws where the new page cannot be loaded twice from the network.
    func checkLearning(_ source: DiffSources.Operand) throws(Failure) {
        let scheme = source.name.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", source.options.archives.isEmpty,
            source.options.archiveDate == nil
        else {
            throw Failure(
                usage: "--learn",
                "expects NEW to be a URL (http, https) that is loaded from the network"
            )
        }
        guard source.options.policies.isEmpty else {
            throw Failure(usage: "--learn", "not together with a cache policy: it loads anew")
        }
    }

    /// Loads the new page once more, without storing it in the cache.
    ///
    /// - Returns: The page; `nil`, with a warning, if the answer is not like the first: the whole page would
    ///   count as different by itself.
    func again(
        _ source: DiffSources.Operand,
        _ first: ParsedPage
    ) async throws(Failure) -> ParsedPage? {
        var options = source.options
        options.policies = [.reloadIgnoringLocalCacheData]
        options.storesResponse = false
        options.keepsForOfflineUse = false
        options.keepsHistory = false
        options.record = nil
        let page = try await options.load(source.name, with: try options.loader()).parsed(for: source.name)
        guard page.response.status?.code == first.response.status?.code, page.kind == first.kind,
            page.isTruncated == first.isTruncated
        else {
            Output.message(
                "webinspect: warning: nothing is learned: the second load was answered otherwise than the first"
            )
            return nil
        }
        return page
    }

    // MARK: - Rendering

    /// The page as it was served, and what its scripts make of it.
    ///
    /// - Throws: ``Failure`` if there is another page, or something that is not done with the two.
    func servedAndRendered(_ options: LoadingOptions) throws(Failure) -> DiffSources {
        guard new == nil else { throw Failure(usage: "new", "--served --rendered are of one page") }
        if own.learn { throw Failure(usage: "--learn", "not together with --served --rendered") }
        return try DiffSources(served: old, options)
    }

    /// A page as it was served, and what its scripts make of it.
    struct ScriptedPages {
        let served: ParsedPage
        let rendered: ParsedPage
    }

    /// Loads a page, once, and runs its scripts.
    ///
    /// - Throws: ``Failure``, also if it is no page with scripts, or they could not be run.
    func scripted(
        _ source: DiffSources.Operand,
        _ loaded: inout [Loaded]
    ) async throws(Failure) -> ScriptedPages {
        let loader = try source.options.loader()
        let page = try await source.options.load(source.name, with: loader)
        let parsed = try await page.parsed(for: source.name)
        Diagnostics.report(parsed, source.options)
        guard let served = page.served, let rendering = page.rendering else {
            throw Failure(
                subject: source.name,
                "\(parsed.mediaType.essence) has no scripts to run",
                code: "parse.kind",
                status: .content
            )
        }
        guard rendering.isOfScripts else {
            throw Failure(
                subject: source.name,
                "the page was not rendered: \(rendering.ending.words)",
                code: rendering.ending.rawValue,
                status: rendering.ending == .crash ? .fault : .limit
            )
        }
        if source.options.isVerbose {
            for line in [rendering.text] + rendering.lines {
                Output.message("* \(TerminalText.visible(line))")
            }
        }
        loaded.append(Loaded(page: parsed, loader: loader))
        return ScriptedPages(served: served, rendered: parsed)
    }

    // MARK: - Data

    /// Compares the data that a recipe extracts from both pages, which are loaded unless they are at hand.
    func data(
        _ sources: DiffSources,
        _ pages: ScriptedPages?,
        _ wanted: PageDifference.Options
    ) async throws(Failure) -> PageDifference {
        guard own.html == nil, !own.sideBySide,
            own.format == nil || own.format == "text" || own.format == "json"
        else { throw Failure(usage: "-r", "data has no page to show: text or json") }
        if own.learn { throw Failure(usage: "--learn", "not together with -r") }
        var extract = ExtractOptions()
        extract.recipe = own.recipe
        let recipe = try extract.makeRecipe(sources.old.options)
        let old = try await data(of: sources.old, pages?.served.response, recipe, extract)
        let new = try await data(of: sources.new, pages?.rendered.response, recipe, extract)
        return PageDifference(data: old, new, options: wanted)
    }

    private func data(
        of source: DiffSources.Operand,
        _ response: WebResponse?,
        _ recipe: Recipe,
        _ extract: ExtractOptions
    ) async throws(Failure) -> JSONValue {
        let extractor = try Extractor(recipe, source.options, extract)
        let report: ExtractionReport
        if let response {
            report = try await extractor.extract(response, of: source.name)
        } else {
            let response: WebResponse
            (response, report) = try await extractor.extract(source.name)
            Diagnostics.report(response, source.options)
            try Diagnostics.checkStatus(response, source.options)
        }
        for line in report.lines { Output.message(line) }
        // Data that ends where the budget did would be said to have changed.
        if let error = report.error {
            var code = RuleError.Code.failed.rawValue
            if case .string(let own)? = error["code"] { code = own }
            throw Failure(
                subject: source.name,
                "the recipe was not evaluated as a whole",
                code: code,
                status: report.status
            )
        }
        await extractor.loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        return report.extraction.data
    }
}
