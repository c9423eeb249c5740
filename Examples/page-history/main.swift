import Glibc
import WebLoader

// Stores the current version of a page, and prints all changes so far: `page-history URL [CACHE-FOLDER]`.

let arguments = Array(CommandLine.arguments.dropFirst())
guard let url = try? WebURL(arguments.first ?? "https://example.com/") else {
    print("not a URL")
    exit(2)
}
var configuration = PageLoader.Configuration()
if arguments.count > 1 { configuration.cacheDirectory = arguments[1] }
configuration.keepsHistory = true
let loader = PageLoader(configuration: configuration)

var request = WebRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
// Responses that the server does not want stored are stored too.
request.keepsForOfflineUse = true
do throws(LoadError) {
    _ = try await loader.load(request)
    let history = try await loader.history(of: url)
    for (version, change) in zip(history.versions, await loader.changes(in: history)) {
        print(version.status, change.summary)
    }

    // The first version of the page, without the network: any date before the first version selects the first.
    configuration.archiveDate = Timestamp(millisecondsSince1970: 0)
    let page = try await PageLoader(configuration: configuration).load(WebRequest(url: url))
    print("at first:", page.title ?? "untitled")
} catch {
    print(error)
    exit(1)
}
