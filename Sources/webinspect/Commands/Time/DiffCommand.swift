import ArgumentParser
import WebDifference
import WebLoader

/// `webinspect diff OLD NEW`: reports the differences between two pages.
struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Say what differs between two pages.",
        discussion: """
            OLD and NEW are URLs (http, https, file, data), paths, or "-" for standard input; both may be archives (WARC, WACZ, \
            HAR, MHTML) or folders, of which the pages are compared. Of one URL two copies are compared with --at: of the cache \
            (--keep-history), or of an archive (--from). Changes are of texts, headings, links, images, tables, lists, forms, \
            metadata, structured data, scripts, styles, attributes and responses; what moved is said to have moved. What servers \
            make anew each time (nonces, tokens, session IDs, cache-busting queries, build hashes), the order of attributes and \
            classes, comments, and white space that is not shown are no changes. --explain says what was left out, and by which \
            rule. With --served --rendered a page is compared with what its scripts make of it, and findings say what search engines \
            may miss. Exit status 0: they are the same; 1: they differ.

            Examples:
              webinspect diff old.html new.html
              webinspect diff old.html new.html --side-by-side
              webinspect diff old.html new.html --html report.html
              webinspect diff old.html new.html --json --visible
              webinspect diff old.html new.html --ignore .clock --ignore-numbers 5%
              webinspect diff https://example.com/ --at 2026-05-01 --at 2026-06-01
              webinspect diff old.html https://example.com/ --learn
              webinspect diff old.html new.html -r article.yaml
              webinspect diff 2023.wacz 2024.wacz
              webinspect diff site/ public/
              webinspect diff --served --rendered https://example.com/
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "old"))
    var old: String

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "new"))
    var new: String?

    @OptionGroup var own: DiffArguments
    @OptionGroup var shared: DiffPageArguments

    func run() async throws {
        let status = try await compare(try shared.options())
        if status != .done { throw ExitCode(status.rawValue) }
    }

    private func compare(_ options: LoadingOptions) async throws(Failure) -> ExitStatus {
        let comparesScripts = try own.comparesScripts()
        let form = try own.form(options)
        let wanted = try own.options(options)
        let clock = DiffClock(options)
        if let new, !comparesScripts, let archives = ArchivePair(old, new, options) {
            try own.checkArchives(form, options)
            // However many pages there are: only a limit that was asked for counts.
            if options.maximumTime != nil { options.startClock(new) }
            return try await ArchiveComparison(archives, wanted, options, clock, writesJSON: form == .json)
                .run()
        }
        options.startClock(new ?? old)
        let sources = try comparesScripts ? servedAndRendered(options) : DiffSources(old, new, options)
        var loaded: [Loaded] = []
        var findings: Findings?
        let difference: PageDifference
        let scripted = try comparesScripts ? await scripted(sources.new, &loaded) : nil
        if own.recipe != nil {
            difference = try await data(sources, scripted, wanted)
        } else if let scripted {
            difference = try self.difference(scripted.served, scripted.rendered, wanted, clock)
            findings = scripted.rendered.scriptFindings(served: scripted.served)
        } else {
            difference = try await pages(sources, wanted, clock, &loaded)
        }
        if difference.isCoarse { Self.warnOfCoarseness(options) }
        var report = DiffReport(difference, sources, wanted, findings)
        if let html = own.html { try Output.write(report.html, to: html) }
        let bytes =
            switch form {
            case .text: report.text(options.terminal)
            case .sideBySide: report.sideBySide(options.terminal)
            case .html: report.html
            case .json: report.json
            }
        try Output.write(bytes, to: options.output, isStyled: form == .text || form == .sideBySide)
        for one in loaded { await one.loader.finishBackgroundWork(within: LoadingOptions.backgroundTime) }
        for one in loaded { try Diagnostics.checkStatus(one.page.response, options) }
        return difference.isSame ? .done : .no
    }

    /// Says that the answer is not as fine as it could be, unless `--silent`.
    static func warnOfCoarseness(_ options: LoadingOptions) {
        guard !options.isSilent else { return }
        Output.message(
            "webinspect: warning: the answer is coarser than it could be: time ran out, or a page reached a limit"
        )
    }

    // MARK: - Pages

    /// A page, and the loader that may still have something to do for it.
    struct Loaded {
        let page: ParsedPage
        let loader: PageLoader
    }

    private func pages(
        _ sources: DiffSources,
        _ wanted: PageDifference.Options,
        _ clock: DiffClock,
        _ loaded: inout [Loaded]
    ) async throws(Failure) -> PageDifference {
        if own.learn { try checkLearning(sources.new) }
        let first = try await page(sources.old, isFresh: false)
        loaded.append(first)
        let second = try await page(sources.new, isFresh: own.learn)
        loaded.append(second)
        let repeated = own.learn ? try await again(sources.new, second.page) : nil
        return try difference(first.page, second.page, again: repeated, wanted, clock)
    }

    /// Returns the differences between two pages, without those that `again`, a second load of the new page,
    /// has too.
    func difference(
        _ old: ParsedPage,
        _ new: ParsedPage,
        again repeated: ParsedPage? = nil,
        _ wanted: PageDifference.Options,
        _ clock: DiffClock
    ) throws(Failure) -> PageDifference {
        var wanted = wanted
        do throws(SelectorError) {
            if let repeated {
                wanted.maximumTime = clock.share
                wanted.noise = try PageDifference.Noise(of: new, again: repeated, options: wanted)
            }
            wanted.maximumTime = clock.share
            return try PageDifference(from: old, to: new, options: wanted)
        } catch {
            throw Failure(usage: "--ignore", error.description, code: error.code.rawValue)
        }
    }

    private func page(
        _ source: DiffSources.Operand,
        isFresh: Bool
    ) async throws(Failure) -> Loaded {
        var options = source.options
        if isFresh { options.policies = [.reloadIgnoringLocalCacheData] }
        let loader = try options.loader()
        let page = try await options.load(source.name, with: loader).parsed(for: source.name)
        Diagnostics.report(page, options)
        return Loaded(page: page, loader: loader)
    }
}
