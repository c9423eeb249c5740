import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import WebLoader
@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct AllowedAddressesTests {
    @Test(
        "What is not of the public internet is left out",
        arguments: [
            // IPv4
            ("0.0.0.0", false), ("0.1.2.3", false), ("1.1.1.1", true), ("9.255.255.255", true),
            ("10.0.0.1", false),
            ("11.0.0.0", true), ("100.63.255.255", true), ("100.64.0.1", false), ("100.100.100.200", false),
            ("100.127.255.255", false), ("100.128.0.0", true), ("127.0.0.1", false),
            ("127.255.255.254", false),
            ("128.0.0.1", true), ("168.63.129.16", false), ("168.63.129.17", true),
            ("169.254.169.254", false),
            ("169.255.0.0", true), ("172.15.255.255", true), ("172.16.0.1", false), ("172.31.255.255", false),
            ("172.32.0.0", true), ("192.0.0.192", false), ("192.0.2.1", false), ("192.88.99.1", false),
            ("192.168.1.1", false), ("192.169.0.0", true), ("198.18.0.1", false), ("198.19.255.255", false),
            ("198.51.100.1", false), ("203.0.113.7", false), ("223.255.255.255", true), ("224.0.0.1", false),
            ("239.255.255.255", false), ("240.0.0.1", false), ("255.255.255.255", false),
            // IPv6
            ("::", false), ("::1", false), ("::127.0.0.1", false), ("2606:4700::1111", true),
            ("2001:200::1", true),
            ("2001::1", false), ("2001:db8::1", false), ("2002:7f00:1::", false), ("2002:101:101::", false),
            ("3ffe::1", true), ("3fff::1", false), ("4000::1", false), ("5f00::1", false), ("fc00::1", false),
            ("fd00:ec2::254", false), ("fe80::1", false), ("fec0::1", false), ("ff02::1", false),
            ("100::1", false),
            // IPv4 inside IPv6
            ("::ffff:127.0.0.1", false), ("::ffff:10.0.0.1", false), ("::ffff:169.254.169.254", false),
            ("::ffff:1.1.1.1", true), ("64:ff9b::127.0.0.1", false), ("64:ff9b::a9fe:a9fe", false),
            ("64:ff9b::1.1.1.1", true), ("64:ff9b:1::1.1.1.1", false),
        ]
    )
    func publicInternet(text: String, isPublic: Bool) throws {
        let address = try #require(SocketAddress(text))
        #expect(AllowedAddresses.publicInternet.allows(address) == isPublic)
        #expect(AllowedAddresses.all.allows(address))
    }

    @Test(arguments: [
        ("10.1.0.0/16", "10.1.255.255", true), ("10.1.0.0/16", "10.2.0.0", false),
        ("127.0.0.1", "127.0.0.1", true),
        ("127.0.0.1", "127.0.0.2", false), ("10.128.0.0/9", "10.127.0.1", false),
        ("10.128.0.0/9", "10.129.0.1", true),
        ("0.0.0.0/0", "127.0.0.1", true), ("::/0", "127.0.0.1", false), ("::/0", "::1", true),
        ("fd00::/8", "fd12::1", true), ("10.0.0.0/8", "::ffff:10.0.0.1", true),
    ])
    func exceptionsCanBeAllowed(range: String, text: String, isAllowed: Bool) throws {
        let addresses = try #require(AllowedAddresses.publicInternet.allowing(range))
        #expect(addresses.allows(try #require(SocketAddress(text))) == isAllowed)
    }

    @Test(arguments: [
        "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "::/129", "host", "1.2.3.4/5/6", "::1%lo",
    ])
    func whatIsNoRangeIsNone(text: String) {
        #expect(AllowedAddresses.publicInternet.allowing(text) == nil)
    }

    // MARK: - On sockets

    private func fetch(
        _ url: String,
        _ addresses: AllowedAddresses,
        proxy: CurlFetcher.Proxy = .none
    ) async throws
        -> WebResponse
    {
        var configuration = CurlFetcher.Configuration()
        configuration.allowedAddresses = addresses
        configuration.proxy = proxy
        // The addresses that a name resolves to are decisive.
        configuration.hostAddresses = ["rebound.test:80:127.0.0.1", "mapped.test:80:[::ffff:127.0.0.1]"]
        return try await CurlFetcher(configuration: configuration).fetch(
            WebRequest(url: WebURL(url)),
            limits: LoadLimits()
        )
    }

    @Test(arguments: [
        "http://127.0.0.1:PORT/", "http://localhost:PORT/", "http://[::1]:PORT/",
        "http://[::ffff:127.0.0.1]:PORT/",
        "http://2130706433:PORT/", "http://0x7f.1:PORT/", "http://0:PORT/", "http://rebound.test/",
        "http://mapped.test/",
        "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/",
    ])
    func refusesBeforeConnecting(url: String) async throws {
        try await withRawServer([.send("HTTP/1.1 204 No Content\r\n\r\n")]) { server in
            let url = url.replacing("PORT", with: "\(server.port)")
            let error = await #expect(throws: FetchError.self) { try await fetch(url, .publicInternet) }
            #expect(error?.code == .addressRefused)
            #expect(server.connections == 0)
        }
    }

    @Test func connectsToWhatIsAllowed() async throws {
        try await withRawServer([.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")]) { server in
            #expect(try await fetch(server.url, .all).status == 204)
            let addresses = try #require(AllowedAddresses.publicInternet.allowing("127.0.0.0/8"))
            #expect(try await fetch(server.url, addresses).status == 204)
        }
    }

    @Test func aRedirectIsHeldToItToo() async throws {
        let steps: [RawServer.Step] = [
            .send(
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
        ]
        try await withRawServer(steps) { server in
            var configuration = CurlFetcher.Configuration()
            configuration.allowedAddresses = try #require(
                AllowedAddresses.publicInternet.allowing("127.0.0.1")
            )
            let follower = RedirectFollower(fetcher: CurlFetcher(configuration: configuration))
            let request = WebRequest(url: try WebURL(server.url))
            let error = await #expect(throws: FetchError.self) {
                try await follower.fetch(request, limits: LoadLimits())
            }
            #expect(error?.code == .addressRefused)
        }
    }

    // MARK: - On what is stored

    private func loader(
        _ folder: String,
        _ addresses: AllowedAddresses,
        proxy: CurlFetcher.Proxy = .none
    ) -> PageLoader {
        var fetching = CurlFetcher.Configuration()
        fetching.allowedAddresses = addresses
        fetching.proxy = proxy
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = folder
        configuration.fetcher = CurlFetcher(configuration: fetching)
        return PageLoader(configuration: configuration)
    }

    @Test(arguments: CachePolicy.allCases)
    func whatAnotherLoaderStoredIsHeldToItToo(policy: CachePolicy) async throws {
        let answer = "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nConnection: close\r\n\r\ninside"
        try await withTemporaryFolder { folder in
            try await withRawServer([.send(answer)]) { server in
                var request = WebRequest(url: try WebURL(server.url))
                _ = try await loader(folder.path, .all).fetch(request)
                request.cachePolicy = policy
                let error = await #expect(throws: LoadError.self) {
                    try await loader(folder.path, .publicInternet).fetch(request)
                }
                #expect(error?.code == (policy.mayLoad ? "network.address" : "cache.miss"))
                #expect(server.connections == 1)
                // To whom the address is allowed, the entry is one like any other.
                let allowed = try #require(AllowedAddresses.publicInternet.allowing("127.0.0.1"))
                request.cachePolicy = .useProtocolCachePolicy
                #expect(try await loader(folder.path, allowed).fetch(request).source == .cache)
            }
        }
    }

    @Test func aStoredRedirectIsHeldToItToo() async throws {
        let answer =
            "HTTP/1.1 301 Moved\r\nLocation: data:,x\r\nCache-Control: max-age=600\r\nConnection: close\r\n\r\n"
        try await withTemporaryFolder { folder in
            try await withRawServer([.send(answer)]) { server in
                var request = WebRequest(url: try WebURL(server.url))
                request.followsRedirects = false
                #expect(try await loader(folder.path, .all).fetch(request).status == 301)
                let error = await #expect(throws: LoadError.self) {
                    try await loader(folder.path, .publicInternet).fetch(request)
                }
                #expect(error?.code == "network.address")
            }
        }
    }

    @Test func whatCameThroughAProxyIsFromNobodyKnowsWhere() async throws {
        let answer = "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nConnection: close\r\n\r\ninside"
        try await withTemporaryFolder { folder in
            try await withRawServer([.send(answer)]) { proxy in
                var request = WebRequest(url: try WebURL("http://inside.test/"))
                _ = try await loader(folder.path, .all, proxy: .server(proxy.url)).fetch(request)
                #expect(try await loader(folder.path, .all).fetch(request).source == .cache)
                request.cachePolicy = .returnCacheDataDontLoad
                let allowed = try #require(AllowedAddresses.publicInternet.allowing("127.0.0.1"))
                let error = await #expect(throws: LoadError.self) {
                    try await loader(folder.path, allowed).fetch(request)
                }
                #expect(error?.code == "cache.miss")
            }
        }
    }

    @Test(
        "Validated by another address, it is of both, so that nobody knows",
        arguments: [("1.1.1.1", true), ("127.0.0.1", false), (nil, false)] as [(String?, Bool)]
    )
    func validated(by address: String?, isServed: Bool) async throws {
        try await withTemporaryFolder { folder in
            let fetcher = ScriptedFetcher { request in
                let isFirst = request.headerFields[.ifNoneMatch] == nil
                let fields = [("Cache-Control", "max-age=600"), ("ETag", "\"x\"")]
                var response = WebResponse.answering(request, isFirst ? 200 : 304, fields)
                response.remoteAddress = isFirst ? "1.1.1.1" : address
                return response
            }
            let setup = CachingSetup(folder, fetcher)
            _ = try await setup.fetch()
            _ = try await setup.fetch(.reloadRevalidatingCacheData)
            var guarded = CachingFetcher(
                store: setup.fetcher.store,
                upstream: ScriptedFetcher(failing: .refused),
                blockingWork: .inline,
                now: setup.fetcher.now
            )
            guarded.allowedAddresses = .publicInternet
            let request = WebRequest(url: try WebURL("http://a.test/page"))
            let response = try? await guarded.fetch(request, limits: LoadLimits())
            #expect((response?.source == .cache) == isServed)
        }
    }

    @Test func anotherServiceThatAResponseNamesIsNotAsked() async throws {
        try await withRawServer([]) { other in
            let answer =
                "HTTP/1.1 200 OK\r\nAlt-Svc: http/1.1=\"127.0.0.1:\(other.port)\"; ma=600\r\nConnection: close\r\n\r\n"
            try await withRawServer([.send(answer)]) { server in
                let fetcher = CurlFetcher()
                for _ in 0..<2 {
                    _ = try await fetcher.fetch(WebRequest(url: WebURL(server.url)), limits: LoadLimits())
                }
                #expect(server.connections == 2)
                #expect(other.connections == 0)
            }
        }
    }

    @Test func withAProxyItIsAnError() async throws {
        try await withRawServer([]) { server in
            let error = await #expect(throws: FetchError.self) {
                try await fetch("http://example.com/", .publicInternet, proxy: .server(server.url))
            }
            #expect(error?.code == .addressRefused)
            #expect(server.connections == 0)
        }
    }
}
