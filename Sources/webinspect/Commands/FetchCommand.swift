import ArgumentParser
import WebLoader

/// `webinspect fetch URL`: one response, through the cache.
struct FetchCommand: QuickCommand {
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

    @OptionGroup var own: FetchArguments
    @OptionGroup var loading: LoadingArguments

    static let tables = [LoadingArguments.flags, FetchArguments.flags]
    var operands: [String] { [url] }
    var given: [GivenFlags] { [loading.given, own.given] }

    /// Fetches the response and writes it.
    static func run(_ line: LineOptions) async throws(Failure) -> ExitStatus {
        let options = line.loading
        options.startClock(line.source)
        let loader = try options.loader()
        let response = try await response(line, loader)
        let output = options.json ? ResponseReport(response).document(isLine: true) : response.body
        try Output.write(output, to: options.output)
        Diagnostics.report(response, options)
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        try Diagnostics.checkStatus(response, options)
        return .done
    }

    private static func response(
        _ line: LineOptions,
        _ loader: PageLoader
    ) async throws(Failure) -> WebResponse {
        guard case .url(let url) = try Source(line.source) else {
            throw Failure(usage: line.source, "fetch expects a URL")
        }
        let fetch = line.fetch
        var request = try line.loading.request(for: url)
        request.httpBody = fetch.data.map { Array($0.utf8) }
        request.httpMethod = fetch.method ?? (fetch.data == nil ? "GET" : "POST")
        if fetch.data != nil, request.value(forHTTPHeaderField: "Content-Type") == nil {
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        return try await line.loading.fetched(line.source, with: loader) { () async throws(LoadError) in
            try await loader.fetch(request)
        }
    }
}
