import FlyingFox
import Foundation
import TestSupport
import Testing
import WebDifference
import WebLoader
import WebRendering

/// Pages as Chromium's scripts make them, and what hostile ones may not do.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled(if: Browser.isInstalled, "there is no Chromium: Scripts/setup browser")
)
struct RenderingBrowserTests {
    private typealias Answer = FlyingFox.HTTPResponse

    private static func answer(_ type: String, _ body: String, _ fields: [String: String] = [:]) -> Answer {
        var headers: HTTPHeaders = [.contentType: type]
        for (name, value) in fields { headers[HTTPHeader(name)] = value }
        return Answer(statusCode: .ok, headers: headers, body: Data(body.utf8))
    }

    /// A site whose page is in `markup`; its other parts are the same for all.
    private static func site(_ markup: String) -> TestServer.Handler {
        { request in
            switch request.path {
            case "/": answer("text/html", markup, ["Cache-Control": "max-age=3600", "Set-Cookie": "own=1"])
            case "/data.json":
                answer("application/json", #"["tea","coffee"]"#, ["Cache-Control": "max-age=60"])
            case "/frame": answer("text/html", "<p>framed", ["Cache-Control": "max-age=60"])
            case "/app.js":
                answer(
                    "text/javascript",
                    """
                    fetch("/data.json").then(r => r.json()).then(d => {
                      list.innerHTML = d.map(x => `<li><a href="/p/${x}">${x}</a>`).join("");
                    });
                    """,
                    ["Cache-Control": "max-age=60"]
                )
            case "/cookies":
                answer("text/plain", request.headers[HTTPHeader("Cookie")] ?? "none")
            case "/moved":
                Answer(statusCode: .found, headers: [.location: "/data.json"], body: Data())
            default: Answer(statusCode: .notFound)
            }
        }
    }

    private static func options(_ change: (inout RenderingOptions) -> Void) -> RenderingOptions {
        var options = RenderingOptions()
        // The rest of the suite may have all cores.
        options.maximumTime = .seconds(120)
        change(&options)
        return options
    }

    /// Renders a page, and says what has been asked for.
    private static func render(
        _ markup: String,
        _ change: (inout RenderingOptions) -> Void = { _ in },
        configured: (inout PageLoader.Configuration) -> Void = { _ in }
    ) async throws -> (page: Page, parsed: ParsedPage, rendering: Rendering, paths: [String]) {
        try await withTestServer(site(markup)) { server in
            var configuration = PageLoader.Configuration()
            configuration.keepsCacheInMemory = true
            configuration.renderer = ChromiumRenderer(options: options(change))
            configured(&configuration)
            let loader = PageLoader(configuration: configuration)
            let page = try await loader.load(WebRequest(url: WebURL(server.url("/"))))
            let rendering = try #require(page.rendering)
            return (page, try await page.parsed(), rendering, server.requestedPaths)
        }
    }

    @Test func `a page is what its scripts make of it`() async throws {
        let (page, parsed, rendering, paths) = try await Self.render(
            """
            <!DOCTYPE html><title>served</title><ul id=list></ul><iframe src=/frame></iframe><input id=field>
            <script src=/app.js></script><script>
            document.title = "rendered"; console.log("hello", 1); field.value = "typed";
            document.body.append(document.createElement("x-box"));
            document.querySelector("x-box").attachShadow({mode: "closed"}).innerHTML = "<p id=inside>shadow";
            setTimeout(() => { throw new Error("late") });
            </script>
            """
        )
        #expect(rendering.ending == .quiet && rendering.isOfScripts && !rendering.isCut)
        #expect(page.title == "rendered" && page.served?.title == "served")
        #expect(page.response.source == .rendered && page.response.status == .ok)
        #expect(parsed.links.filter { $0.kind == .navigation }.map(\.text) == ["tea", "coffee"])
        let html = String(decoding: page.response.body, as: UTF8.self)
        #expect(
            html.contains(#"value="typed""#)
                && html.contains(#"<template shadowrootmode="closed"><p id="inside">"#)
        )
        #expect(html.contains("&lt;p&gt;framed"))
        #expect(rendering.messages.map(\.level) == ["log", "exception"])
        #expect(rendering.messages.map(\.text) == ["hello 1", "Error: late"])
        #expect(Set(paths) == ["/", "/app.js", "/data.json", "/frame"])
        // The page itself came once.
        #expect(paths.count { $0 == "/" } == 1 && rendering.requests.first?.kind == "document")
        #expect(rendering.requests.map(\.bytes).reduce(0, +) == rendering.bytes && rendering.peakMemory > 0)
    }

    @Test func `what is in the cache is rendered again without a network`() async throws {
        let cache = try await withTemporaryFolder { folder in
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = folder.appending(path: "cache").path
            configuration.renderer = ChromiumRenderer(options: Self.options { _ in })
            let loader = PageLoader(configuration: configuration)
            let markup = """
                <ul id=list></ul><script src=/app.js></script>
                <script>fetch("/cookies?" + Math.random()).catch(() => 0)</script>
                """
            let url = try await withTestServer(Self.site(markup)) { server in
                let url = try WebURL(server.url("/"))
                let page = try await loader.load(WebRequest(url: url))
                #expect(try await page.parsed().document?.querySelectorAll("li").count == 2)
                return url
            }
            // The server is gone.
            let page = try await loader.load(WebRequest(url: url, cachePolicy: .returnCacheDataDontLoad))
            #expect(try await page.parsed().document?.querySelectorAll("li").count == 2)
            return page.rendering
        }
        let rendering = try #require(cache)
        #expect(rendering.requests.filter { $0.code == nil }.allSatisfy { $0.source == .cache })
        #expect(rendering.failures.map { $0.code ?? "\($0.status ?? 0)" } == ["cache.miss"])
    }

    @Test func `redirects, fields and cookies go by the loader`() async throws {
        let jar = CookieJar()
        let (_, parsed, rendering, paths) = try await Self.render(
            """
            <p id=cookies></p><p id=moved></p><script>
            document.cookie = "mine=2";
            fetch("/cookies").then(r => r.text()).then(t => cookies.textContent = t);
            fetch("/moved").then(r => r.json()).then(d => moved.textContent = d.join());
            </script>
            """,
            configured: { $0.cookieJar = jar }
        )
        let document = try #require(parsed.document)
        #expect(try document.querySelector("#cookies")?.textContent == "own=1; mine=2")
        #expect(try document.querySelector("#moved")?.textContent == "tea,coffee")
        #expect(rendering.requests.contains { $0.status == 302 } && paths.contains("/data.json"))
    }

    @Test("A page is taken when it is asked for") func conditions() async throws {
        let markup = """
            <p id=log></p><script>
            setTimeout(() => log.className = "ready", 1200); setInterval(() => log.textContent += ".", 20);
            </script>
            """
        let selected = try await Self.render(markup) { $0.waitSelector = "p.ready" }
        #expect(selected.rendering.ending == .selector)
        #expect(try selected.parsed.document?.querySelector("p.ready") != nil)
        let waited = try await Self.render(markup) { $0.waitTime = .milliseconds(300) }
        #expect(waited.rendering.ending == .wait)
        let never = try await Self.render(markup) {
            $0.waitSelector = "p.never"
            $0.maximumTime = .seconds(3)
        }
        #expect(never.rendering.ending == .time && never.rendering.isOfScripts)
    }

    /// Attacks of pages on their browser, and the endings that bound them.
    @Test(
        "A hostile page is bounded",
        arguments: [
            ("a script without an end", "for (;;);", [Rendering.Ending.time]),
            (
                "one in a frame",
                "document.write('<iframe srcdoc=\"<script>for (;;);<\\/script>\"></iframe>')", [.time]
            ),
            ("dialogs without an end", "for (;;) alert(1)", [.time]),
            ("printing without an end", "for (;;) print()", [.time]),
            // Whether the browser's own limit or ours comes first, its memory is bounded.
            (
                "memory without an end", "a = []; for (;;) a.push(new Uint8Array(1e7).fill(1))",
                [.memory, .crash]
            ),
            ("navigation without an end", "location = '/?' + Math.random()", [.quiet]),
            (
                "one that does not let go",
                "onbeforeunload = e => e.preventDefault(); setTimeout(() => location.reload(), 100)",
                [.quiet, .time]
            ),
            ("windows", "for (let i = 0; i < 500; i++) open('/?' + i)", [.quiet]),
            (
                "downloads",
                "for (let i = 0; i < 200; i++) Object.assign(document.createElement('a'), { href: '/', download: 'x' }).click()",
                [.quiet]
            ),
            (
                "workers that do not end",
                "const u = URL.createObjectURL(new Blob(['for (;;);'])); for (let i = 0; i < 100; i++) new Worker(u)",
                [.quiet, .time, .memory]
            ),
            (
                "workers that start workers",
                "const s = 'for (;;) new Worker(URL.createObjectURL(new Blob([`for (;;);`])))'; new Worker(URL.createObjectURL(new Blob([s])))",
                [.quiet, .time, .memory, .crash]
            ),
            (
                "a large canvas",
                "for (;;) { const c = document.createElement('canvas'); c.width = c.height = 16000; c.getContext('2d').fillRect(0, 0, 9, 9); document.body.append(c) }",
                [.time, .memory, .crash]
            ),
            (
                "a service worker", "navigator.serviceWorker.register('/worker.js').catch(() => 0)",
                [.quiet]
            ),
        ]
    )
    func hostile(_ name: String, _ script: String, _ endings: [Rendering.Ending]) async throws {
        let (page, _, rendering, _) = try await Self.render("<body><p>before<script>\(script)</script>") {
            $0.maximumTime = .seconds(endings.contains(.time) ? 4 : 120)
            $0.maximumMemory = 600 << 20
            $0.maximumRequests = 50
        }
        #expect(endings.contains(rendering.ending), "\(name): \(rendering.ending)")
        let hasText = String(decoding: page.response.body, as: UTF8.self).contains("before")
        #expect(hasText || endings.contains(.time))
        #expect(rendering.requestCount < 10_000)
    }

    @Test func `requests beyond the budget fail, and all are counted`() async throws {
        let (_, _, rendering, paths) = try await Self.render(
            "<script>for (let i = 0; i < 2000; i++) fetch('/data.json?' + i).catch(() => 0)</script>"
        ) { $0.maximumRequests = 20 }
        #expect(rendering.ending == .quiet && rendering.requestCount == 2001 && paths.count <= 20)
        #expect(
            rendering.requests.count == 1000 && rendering.failures.allSatisfy { $0.code == "limit.requests" }
        )
    }

    @Test func `nothing goes past the loader`() async throws {
        // A server that the page may not reach: whatever comes there came past the loader.
        try await withTestServer({ _ in Answer(statusCode: .ok) }) { other in
            let target = "127.0.0.1:\(other.port)"
            let (_, _, rendering, _) = try await Self.render(
                """
                <link rel=preconnect href=http://\(target)><link rel=dns-prefetch href=//example.test>
                <a ping=http://\(target)/ping href=#x id=a></a><script>
                new WebSocket("ws://\(target)/"); new EventSource("http://\(target)/events");
                navigator.sendBeacon("http://\(target)/beacon", "x"); a.click(); window.open("http://\(target)/window");
                new RTCPeerConnection({iceServers: [{urls: "stun:\(target)"}]}).createDataChannel("x");
                new Worker(URL.createObjectURL(new Blob(['fetch("http://\(target)/worker")'])));
                new Image().src = "file:///etc/passwd"; fetch("http://\(target)/fetch").catch(() => 0);
                </script>
                """
            ) { $0.quietTime = .seconds(1) }
            // By the loader they come; the browser's own ways have none.
            #expect(!other.requestedPaths.contains("/events") && !other.requestedPaths.contains("/window"))
            let refused = rendering.requests.filter { $0.code == "render.unsupported" }.map(\.kind)
            #expect(Set(refused).isSuperset(of: ["websocket", "eventsource"]))
            let known = Set(rendering.requests.compactMap { try? WebURL($0.url).pathname })
            #expect(Set(other.requestedPaths).isSubset(of: known))
        }
    }

    @Test func `a page of a file has what is in its folder`() async throws {
        try await withTemporaryFolder { folder in
            let inner = folder.appending(path: "site")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            try Data("secret".utf8).write(to: folder.appending(path: "secret.js"))
            try Data("document.title = 'ran'".utf8).write(to: inner.appending(path: "own.js"))
            let page = inner.appending(path: "page.html")
            try Data("<script src=own.js></script><script src=../secret.js></script>".utf8).write(to: page)
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = nil
            configuration.renderer = ChromiumRenderer(options: Self.options { _ in })
            let loader = PageLoader(configuration: configuration)
            let loaded = try await loader.load(WebRequest(url: WebURL(filePath: page.path)))
            #expect(loaded.title == "ran")
            #expect(loaded.rendering?.failures.map(\.code) == ["url.unsupported"])
        }
    }

    /// Links with letters beyond ASCII in their query: browsers write them in the encoding of the page as served.
    private static let ofOldEncodings: Set<String> = [
        "encoding-http-equiv.html", "encoding-latin-1-label.html", "encoding-query.html",
        "encoding-shift-jis-meta.html",
        // Its last bytes are half of a character.
        "encoding-utf-16le-bom.html",
    ]

    @Test func `pages without scripts are the same once they have been rendered`() async throws {
        let active = /<script|<iframe|<frame|<object|<embed|onload=/.ignoresCase()
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.renderer = ChromiumRenderer(options: Self.options { $0.quietTime = .milliseconds(50) })
        let loader = PageLoader(configuration: configuration)
        var count = 0
        for file in try FileManager.default.contentsOfDirectory(
            at: ProjectFolder.fixtures,
            includingPropertiesForKeys: nil
        )
        where file.pathExtension == "html" && !Self.ofOldEncodings.contains(file.lastPathComponent) {
            let markup = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            guard !markup.contains(active) else { continue }
            let page = try await loader.load(WebRequest(url: WebURL(filePath: file.path)))
            let (served, parsed) = (try #require(page.served), try await page.parsed())
            let difference = try PageDifference(from: served, to: parsed)
            #expect(difference.isSame, "\(file.lastPathComponent): \(difference.changes.map(\.summary))")
            #expect(parsed.scriptFindings(served: served).findings.isEmpty, "\(file.lastPathComponent)")
            count += 1
        }
        #expect(count > 50)
    }

    @Test func `pictures are PNG and PDF`() async throws {
        let (page, _, _, _) = try await Self.render("<body style='height:3000px'><p id=p>x") {
            $0.screenshot = .init()
            $0.screenshot?.isOfWholePage = true
            $0.windowWidth = 400
            $0.makesPDF = true
        }
        let png = try #require(page.screenshot)
        #expect(
            png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && page.pdf?.starts(with: Array("%PDF-".utf8)) == true
        )
        // The width and the height are the first of its header.
        let size = [16, 20].map { at in png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        #expect(size[0] == 400 && size[1] > 2900)
    }

    @Test func `one browser has page after page, and each begins anew`() async throws {
        let renderer = ChromiumRenderer(options: Self.options { _ in }, maximumBrowsers: 1)
        for _ in 0..<3 {
            let (_, parsed, _, _) = try await Self.render(
                """
                <p id=p></p><script>
                p.textContent = localStorage.length + document.cookie; localStorage.x = 1; document.cookie = "kept=1";
                </script>
                """
            ) { _ in
            } configured: {
                $0.renderer = renderer
            }
            #expect(try parsed.document?.querySelector("#p")?.textContent == "0own=1")
        }
    }

    @Test func `without a browser it says what to install`() async throws {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.renderer = ChromiumRenderer(browser: "/no/such/browser")
        let loader = PageLoader(configuration: configuration)
        await #expect {
            try await loader.loadHTMLString("<p>x", baseURL: nil)
        } throws: { error in
            (error as? LoadError)?.code == "render.unavailable"
        }
    }

    @Test func `what is no HTML is as it was, and a load that is cancelled ends`() async throws {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.renderer = ChromiumRenderer(options: Self.options { $0.waitSelector = "never" })
        let loader = PageLoader(configuration: configuration)
        let text = try await loader.load(WebRequest(url: WebURL("data:text/plain,x")))
        #expect(text.rendering == nil)
        let load = Task { try await loader.loadHTMLString("<p>x", baseURL: nil) }
        try await Task.sleep(for: .milliseconds(500))
        load.cancel()
        await #expect {
            try await load.value
        } throws: { error in
            (error as? LoadError)?.isCancellation == true
        }
    }
}
