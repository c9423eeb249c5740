import ArgumentParser
import Glibc
import WebLoader

/// `webinspect archive create [FILE…|PATTERN…] -o OUT`: converts archives, or writes what the cache keeps.
struct ArchiveCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Convert archives, or write what the cache keeps as one.",
        discussion: """
            The name of OUT says the form: .warc, .warc.gz, .warc.zst, .wacz, .har, .mhtml. An operand is an archive's file; what \
            is no file is a URL, or a pattern with "*", of pages in the cache: the newest response, and the versions that \
            --keep-history has kept, each payload once and revisits of it. Requests, responses, resources and revisits are \
            written; in a HAR, cookies, credentials and what was posted only with --with-secrets. An MHTML has the first page and all else. Exit \
            status 1: something could not be read, and is left out. Status 6: it would have more bytes than --max-size allows.

            Examples:
              webinspect archive create site.har -o site.warc.gz
              webinspect archive create 2023.warc.gz 2024.warc.gz -o site.wacz
              webinspect archive create 'https://example.com/*' -o kept.warc.gz
            """
    )

    @Argument(help: ArgumentHelp("Archives, or URLs and patterns of the cache.", valueName: "file|pattern"))
    var operands: [String]

    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp("The archive.", valueName: "out")
    )
    var output: String

    @Flag(help: "In a HAR, keep cookies, credentials and what was posted.")
    var withSecrets = false

    @Option(help: ArgumentHelp("Maximum bytes of the archive (10G).", valueName: "bytes"))
    var maxSize: String?

    @Option(help: ArgumentHelp("The directory of the cache.", valueName: "dir"))
    var cacheDir: String?

    func run() async throws {
        var maximumSize = 10 << 30
        if let maxSize { maximumSize = try LoadingOptions.size(maxSize, of: "--max-size") }
        var paths: [String] = []
        var patterns: [String] = []
        for operand in operands {
            if unsafe access(operand, F_OK) == 0 { paths.append(operand) } else { patterns.append(operand) }
        }
        let archives = ArchiveCollection(try ArchiveCommand.open(paths))
        let sink: ArchiveSink
        do throws(ArchiveError) {
            sink = try ArchiveSink(output, withSecrets: withSecrets, maximumSize: maximumSize)
        } catch {
            throw Failure(error, archive: output)
        }
        var isWhole = true
        var count = 0
        for archive in archives.members {
            do throws(ArchiveError) {
                let exchanges = ExchangeReader(archive, in: archives, maximumBody: maximumSize)
                try exchanges.forEach { error, record in
                    isWhole = false
                    Output.message(Failure(error, archive: record.url ?? archive.path).line)
                } findings: { finding in
                    isWhole = false
                    Output.message("webinspect: warning: \(ArchiveReport.line(finding, archive.path))")
                } _: { exchange throws(ArchiveError) in
                    if try sink.take(exchange) { count += 1 } else { isWhole = false }
                }
            } catch {
                throw Failure(error, archive: archive.path)
            }
        }
        if !patterns.isEmpty {
            var cached = try CachedExchanges(directory: cacheDir, hasVersions: sink.hasCopies)
            for pattern in patterns {
                try await cached.forEach(matching: pattern) { (exchange) throws(Failure) in
                    do throws(ArchiveError) {
                        if try !sink.take(exchange) { isWhole = false }
                    } catch {
                        throw Failure(error, archive: output)
                    }
                }
            }
            count += cached.count
            if !cached.isWhole { isWhole = false }
        }
        guard count > 0 else {
            throw Failure(
                subject: operands.joined(separator: " "),
                "there is nothing to write",
                code: "archive.miss",
                status: .cacheMiss
            )
        }
        do throws(ArchiveError) {
            try sink.finish()
        } catch {
            throw Failure(error, archive: output)
        }
        if !isWhole { throw ExitCode(ExitStatus.no.rawValue) }
    }
}

extension ArchiveSink {
    /// Adds an exchange, or says why no record can have it.
    ///
    /// - Returns: Whether it was added.
    func take(_ exchange: ArchivedExchange) throws(ArchiveError) -> Bool {
        do throws(ArchiveError) {
            try append(exchange)
            return true
        } catch {
            guard error.code == .recordTooLong else { throw error }
            Output.message(
                Failure(error, archive: TerminalText.shortenedInTheMiddle(exchange.url.href, to: 200)).line
            )
            return false
        }
    }
}
