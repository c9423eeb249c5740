import FlyingFox
import Foundation
import Synchronization
import TestSupport

/// The site whose pages the tests of the app keep.
enum ServedSite {
    /// A title that would be more than text, if somebody took it for markup, or let it turn what stands behind it.
    static let hostileTitle = "<img src=x onerror=alert(1)>\"'><script>alert(2)</script> \u{202E}gpj.exe"

    /// Answers every request with the same page.
    static func always(_ html: String) -> TestServer.Handler {
        { _ in page(html) }
    }

    /// Answers with the pages below, each by its path; "/news" is another each time.
    static func handler() -> TestServer.Handler {
        let news = Atomic<Int>(0)
        return { request in
            var response = await answer(request.path, news)
            if request.method == .HEAD { response.payload = .httpBody(HTTPBodySequence(data: Data())) }
            return response
        }
    }

    private static func answer(_ path: String, _ news: borrowing Atomic<Int>) async -> HTTPResponse {
        switch path {
        case "/tea": return page(tea)
        case "/hostile": return page(hostile)
        case "/news":
            let number = news.add(1, ordering: .relaxed).newValue
            return page(
                "<!doctype html><title>News</title><h1>News</h1><p>Edition \(number)<p>What stays the same."
            )
        case "/hub":
            let links = ["/page/01", "/page/02", "/gone"].map { "<li><a href=\"\($0)\">\($0)</a>" }
            return page("<!doctype html><title>Hub</title><ul>\(links.joined())</ul>")
        case "/slow":
            try? await Task.sleep(for: .seconds(1))
            return page("<!doctype html><title>Slow</title>")
        case _ where path.hasPrefix("/page/"):
            let name = path.dropFirst("/page/".count)
            let words = String(repeating: "word ", count: 100 * (Int(name) ?? 0))
            return page("<!doctype html><title>Page \(name)</title><h1>Page \(name)</h1><p>\(words)")
        default: return HTTPResponse(statusCode: .notFound)
        }
    }

    /// Keeps pages by the command, with their history; the names of all hosts lead to this machine.
    static func fetch(_ urls: [String], into cache: URL) async throws {
        for url in urls {
            var arguments = [
                "fetch", url, "--keep", "--keep-history", "--refresh", "--cache-dir", cache.path,
            ]
            if let address = URL(string: url), let host = address.host, let port = address.port,
                host != "127.0.0.1"
            {
                arguments += ["--resolve", "\(host):\(port):127.0.0.1"]
            }
            let folder = cache.deletingLastPathComponent().path
            let outcome = try await Command.run(
                "webinspect",
                arguments,
                environment: ["XDG_CONFIG_HOME": folder]
            )
            guard outcome.status == 0 else {
                throw TestServerError(message: "\(url): \(outcome.errors)")
            }
        }
    }

    private static func page(_ html: String) -> HTTPResponse {
        HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: "text/html; charset=utf-8", HTTPHeader("Cache-Control"): "max-age=3600"],
            body: Data(html.utf8)
        )
    }

    /// A page with something of everything, whose scripts would show if they ran.
    private static let tea = """
        <!doctype html><html lang=en><title>Tea</title><meta name=description content="All about teas">
        <script type=application/ld+json>{"@context": "https://schema.org", "@type": "Product"}</script>
        <script>document.title = "ran"; fetch("/ran")</script>
        <main><h1>Teas</h1>
        <article><p>Tea is what people drink most after water, and has been for some thousand years. It is made of
        the leaves of a plant that grows where it is warm and wet, and tells of where it has grown.</p>
        <h2 id=green>Green tea</h2><p>Its leaves are steamed or roasted soon after they were picked.</p></article>
        <table><caption>Prices</caption><tr><th>Name<th>Price<tr><td>Sencha<td>9<tr><td>Matcha<td>20</table>
        <img src="/leaf.png" alt="A leaf" width=40 height=30 onerror="fetch('/ran')">
        <p><a href="/page/01">Page one</a> <a href="/page/99">Page that is not kept</a>
        <form action="/order" method=post><label>Cups <input name=cups type=number required></label></form>
        <ol>\((1...600).map { "<li>Item \($0)" }.joined())</ol>
        <h2 id=last onclick="fetch('/ran')">The end</h2></main>
        """

    /// A page that tries to act in all ways, and says of itself what it likes.
    private static let hostile = """
        <!doctype html><html><title>\(escaped(hostileTitle))</title>
        <base href="http://127.0.0.1:9/"><meta http-equiv=refresh content="0;url=/ran">
        <link rel=stylesheet href="/ran"><link rel=prefetch href="/ran">
        <style>@import "/ran"; body { background: url(/ran) }</style>
        <script>fetch("/ran"); top.document.title = "ran"; alert(3)</script><body onload="fetch('/ran')">
        <h1>\(escaped(hostileTitle))</h1><img src="/ran" onerror="fetch('/ran')"><iframe src="/ran"></iframe>
        <iframe srcdoc="<script>fetch('/ran')</script>"></iframe><object data="/ran"></object>
        <video src="/ran" poster="/ran"></video>
        <svg onload="fetch('/ran')"><script>fetch('/ran')</script></svg>
        <form action="javascript:alert(4)"><input autofocus onfocus="alert(5)" name="<b>"></form>
        <a href="javascript:alert(6)">\(escaped(hostileTitle))</a>
        <a href="/page/x%22%3E%3Cscript%3Ealert(7)%3C/script%3E">a link</a>
        """

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
