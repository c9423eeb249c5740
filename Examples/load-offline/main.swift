import Glibc
import WebLoader

// Loads a page, and loads it again without the network: `load-offline URL [CACHE-FOLDER]`.

let arguments = Array(CommandLine.arguments.dropFirst())
guard let url = try? WebURL(arguments.first ?? "https://example.com/") else {
    print("not a URL")
    exit(2)
}
var configuration = PageLoader.Configuration()
if arguments.count > 1 { configuration.cacheDirectory = arguments[1] }
let loader = PageLoader(configuration: configuration)

var request = WebRequest(url: url)
// Responses that the server does not want stored are stored too, for offline loads only.
request.keepsForOfflineUse = true
do throws(LoadError) {
    let page = try await loader.load(request)
    print("online: ", page.title ?? "untitled")
} catch {
    // Continue without the network: the page may be in the cache already.
    print("online: ", error.code)
}

// This load opens no socket.
request.cachePolicy = .returnCacheDataDontLoad
do throws(LoadError) {
    let page = try await loader.load(request)
    let verdict = page.response.cacheVerdict
    print("offline:", page.title ?? "untitled", verdict?.outcome.rawValue ?? "", verdict?.age ?? 0, "s old")
} catch {
    print("offline:", error.code == "cache.miss" ? "not here yet" : error.description)
}
