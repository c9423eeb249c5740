import Glibc
import WebLoader

// Observes loads, like a web view's navigation delegate, and restricts them to one host: `hear-loads URL`.

struct Navigation: PageLoadDelegate {
    let host: String?

    /// Like `decidePolicyFor`: called before the load, and before each redirect is followed.
    func shouldStart(_ request: WebRequest) async -> Bool {
        let isAllowed = request.url.host == host
        print(isAllowed ? "allowed" : "refused", request.url.path)
        return isAllowed
    }

    /// Like `didStartProvisionalNavigation`.
    func didStart(_ request: WebRequest) async { print("started") }

    /// Like `didReceiveServerRedirectForProvisionalNavigation`.
    func didRedirect(to request: WebRequest, from response: WebResponse) async {
        print("redirected", response.status?.code ?? 0)
    }

    /// Like `didCommit`.
    func didReceive(_ response: WebResponse) async { print("received", response.body.count, "bytes") }

    /// Like `didFinish`.
    func didFinish(_ page: Page) async { print("finished", page.title ?? "untitled") }

    /// Like `didFail`.
    func didFail(_ error: LoadError) async { print("failed", error.code) }

    /// The load was cancelled, or refused by `shouldStart`: no page, and no network error.
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
    // The delegate has been notified.
}
