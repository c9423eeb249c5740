import Glibc
import WebSite

// Prints the title of each page of a site: `site-titles URL [STATE]`. With STATE, a file that the program creates, an
// interrupted run is resumed, and a completed one prints nothing more.

do {
    let seed = try WebURL(CommandLine.arguments.dropFirst().first ?? "https://example.com/")
    var configuration = SiteCrawler.Configuration()
    configuration.limits.maximumPages = 1000
    configuration.statePath = CommandLine.arguments.dropFirst(2).first

    for try await page in SiteCrawler([seed], configuration) {
        // A page that could not be loaded is included too, with the reason.
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
