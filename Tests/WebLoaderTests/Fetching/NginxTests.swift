import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import WebLoader
@testable import WebTransport

/// TLS and HTTP/2 with a real server.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed"),
    .serialized
)
struct NginxTests {
    private func fetcher(
        _ server: NginxServer,
        _ configure: (inout CurlFetcher.Configuration) -> Void = { _ in }
    ) -> CurlFetcher {
        var configuration = CurlFetcher.Configuration()
        configuration.certificateAuthorityFile = server.authority
        configure(&configuration)
        return CurlFetcher(configuration: configuration)
    }

    private func request(_ server: NginxServer, _ site: NginxServer.Site, _ path: String) throws -> WebRequest
    {
        WebRequest(url: try WebURL(server.url(site, path)))
    }

    @Test func saysWhatTLSAgreedOn() async throws {
        try await withNginx { server in
            try Data("page".utf8).write(to: server.root.appendingPathComponent("page"))
            let fetcher = fetcher(server)
            // The second time the connection is used again, and its facts are known all the same.
            for _ in 0..<2 {
                let response = try await fetcher.fetch(request(server, .good, "/page"), limits: LoadLimits())
                #expect(response.body == Array("page".utf8))
                #expect(response.httpVersion == "2")
                let tls = try #require(response.tls)
                #expect(["TLSv1.2", "TLSv1.3"].contains(tls.version))
                #expect(!tls.cipher.isEmpty)
                #expect(tls.isVerified)
                let certificate = try #require(tls.certificates.first)
                // How it writes a name depends on OpenSSL's version.
                #expect(certificate.subject.replacing(" ", with: "") == "CN=localhost")
                #expect(certificate.issuer.replacing(" ", with: "") == "CN=Authority")
                #expect(certificate.validFrom <= .now)
                let seconds = certificate.expires.secondsSince1970 - Timestamp.now.secondsSince1970
                #expect(86_400...172_800 ~= seconds)
            }
            #expect(try await server.connections(ofRequests: 2) == 1)
        }
    }

    /// Over HTTP/2 too the stream has a connection of its own: what arrives for it while others read would be kept in memory.
    @Test(arguments: [NginxServer.Site.plain, .good])
    func aStreamThatWaitsForItsReaderStopsNoOther(site: NginxServer.Site) async throws {
        try await withNginx { server in
            let large = [UInt8](repeating: 0x61, count: 80 << 20)
            try Data(large).write(to: server.root.appendingPathComponent("large"))
            try Data("page".utf8).write(to: server.root.appendingPathComponent("page"))
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = nil
            configuration.limits.maximumBodySize = 1 << 30
            configuration.fetcher = fetcher(server)
            let loader = PageLoader(configuration: configuration)
            let response = try await loader.stream(request(server, site, "/large"))
            #expect(response.head.httpVersion == (site == .plain ? "1.1" : "2"))
            var iterator = response.body.makeAsyncIterator()
            var read = try #require(try await iterator.next()).count
            for _ in 0..<30 {
                #expect(try await loader.fetch(request(server, site, "/page")).body == Array("page".utf8))
                read += try #require(try await iterator.next()).count
            }
            while let piece = try await iterator.next() { read += piece.count }
            #expect(read == large.count)
            #expect(try await server.connections(ofRequests: 31) == 2)
        }
    }

    @Test func refusesWhatIsNotToBeTrusted() async throws {
        let expected: [(NginxServer.Site, FetchError.Code, Int)] = [
            (.otherHost, .certificateHost, -1202), (.expired, .certificateExpired, -1201),
            (.notYetValid, .certificateNotYetValid, -1204), (.selfSigned, .certificateUnknownRoot, -1203),
            (.oldTLS, .tls, -1200),
        ]
        try await withNginx { server in
            try Data("page".utf8).write(to: server.root.appendingPathComponent("page"))
            for (site, code, number) in expected {
                let error = await #expect(throws: FetchError.self, "\(site)") {
                    try await fetcher(server).fetch(request(server, site, "/page"), limits: LoadLimits())
                }
                #expect(error?.code == code, "\(site): \(String(describing: error))")
                #expect(error?.code.nsURLErrorCode == number)
            }
            // Without the authority's certificate nobody vouches for the good one.
            let error = await #expect(throws: FetchError.self) {
                try await CurlFetcher().fetch(request(server, .good, "/page"), limits: LoadLimits())
            }
            #expect(error?.code == .certificateUnknownRoot)
        }
    }

    @Test func takesAnyCertificateIfToldTo() async throws {
        try await withNginx { server in
            try Data("page".utf8).write(to: server.root.appendingPathComponent("page"))
            let fetcher = fetcher(server) { $0.verifiesCertificates = false }
            for site in [NginxServer.Site.otherHost, .expired, .selfSigned] {
                let response = try await fetcher.fetch(request(server, site, "/page"), limits: LoadLimits())
                #expect(response.tls?.isVerified == false)
            }
            try await withTemporaryFolder { folder in
                var configuration = PageLoader.Configuration()
                configuration.cacheDirectory = folder.path
                configuration.fetcher = fetcher
                let response = try await PageLoader(configuration: configuration).fetch(
                    request(server, .good, "/hsts")
                )
                #expect(response.cacheVerdict?.isStored == false)
                #expect(!FileManager.default.fileExists(atPath: folder.path + "/hsts"))
            }
        }
    }

    @Test func manyRequestsShareAConnection() async throws {
        try await withNginx { server in
            try Data(repeating: 0x78, count: 100_000).write(to: server.root.appendingPathComponent("page"))
            let fetcher = fetcher(server)
            let request = try request(server, .good, "/page")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 {
                    group.addTask { try await fetcher.fetch(request, limits: LoadLimits()).body.count }
                }
                for try await count in group { #expect(count == 100_000) }
            }
            #expect(try await server.connections(ofRequests: 200) == 1)
        }
    }

    @Test func connectionsOfHTTP1AreBoundedAndUsedAgain() async throws {
        try await withNginx { server in
            try Data(repeating: 0x78, count: 100_000).write(to: server.root.appendingPathComponent("page"))
            let fetcher = fetcher(server) { $0.maximumConnectionsPerHost = 3 }
            let request = try request(server, .plain, "/page")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 {
                    group.addTask { try await fetcher.fetch(request, limits: LoadLimits()).body.count }
                }
                for try await count in group { #expect(count == 100_000) }
            }
            #expect(try await server.connections(ofRequests: 200) <= 3)
        }
    }

    @Test func undoesTheContentCodingThatItAskedFor() async throws {
        try await withNginx { server in
            try Data(repeating: 0x78, count: 100_000).write(to: server.root.appendingPathComponent("page"))
            let response = try await fetcher(server).fetch(
                request(server, .good, "/gzip"),
                limits: LoadLimits()
            )
            #expect(response.headerFields[.contentEncoding] == "gzip")
            #expect(response.body.count == 100_000)
            let size = try #require(response.transferSize)
            #expect(size.body < 1000)
            #expect(size.decodedBody == 100_000)
        }
    }

    @Test func asksOverTLSOnceAHostHasSaidSo() async throws {
        try await withNginx { server in
            try await withTemporaryFolder { folder in
                var configuration = PageLoader.Configuration()
                configuration.cacheDirectory = folder.path
                configuration.fetcher = fetcher(server)
                _ = try await PageLoader(configuration: configuration).fetch(request(server, .good, "/hsts"))
                // A loader of its own: what the first one learned is in the file. The port stays, unless it is 80.
                let plain = try WebURL("http://localhost:\(server.port(.good))/hsts")
                let response = try await PageLoader(configuration: configuration).fetch(
                    WebRequest(url: plain)
                )
                #expect(response.status == 200)
                #expect(response.redirects.map(\.status) == [307])
                #expect(response.url.scheme == "https")
            }
        }
    }

    @Test func credentialsOfAFileGoToTheHostsThatItNames() async throws {
        try await withNginx { server in
            let file = server.root.appendingPathComponent("netrc").path
            try "machine localhost login ann password secret\n".write(
                toFile: file,
                atomically: true,
                encoding: .utf8
            )
            let fetcher = fetcher(server) { $0.netrcFile = file }
            let known = try await fetcher.fetch(request(server, .plain, "/who"), limits: LoadLimits())
            #expect(known.body == Array("Basic YW5uOnNlY3JldA==".utf8))
            let url = try WebURL("http://127.0.0.1:\(server.port(.plain))/who")
            #expect(try await fetcher.fetch(WebRequest(url: url), limits: LoadLimits()).body == [])
        }
    }

    @Test func hostsCanBeGivenAddresses() async throws {
        try await withNginx { server in
            let port = server.port(.plain)
            let fetcher = fetcher(server) { $0.hostAddresses = ["made-up.test:\(port):127.0.0.1"] }
            let url = try WebURL("http://made-up.test:\(port)/who")
            #expect(try await fetcher.fetch(WebRequest(url: url), limits: LoadLimits()).status == 200)
        }
    }
}
