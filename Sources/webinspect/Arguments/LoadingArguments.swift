import ArgumentParser
import WebLoader

/// The flags of every command that loads.
///
/// Flags that curl also has, have the same name and meaning.
struct LoadingArguments: ParsableArguments {
    @Flag(help: "Write one JSON document.")
    var json = false

    @Flag(
        name: [.customLong("cache-only"), .customLong("offline")],
        help: "Use the cache only, or fail (5); open no socket."
    )
    var cacheOnly = false

    @Flag(help: "Use the cache whatever its age; load only what is missing.")
    var preferCache = false

    @Flag(help: "Reload, ignoring the cached response.")
    var refresh = false

    @Flag(help: "Validate the cached response with the server.")
    var revalidate = false

    @Option(
        help:
            "The cache policy, by Foundation's name: \(CachePolicy.allCases.map(\.name).joined(separator: ", ")).",
        completion: .list(CachePolicy.allCases.map(\.name))
    )
    var policy: String?

    @Flag(help: "Store nothing in the cache.")
    var noStore = false

    @Flag(
        help:
            "Keep it for --cache-only and --prefer-cache even if the server forbids storing it."
    )
    var keep = false

    @Option(help: ArgumentHelp("The directory of the cache.", valueName: "dir"))
    var cacheDir: String?

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("Send a header field; \"Name:\" removes one.", valueName: "field")
    )
    var headers: [String] = []

    @Option(
        name: [.customShort("A"), .customLong("user-agent")],
        help: ArgumentHelp("The User-Agent to send.", valueName: "name")
    )
    var userAgent: String?

    @Option(help: ArgumentHelp("Maximum seconds without data (60).", valueName: "s"))
    var timeout: String?

    @Option(help: ArgumentHelp("Maximum seconds for connecting (30).", valueName: "s"))
    var connectTimeout: String?

    @Option(
        name: [.customShort("m"), .customLong("max-time")],
        help: ArgumentHelp(
            "Maximum seconds for everything, until the last byte is written (300).",
            valueName: "s"
        )
    )
    var maximumTime: String?

    @Option(
        name: .customLong("max-filesize"),
        help: ArgumentHelp("Maximum size of the decoded body (64M).", valueName: "bytes")
    )
    var maximumFileSize: String?

    @Option(
        name: .customLong("max-redirs"),
        help: ArgumentHelp("Maximum number of redirects (20).", valueName: "n")
    )
    var maximumRedirects: Int?

    @Flag(name: .customLong("no-location"), help: "Do not follow redirects.")
    var noLocation = false

    @Flag(name: .shortAndLong, help: "Exit with 4 on an HTTP status of 400 or above.")
    var fail = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Write to a file.", valueName: "file"))
    var output: String?

    @Option(
        name: .customLong("color"),
        help: "When to colour text: auto, always, never.",
        completion: .list(Terminal.Coloring.allCases.map(\.rawValue))
    )
    var coloring: String?

    @Flag(name: .shortAndLong, help: "No warnings.")
    var silent = false

    @Flag(name: .shortAndLong, help: "Report on stderr what is done and why.")
    var verbose = false

    @Flag(
        help: """
            Report on stderr why: from the cache or not, this type, this encoding, this base URL; for a selector, part by part, \
            how many elements match so far.
            """
    )
    var explain = false

    @OptionGroup var connection: ConnectionArguments

    /// The parsed options as a plain value.
    func options() throws(Failure) -> LoadingOptions {
        var options = LoadingOptions()
        options.json = json
        if cacheOnly { options.policies.append(.returnCacheDataDontLoad) }
        if preferCache { options.policies.append(.returnCacheDataElseLoad) }
        if refresh { options.policies.append(.reloadIgnoringLocalCacheData) }
        if revalidate { options.policies.append(.reloadRevalidatingCacheData) }
        if let policy { options.policies.append(try LoadingOptions.policy(policy)) }
        options.storesResponse = !noStore
        options.keepsForOfflineUse = keep
        options.cacheDirectory = cacheDir
        options.headers = headers
        options.userAgent = userAgent
        options.timeout = try timeout.map { (text) throws(Failure) in try LoadingOptions.seconds(text) }
        options.connectTimeout = try connectTimeout.map { (text) throws(Failure) in
            try LoadingOptions.seconds(text)
        }
        options.maximumTime = try maximumTime.map { (text) throws(Failure) in try LoadingOptions.seconds(text)
        }
        options.maximumFileSize = try maximumFileSize.map { (text) throws(Failure) in
            try LoadingOptions.size(text)
        }
        options.maximumRedirects = maximumRedirects
        options.followsRedirects = !noLocation
        options.failsOnHTTPError = fail
        options.output = output
        if let coloring { options.coloring = try LoadingOptions.coloring(coloring) }
        options.isSilent = silent
        options.isVerbose = verbose
        options.explains = explain
        options.connection = try connection.options()
        return options
    }
}
