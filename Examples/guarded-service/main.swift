import Glibc
import WebLoader

// Loads what strangers name: a URL a line on standard input, an answer a line in JSON. Addresses that are not the public
// internet's are refused, at every redirect and whatever a name resolves to: `guarded-service [ALLOWED-RANGE]`.

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
// One stranger is not to learn from the cache what another one loaded.
configuration.cacheDirectory = nil
let loader = PageLoader(configuration: configuration)

/// What a stranger gets to know of a page.
func answer(_ line: String) async -> JSONValue {
    do {
        let url = try WebURL(line)
        // The loader reads files too: not for strangers.
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
