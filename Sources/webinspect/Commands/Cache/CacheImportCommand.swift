import ArgumentParser
import WebLoader

/// `webinspect cache import FILE…`: stores what archives have.
struct CacheImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Store what archives have, the newest copy of each URL, for --cache-only and --prefer-cache.",
        discussion: """
            What is stored is marked as kept for offline use: it answers --cache-only and --prefer-cache, whatever its age. \
            Exit status 1: something could not be read, or the cache has no room for all, and is left out.

            With --history each copy is kept as a version of its date, and nothing else is stored: see webinspect history, and --at. \
            What is cut off, parts and copies without a date are no versions.

            Examples:
              webinspect cache import site.warc.gz
              webinspect cache import 2023.warc.gz 2024.warc.gz --history
              webinspect https://example.com/ --cache-only
            """
    )

    @Argument(help: ArgumentHelp("The archives.", valueName: "file"))
    var files: [String]

    @Option(help: ArgumentHelp("The directory of the cache.", valueName: "dir"))
    var cacheDir: String?

    @Flag(help: "Keep every copy of each URL as a version of its date.")
    var history = false

    func run() async throws {
        let archives = try ArchiveCommand.open(files)
        if history { return try keepVersions(archives) }
        var options = LoadingOptions()
        options.cacheDirectory = cacheDir
        options.keepsForOfflineUse = true
        options.policies = [.reloadIgnoringLocalCacheData]
        options.followsRedirects = false
        var configuration = try options.configuration()
        configuration.fetch(from: archives)
        let loader = PageLoader(configuration: configuration)
        var seen: Set<String> = []
        var counts = (refused: 0, failed: 0)
        var stored: [WebURL] = []
        for archive in archives {
            for try await record in archive
            where ArchiveCollection.isCapture(record) && record.kind != .resource {
                guard let url = record.url.flatMap({ try? WebURL($0) }),
                    url.scheme == "http" || url.scheme == "https",
                    seen.insert(url.withoutFragment.href).inserted
                else { continue }
                let request = try options.request(for: url)
                do throws(LoadError) {
                    let response = try await loader.fetch(request)
                    if response.cacheVerdict?.isStored ?? false {
                        stored.append(url)
                    } else {
                        counts.refused += 1
                    }
                } catch {
                    counts.failed += 1
                    Output.message(Failure(error, source: url.href).line)
                }
            }
        }
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        var cache = CacheArguments()
        cache.cacheDir = cacheDir
        let browser = try cache.browser()
        let evicted = stored.count { browser.stamp(of: $0, withVersions: false) == nil }
        try Output.write(
            Array(
                "\(stored.count - evicted) stored, \(counts.refused) not to be stored, \(counts.failed) failed\n"
                    .utf8
            )
        )
        if evicted > 0 {
            Output.message(
                "webinspect: warning: \(evicted) of them were evicted again: the cache has no room for all"
            )
        }
        if counts.failed > 0 || evicted > 0 { throw ExitCode(ExitStatus.no.rawValue) }
    }

    private func keepVersions(_ archives: [Archive]) throws {
        var cache = CacheArguments()
        cache.cacheDir = cacheDir
        var run = HistoryImport(into: try cache.browser(), limits: LoadLimits())
        do throws(CacheBrowser.Failure) {
            try run.keep(archives) { subject, error in
                Output.message(Failure(error, archive: subject).line)
            } findings: { finding, path in
                Output.message("webinspect: warning: \(ArchiveReport.line(finding, path))")
            }
        } catch {
            throw Failure(error)
        }
        let counts =
            "\(run.kept) kept, \(run.same) the same as the version before, \(run.refused) no versions, \(run.failed) failed\n"
        try Output.write(Array(counts.utf8))
        if run.removed > 0 {
            Output.message(
                "webinspect: warning: \(run.removed) versions, the oldest, were removed: the cache has room for no more"
            )
        }
        if run.failed > 0 || run.removed > 0 { throw ExitCode(ExitStatus.no.rawValue) }
    }
}
