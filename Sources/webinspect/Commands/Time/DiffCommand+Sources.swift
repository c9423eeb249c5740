import WebDifference
import WebLoader

extension DiffCommand {
    // MARK: - What differs by itself

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

    /// The new page once more, which the cache does not keep.
    ///
    /// - Returns: It; nil, with a warning, where it is another answer than the first: all of the page would be taken for what
    ///   differs by itself.
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

    // MARK: - Data

    /// What a recipe extracts from both pages.
    func data(
        _ sources: DiffSources,
        _ wanted: PageDifference.Options
    ) async throws(Failure) -> PageDifference {
        guard own.html == nil, !own.sideBySide,
            own.format == nil || own.format == "text" || own.format == "json"
        else { throw Failure(usage: "-r", "data has no page to show: text or json") }
        if own.learn { throw Failure(usage: "--learn", "not together with -r") }
        var extract = ExtractOptions()
        extract.recipe = own.recipe
        let recipe = try extract.makeRecipe(sources.old.options)
        let old = try await data(of: sources.old, recipe, extract)
        let new = try await data(of: sources.new, recipe, extract)
        return PageDifference(data: old, new, options: wanted)
    }

    private func data(
        of source: DiffSources.Operand,
        _ recipe: Recipe,
        _ extract: ExtractOptions
    ) async throws(Failure) -> JSONValue {
        let extractor = try Extractor(recipe, source.options, extract)
        let (response, report) = try await extractor.extract(source.name)
        Diagnostics.report(response, source.options)
        try Diagnostics.checkStatus(response, source.options)
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
