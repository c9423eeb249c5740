import Glibc
import WebLoader

// Hears how loads go, as a web view's navigation delegate does, and keeps them to one host: `hear-loads URL`.

struct Navigation: PageLoadDelegate {
    let host: String?

    /// As `decidePolicyFor`: asked before the load, and before each redirect is followed.
    func shouldStart(_ request: WebRequest) async -> Bool {
        let isAllowed = request.url.host == host
        print(isAllowed ? "allowed" : "refused", request.url.path)
        return isAllowed
    }

    /// As `didStartProvisionalNavigation`.
    func didStart(_ request: WebRequest) async { print("started") }

    /// As `didReceiveServerRedirectForProvisionalNavigation`.
    func didRedirect(to request: WebRequest, from response: WebResponse) async {
        print("redirected", response.status?.code ?? 0)
    }

    /// As `didCommit`.
    func didReceive(_ response: WebResponse) async { print("received", response.body.count, "bytes") }

    /// As `didFinish`.
    func didFinish(_ page: Page) async { print("finished", page.title ?? "untitled") }

    /// As `didFail`.
    func didFail(_ error: LoadError) async { print("failed", error.code) }

    /// Cancelled, or refused by `shouldStart`: then the page is not loaded, and no error of the network's.
    func didCancel(_ error: LoadError) async { print("cancelled", error.code) }
}

guard let url = try? WebURL(CommandLine.arguments.dropFirst().first ?? "https://example.com/") else {
    print("not a URL")
    exit(2)
}
let loader = PageLoader()
do throws(LoadError) {
    _ = try await loader.load(WebRequest(url: url), delegate: Navigation(host: url.host))
} catch {
    // The delegate has heard of it.
}
