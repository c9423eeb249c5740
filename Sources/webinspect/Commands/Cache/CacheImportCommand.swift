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
            Exit status 1: something could not be read, and is left out.

            Examples:
              webinspect cache import site.warc.gz
              webinspect https://example.com/ --cache-only
            """
    )

    @Argument(help: ArgumentHelp("The archives.", valueName: "file"))
    var files: [String]

    @Option(help: ArgumentHelp("The directory of the cache.", valueName: "dir"))
    var cacheDir: String?

    func run() async throws {
        let archives = try ArchiveCommand.open(files)
        var options = LoadingOptions()
        options.cacheDirectory = cacheDir
        options.keepsForOfflineUse = true
        options.policies = [.reloadIgnoringLocalCacheData]
        options.followsRedirects = false
        var configuration = try options.configuration()
        configuration.fetch(from: archives)
        let loader = PageLoader(configuration: configuration)
        var seen: Set<String> = []
        var counts = (stored: 0, refused: 0, failed: 0)
        for archive in archives {
            for try await record in archive where record.kind == .response || record.kind == .revisit {
                guard let url = record.url.flatMap({ try? WebURL($0) }),
                    url.scheme == "http" || url.scheme == "https",
                    seen.insert(url.withoutFragment.href).inserted
                else { continue }
                let request = try options.request(for: url)
                do throws(LoadError) {
                    let response = try await loader.fetch(request)
                    if response.cacheVerdict?.isStored ?? false {
                        counts.stored += 1
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
        try Output.write(
            Array(
                "\(counts.stored) stored, \(counts.refused) not to be stored, \(counts.failed) failed\n".utf8
            )
        )
        if counts.failed > 0 { throw ExitCode(ExitStatus.no.rawValue) }
    }
}
