import WebLoader

// Loads many pages concurrently, from URLs on standard input, one per line: `load-many [CONCURRENCY]`. Prints a line
// for each page as its load ends: the status or the error's code, the URL, the title.

/// Requests for the lines of standard input, which are read when they are needed: a million take no more memory than a
/// hundred.
struct Requests: Sequence, IteratorProtocol, Sendable {
    mutating func next() -> WebRequest? {
        while let line = readLine() {
            do {
                return WebRequest(url: try WebURL(line))
            } catch {
                print("url.invalid", line)
            }
        }
        return nil
    }
}

var configuration = PageLoader.Configuration()
// Requests answered with 429 and 503 are retried when the server allows it, without overloading a host.
configuration.retryPolicy.maximumRetries = 2
let loader = PageLoader(configuration: configuration)
let concurrency = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 16

var failures = 0
for await load in loader.loadAll(Requests(), concurrency: concurrency) {
    switch load.result {
    case .success(let page):
        print(page.response.status?.code ?? 0, load.request.url, page.title ?? "untitled")
    case .failure(let error):
        failures += 1
        print(error.code, load.request.url)
    }
}
await loader.finishBackgroundWork(within: .seconds(5))
print(failures, "failed")
