import ArgumentParser
import WebCopy
import WebLoader

/// `webinspect save SOURCE -o PAGE.html`: copies a page, with all that it needs, into one file.
struct SaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Copy a page, whole, into one file that needs no network.",
        discussion: """
            The name of the file says the form, or --format: .html (all in it as data: URLs), .mhtml; .wacz, .warc or .warc.gz (the \
            page and its resources as they came), .webarchive (the same, as Safari opens it). Scripts stay out of the first two \
            unless --scripts; links lead to where they led. What could not be had is a warning, and the copy is made all the same. \
            A file that was there stays until the new one is whole. Exit status 1: something is missing, or the page is that of an error (404); 6: a limit was reached.

            Examples:
              webinspect save https://example.com/ -o example.html
              webinspect save https://example.com/ -o example.mhtml --prefer-cache
              webinspect save https://example.com/ -o article.html --main
              webinspect save https://example.com/ -o example.webarchive
              webinspect save https://example.com/ --select article -o part.html
              webinspect save https://example.com/ --from site.warc.gz --at 2024 -o a.html
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "source"))
    var source: String

    @OptionGroup var own: SaveArguments
    @OptionGroup var shared: PageArguments

    func run() async throws {
        var options = try shared.options()
        // A copy is of what there is on its date.
        options.acceptsPresumedFreshness = false
        let status = try await save(options)
        if status != .done { throw ExitCode(status.rawValue) }
    }

    private func save(_ options: LoadingOptions) async throws(Failure) -> ExitStatus {
        guard let output = options.output, output != "-" else {
            throw Failure(usage: "-o", "expects the file to write, as PAGE.html, PAGE.mhtml or PAGE.wacz")
        }
        let wanted = try own.options(output, options)
        // Before anything is loaded in vain.
        try Self.checking(output) { () throws(ArchiveError) in try PageCopy.checkPlace(output) }
        var configuration = try options.configuration()
        configuration.notesTags = true
        let loader = PageLoader(configuration: configuration)
        let page = try await options.load(source, with: loader)
        Diagnostics.report(try await page.parsed(for: source), options)
        try Diagnostics.checkStatus(page.response, options)
        let copy: PageCopy
        do throws(LoadError) {
            copy = try await PageCopy(of: page, options: wanted)
        } catch {
            throw Failure(error, source: source)
        }
        let summary = try Self.checking(output) { () throws(ArchiveError) in try copy.write(to: output) }
        let missing = copy.missing + summary.missing
        Self.report(missing: missing, copy, options)
        try Output.write(
            options.json
                ? SaveReport.json(copy, summary, output)
                : options.isSilent ? [] : SaveReport.text(copy, summary, output)
        )
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        if copy.isTruncated || missing.contains(where: { $0.code.hasPrefix("limit.") }) { return .limit }
        let isPage = Self.warn(of: page.response, options)
        return isPage && missing.allSatisfy(\.isDeadRule) ? .done : .no
    }

    /// Says that a page is the one that a server sends with an error; whether it is another.
    private static func warn(of response: WebResponse, _ options: LoadingOptions) -> Bool {
        guard let status = response.status?.code, status >= 400 else { return true }
        if !options.isSilent {
            let message = "the server answers with status \(status): the copy is of what it sends with that"
            Output.message("webinspect: warning: \(response.url): \(message) (http.\(status))")
        }
        return false
    }

    /// Says what is missing in a copy.
    static func report(missing: [PageCopy.Missing], _ copy: PageCopy, _ options: LoadingOptions) {
        if !options.isSilent {
            for missing in missing {
                Output.message(
                    "webinspect: warning: \(missing.url) is missing: \(missing.message) (\(missing.code))"
                )
            }
        }
        if copy.isTruncated {
            Output.message(
                "webinspect: warning: a part of the page is missing: it reached a limit (limit.memory)"
            )
        }
    }

    /// Does something with the file, whose errors are the file's.
    static func checking<Value>(
        _ path: String,
        _ body: () throws(ArchiveError) -> Value
    ) throws(Failure) -> Value {
        do throws(ArchiveError) {
            return try body()
        } catch {
            throw Failure(error, archive: path)
        }
    }
}

/// The flags that choose the contents of a copy.
struct SaveArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The form, whatever the file's name: \(Self.forms).",
            valueName: "form"
        )
    )
    var format: String?

    @Flag(help: "Keep scripts, event handlers and javascript: links.")
    var scripts = false

    @Flag(help: "Show images that scripts would load later, from data-src and the like.")
    var lazy = false

    @Option(
        name: .customLong("select"),
        help: ArgumentHelp("Only what this selector matches, in its place.", valueName: "css")
    )
    var selector: String?

    @Flag(help: "Only the main text, with its images.")
    var main = false

    @Option(
        help: ArgumentHelp("Of an image in several densities, the densest up to this (2).", valueName: "x")
    )
    var maxDensity: String?

    @Option(
        help: ArgumentHelp(
            "Bytes of a sound or a film; a larger one stays on the network (8M).",
            valueName: "size"
        )
    )
    var maxResource: String?

    @Option(help: ArgumentHelp("Bytes of all resources (256M).", valueName: "size"))
    var maxBytes: String?

    @Option(help: ArgumentHelp("Resources (10000).", valueName: "n"))
    var maxFiles: String?

    /// The options of the library.
    func options(_ output: String, _ loading: LoadingOptions) throws(Failure) -> PageCopy.Options {
        var options = PageCopy.Options()
        let format = try Self.form(output, format)
        options.format = format
        options.keepsScripts = scripts
        options.showsLazyImages = lazy
        options.selector = selector
        options.takesMainText = main
        if selector != nil, main { throw Failure(usage: "--select", "not together with --main") }
        if selector != nil || main || scripts, format.isArchive {
            throw Failure(
                usage: "-o \(output)",
                "not with --select, --main or --scripts: an archive has the page as it came, scripts included"
            )
        }
        if let maxDensity { options.maximumDensity = try Self.density(maxDensity) }
        if let maxResource {
            options.maximumMediaSize = try LoadingOptions.size(maxResource, of: "--max-resource")
        }
        if let maxBytes { options.maximumBytes = try LoadingOptions.size(maxBytes, of: "--max-bytes") }
        if let maxFiles { options.maximumFiles = try LoadingOptions.count("--max-files", maxFiles) }
        if let seconds = loading.maximumTime { options.maximumTime = Duration(boundedSeconds: seconds) }
        return options
    }

    /// Returns the options of a copy whose form is determined by the file's name.
    static func options(
        fileNamed output: String,
        _ loading: LoadingOptions
    ) throws(Failure) -> PageCopy.Options {
        var options = PageCopy.Options()
        options.format = try form(output, nil)
        if let seconds = loading.maximumTime { options.maximumTime = Duration(boundedSeconds: seconds) }
        return options
    }

    /// The forms, for people.
    private static let forms = PageCopy.Format.allCases.map(\.rawValue).joined(separator: ", ")

    /// The form that is asked for, or that the file's name says.
    private static func form(_ output: String, _ format: String?) throws(Failure) -> PageCopy.Format {
        if let format {
            guard let form = PageCopy.Format(rawValue: format) else {
                throw Failure(usage: "--format \(format)", "not one of \(forms)")
            }
            return form
        }
        guard let form = PageCopy.Format(fileNamed: output) else {
            throw Failure(
                usage: "-o \(output)",
                """
                the name ends in .html, .htm, .mhtml, .mht, .wacz, .warc, .warc.gz, .warc.zst or .webarchive, or \
                --format says the form
                """
            )
        }
        return form
    }

    /// The largest density of an image, by a text.
    static func density(_ text: String) throws(Failure) -> Double {
        guard let density = Double(text), density > 0, density.isFinite else {
            throw Failure(usage: "--max-density \(text)", "not a number above 0")
        }
        return density
    }
}
