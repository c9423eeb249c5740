import Glibc
import WebLoader

// `guarded-service [ALLOWED-RANGE]` loads URLs that strangers name, one per line on standard input, and prints a line
// of JSON for each. Addresses outside the public internet are refused, at every redirect and regardless of what a name
// resolves to.

var fetching = CurlFetcher.Configuration()
fetching.allowedAddresses = .publicInternet
// The guard looks at the socket's address, which would be a proxy's.
fetching.proxy = .none
fetching.requestsPerSecondPerHost = 10
if let range = CommandLine.arguments.dropFirst().first {
    guard let allowed = fetching.allowedAddresses.allowing(range) else { exit(2) }
    fetching.allowedAddresses = allowed
}

var configuration = PageLoader.Configuration()
configuration.fetcher = CurlFetcher(configuration: fetching)
configuration.limits.maximumBodySize = 4 << 20
configuration.limits.maximumTime = .seconds(10)
// A stranger must not learn from the cache what another one loaded.
configuration.cacheDirectory = nil
let loader = PageLoader(configuration: configuration)

/// Returns the information about a page that a stranger may see.
func answer(_ line: String) async -> JSONValue {
    do {
        let url = try WebURL(line)
        // The loader could read files too, which strangers must not do.
        guard ["http", "https"].contains(url.scheme) else { return ["error": "url.unsupported"] }
        let page = try await loader.load(WebRequest(url: url))
        return [
            "status": .integer(Int64(page.response.status?.code ?? 0)), "title": .string(page.title ?? ""),
        ]
    } catch let error as LoadError {
        return ["error": .string(error.code.rawValue)]
    } catch {
        return ["error": "url.invalid"]
    }
}

while let line = readLine() {
    print(String(decoding: await answer(line).serialized(), as: UTF8.self))
}
