import Testing

@testable import WebTransport

/// Which proxy libcurl takes, of which a guard has to know.
struct ProxyEnvironmentTests {
    @Test(
        "The environment is read as libcurl reads it",
        arguments: [
            ([:], "http://a.test/", false), (["http_proxy": "p"], "http://a.test/", true),
            (["http_proxy": "p"], "https://a.test/", false), (["HTTP_PROXY": "p"], "http://a.test/", false),
            (["https_proxy": "p"], "https://a.test/", true), (["HTTPS_PROXY": "p"], "https://a.test/", true),
            (["all_proxy": "p"], "http://a.test/", true), (["ALL_PROXY": "p"], "https://a.test/", true),
            (["http_proxy": ""], "http://a.test/", false),
            (["http_proxy": "", "ALL_PROXY": "p"], "http://a.test/", true),
            // The one in capitals counts only where the other is not set; an empty one is not.
            (["http_proxy": "p", "no_proxy": "*"], "http://a.test/", false),
            (["http_proxy": "p", "NO_PROXY": "*"], "http://a.test/", false),
            (["http_proxy": "p", "no_proxy": "foo", "NO_PROXY": "*"], "http://a.test/", true),
            (["http_proxy": "p", "no_proxy": "*", "NO_PROXY": "foo"], "http://a.test/", false),
            (["http_proxy": "p", "no_proxy": "", "NO_PROXY": "*"], "http://a.test/", false),
            (["http_proxy": "p", "no_proxy": "*,b"], "http://a.test/", true),
            (["http_proxy": "p", "no_proxy": " *"], "http://a.test/", true),
            // Lists
            (["http_proxy": "p", "no_proxy": "b.test,a.test"], "http://a.test/", false),
            (["http_proxy": "p", "no_proxy": "b.test A.Test"], "http://a.test/", false),
            (["http_proxy": "p", "no_proxy": ".a.test"], "http://x.a.test/", false),
            (["http_proxy": "p", "no_proxy": "a.test"], "http://x.a.test./", false),
            (["http_proxy": "p", "no_proxy": "a.test"], "http://xa.test/", true),
            (["http_proxy": "p", "no_proxy": ","], "http://a.test/", true),
            (["http_proxy": "p", "no_proxy": "10.0.0.0/8"], "http://10.1.2.3/", false),
            (["http_proxy": "p", "no_proxy": "10.0.0.0/8"], "http://11.1.2.3/", true),
            (["http_proxy": "p", "no_proxy": "127.0.0.1"], "http://127.0.0.1/", false),
            (["http_proxy": "p", "no_proxy": "0.0.1"], "http://127.0.0.1/", true),
            (["http_proxy": "p", "no_proxy": "::1"], "http://[::1]/", false),
            (["http_proxy": "p", "no_proxy": "[::1]"], "http://[::1]/", false),
        ] as [([String: String], String, Bool)]
    )
    func environment(variables: [String: String], url: String, isProxied: Bool) throws {
        let url = try WebURL(url)
        #expect(CurlFetcher.Proxy.environment.applies(to: url) { variables[$0] } == isProxied)
        #expect(!CurlFetcher.Proxy.none.applies(to: url) { variables[$0] })
    }

    @Test func aProxyThatIsNamedCountsBeforeTheEnvironment() throws {
        let url = try WebURL("http://a.test/")
        #expect(CurlFetcher.Proxy.server("p").applies(to: url) { _ in nil })
        #expect(!CurlFetcher.Proxy.server("").applies(to: url) { _ in "p" })
        #expect(!CurlFetcher.Proxy.server("p").applies(to: url) { $0 == "no_proxy" ? "a.test" : nil })
    }
}
