import ArgumentParser
import WebLoader

/// `webinspect fetch URL`: one response, through the cache.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Load one response, through the cache: its body, or all of it with --json.",
        discussion: """
            Examples:
              webinspect fetch https://example.com/ -o page.html
              webinspect fetch https://example.com/ --json --policy reloadRevalidatingCacheData
              webinspect fetch https://example.com/form --method POST --data 'a=1'
            """
    )

    @Argument(help: ArgumentHelp("The URL.", valueName: "url"))
    var url: String

    @Option(
        name: [.customShort("X"), .customLong("method")],
        help: "The method; GET, or POST where there is data."
    )
    var method: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("The body to send.", valueName: "text"))
    var data: String?

    @OptionGroup var loading: LoadingArguments

    func run() async throws {
        try await Self.run(try loading.options(), FetchOptions(url: url, method: method, data: data))
    }

    /// Fetches the response and writes it.
    static func run(_ options: LoadingOptions, _ fetch: FetchOptions) async throws(Failure) {
        options.startClock(fetch.url)
        let loader = try options.loader()
        let response = try await response(options, fetch, loader)
        let output = options.json ? ResponseReport(response).document(isLine: true) : response.body
        try Output.write(output, to: options.output)
        Diagnostics.report(response, options)
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        try Diagnostics.checkStatus(response, options)
    }

    private static func response(
        _ options: LoadingOptions,
        _ fetch: FetchOptions,
        _ loader: PageLoader
    ) async throws(Failure) -> WebResponse {
        guard case .url(let url) = try Source(fetch.url) else {
            throw Failure(usage: fetch.url, "fetch expects a URL")
        }
        var request = try options.request(for: url)
        request.httpBody = fetch.data.map { Array($0.utf8) }
        request.httpMethod = fetch.method ?? (fetch.data == nil ? "GET" : "POST")
        if fetch.data != nil, request.value(forHTTPHeaderField: "Content-Type") == nil {
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        return try await options.fetched(fetch.url, with: loader) { () async throws(LoadError) in
            try await loader.fetch(request)
        }
    }
}
