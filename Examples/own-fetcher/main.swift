import WebLoader

// A custom fetcher: pages come from memory, so that a program's tests need no server; all other pages are missing. The
// loader handles redirects, the cache, decoding and parsing, as with libcurl.

struct PagesInMemory: Fetcher {
    let pages: [String: String]

    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        let page = pages[request.url.path]
        let response = WebResponse(
            url: request.url,
            status: page == nil ? 404 : 200,
            body: Array((page ?? "<title>Not found</title>").utf8),
            source: .memory
        )
        // The loader parses a response as it arrives; this one arrives as a whole.
        return try receiver?.receive(whole: response) ?? response
    }
}

var configuration = PageLoader.Configuration()
configuration.cacheDirectory = nil
configuration.fetcher = PagesInMemory(pages: [
    "/": "<!doctype html><title>Home</title><a href=about>About</a>",
    "/about": "<!doctype html><title>About</title>",
])
let loader = PageLoader(configuration: configuration)

let home = try await loader.load(WebRequest(url: WebURL("https://example.com/")))
print(home.response.status?.code ?? 0, home.title ?? "untitled")
for link in try await home.parsed().links {
    guard let url = link.url else { continue }
    let page = try await loader.load(WebRequest(url: url))
    print(page.response.status?.code ?? 0, page.title ?? "untitled")
}
let missing = try await loader.load(WebRequest(url: WebURL("https://example.com/missing")))
print(missing.response.status?.code ?? 0, missing.title ?? "untitled")
