import Glibc
import WebLoader

// Keeps a page as it is now, and says what has changed each time: `page-history URL [CACHE-FOLDER]`.

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
// What the server would rather not have stored is kept too.
request.keepsForOfflineUse = true
do throws(LoadError) {
    _ = try await loader.load(request)
    let history = try await loader.history(of: url)
    for (version, change) in zip(history.versions, await loader.changes(in: history)) {
        print(version.status, change.summary)
    }

    // The page as it was first, without the network: any date before the first version is that of the first.
    configuration.archiveDate = Timestamp(millisecondsSince1970: 0)
    let page = try await PageLoader(configuration: configuration).load(WebRequest(url: url))
    print("at first:", page.title ?? "untitled")
} catch {
    print(error)
    exit(1)
}
