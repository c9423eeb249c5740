import ArgumentParser
import WebLoader

/// `webinspect fetch URL`: one response, through the cache.
struct FetchCommand: QuickCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Load one response: its body, or all of it with --json.",
        discussion: """
            Examples:
              webinspect fetch https://example.com/ -o page.html
              webinspect fetch https://example.com/ --json --revalidate
              webinspect fetch -I https://example.com/
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
        let output =
            options.json
            ? ResponseReport(response).document(isLine: true)
            : line.fetch.showsHead ? head(response) : response.body
        try Output.write(output, to: options.output)
        Diagnostics.report(response, options)
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        try Diagnostics.checkStatus(response, options)
        return .done
    }

    /// The heads of the redirects and of the response, an empty line behind each, as curl writes them.
    private static func head(_ response: WebResponse) -> [UInt8] {
        var heads = response.redirects.map { ($0.status, $0.headerFields) }
        if let status = response.status { heads.append((status, response.headerFields)) }
        let version = response.httpVersion ?? "1.1"
        let texts = heads.map { status, fields in
            let lines = fields.map { "\(TerminalText.visible("\($0.name.rawName): \($0.value)"))\n" }
            return "HTTP/\(version) \(status.code)\n\(lines.joined())\n"
        }
        return Array(texts.joined().utf8)
    }

    private static func response(
        _ line: LineOptions,
        _ loader: PageLoader
    ) async throws(Failure) -> WebResponse {
        guard case .url(let url) = try Source(line.source, line.loading) else {
            throw Failure(usage: line.source, "fetch expects a URL")
        }
        let fetch = line.fetch
        if fetch.showsHead, fetch.data != nil || fetch.method.map({ $0 != "HEAD" }) ?? false {
            throw Failure(usage: "-I", "not together with --data or another --method")
        }
        var request = try line.loading.request(for: url)
        // Who asks for the head wants to know what the server says now.
        if fetch.showsHead { request.acceptsPresumedFreshness = false }
        request.httpBody = fetch.data.map { Array($0.utf8) }
        request.httpMethod = fetch.method ?? (fetch.showsHead ? "HEAD" : fetch.data == nil ? "GET" : "POST")
        if fetch.data != nil, request.value(forHTTPHeaderField: "Content-Type") == nil {
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        return try await line.loading.fetched(line.source, with: loader) { () async throws(LoadError) in
            try await loader.fetch(request)
        }
    }
}
