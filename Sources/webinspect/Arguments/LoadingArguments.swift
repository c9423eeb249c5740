import ArgumentParser
import WebLoader

/// The flags of every command that loads.
struct LoadingArguments: FlagGroup {
    static let flags = CommandFlag.loading + CommandFlag.archives + CommandFlag.connection
    var given = GivenFlags(flags)

    /// The options of a command that declares its other flags by itself.
    func options() throws(Failure) -> LoadingOptions { try LineOptions([], [given]).loading }
}

extension CommandFlag {
    /// Flags that curl also has, have the same name and meaning.
    static let loading: [CommandFlag] = [
        .flag("--json", help: "Write one JSON document.") { $0.loading.json = true },
        .flag("--cache-only", or: "--offline", help: "Use the cache only, or fail (5); open no socket.") {
            $0.loading.policies.append(.returnCacheDataDontLoad)
        },
        .flag("--prefer-cache", help: "Use the cache whatever its age; load only what is missing.") {
            $0.loading.policies.append(.returnCacheDataElseLoad)
        },
        .flag("--refresh", help: "Reload, ignoring the cached response.") {
            $0.loading.policies.append(.reloadIgnoringLocalCacheData)
        },
        .flag("--revalidate", help: "Validate the cached response with the server.") {
            $0.loading.policies.append(.reloadRevalidatingCacheData)
        },
        .value(
            "--policy",
            help:
                "The cache policy, by Foundation's name: \(CachePolicy.allCases.map(\.name).joined(separator: ", ")).",
            choices: { CachePolicy.allCases.map(\.name) },
            read: LoadingOptions.policy
        ) { $0.loading.policies.append($1) },
        .flag("--no-store", help: "Store nothing in the cache.") { $0.loading.storesResponse = false },
        .flag(
            "--keep",
            help: "Keep it for --cache-only and --prefer-cache even if the server forbids storing it."
        ) { $0.loading.keepsForOfflineUse = true },
        .flag(
            "--keep-history",
            help: "As --keep, and keep each different version beside the newest (see webinspect history)."
        ) {
            $0.loading.keepsForOfflineUse = true
            $0.loading.keepsHistory = true
        },
        .value("--cache-dir", value: "dir", help: "The directory of the cache.") {
            $0.loading.cacheDirectory = $1
        },
        .values("-H", or: "--header", value: "field", help: "Send a header field; \"Name:\" removes one.") {
            $0.loading.headers.append($1)
        },
        .value("-A", or: "--user-agent", value: "name", help: "The User-Agent to send.") {
            $0.loading.userAgent = $1
        },
        .value(
            "--timeout",
            value: "s",
            help: "Maximum seconds without data (60).",
            read: LoadingOptions.seconds
        ) { $0.loading.timeout = $1 },
        .value(
            "--connect-timeout",
            value: "s",
            help: "Maximum seconds for connecting (30).",
            read: LoadingOptions.seconds
        ) { $0.loading.connectTimeout = $1 },
        .value(
            "-m",
            or: "--max-time",
            value: "s",
            help: "Maximum seconds for everything, until the last byte is written (300).",
            read: LoadingOptions.seconds
        ) { $0.loading.maximumTime = $1 },
        .value(
            "--max-filesize",
            value: "bytes",
            help: "Maximum size of the decoded body (64M).",
            read: LoadingOptions.size
        ) { $0.loading.maximumFileSize = $1 },
        .number("--max-redirs", value: "n", help: "Maximum number of redirects (20).") {
            $0.loading.maximumRedirects = $1
        },
        .flag("--no-location", help: "Do not follow redirects.") { $0.loading.followsRedirects = false },
        .flag("--fail", or: "-f", help: "Exit with 4 on an HTTP status of 400 or above.") {
            $0.loading.failsOnHTTPError = true
        },
        .value("--output", or: "-o", value: "file", help: "Write to a file.") { $0.loading.output = $1 },
        .value(
            "--color",
            help: "When to colour text: auto, always, never.",
            choices: { Terminal.Coloring.allCases.map(\.rawValue) },
            read: LoadingOptions.coloring
        ) { $0.loading.coloring = $1 },
        .flag("--silent", or: "-s", help: "No warnings.") { $0.loading.isSilent = true },
        .flag("--verbose", or: "-v", help: "Report on stderr what is done and why.") {
            $0.loading.isVerbose = true
        },
        .flag(
            "--explain",
            help: """
                Report on stderr why: from the cache or not, this type, this encoding, this base URL; for a selector, part by \
                part, how many elements match so far; for text, block by block, why it is in or out.
                """
        ) { $0.loading.explains = true },
    ]
}
