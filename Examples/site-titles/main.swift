import Glibc
import WebSite

// The title of each page of a site: `site-titles URL [STATE]`. With STATE, a file that is made, a run that was ended goes on where
// it was, and one that came to its end has nothing more to say.

do {
    let seed = try WebURL(CommandLine.arguments.dropFirst().first ?? "https://example.com/")
    var configuration = SiteCrawler.Configuration()
    configuration.limits.maximumPages = 1000
    configuration.statePath = CommandLine.arguments.dropFirst(2).first

    for try await page in SiteCrawler([seed], configuration) {
        // A page that could not be loaded is there too, with the reason.
        switch page.result {
        case .success(let parsed):
            print(parsed.response.status?.code ?? 0, page.url, parsed.title ?? "untitled")
        case .failure(let error): print(error.code.rawValue, page.url)
        }
    }
} catch {
    print(error)
    exit(1)
}
