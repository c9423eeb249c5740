import WebLoader

// Loads many pages, so many at once: URLs on standard input, one a line, and `load-many [CONCURRENCY]`. A line a page comes
// out as loads end: the status or the error's code, the URL, the title.

/// Requests for the lines of standard input, read as they are needed: a million take no more memory than a hundred.
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
// 429 and 503 are asked again, when the server says, and no host more often than it can bear.
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
