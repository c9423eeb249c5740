import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import WebDocument
@testable import WebLoader
@testable import WebStandards
@testable import WebTransport

/// A netrc file in loads: what it has is known above the cache, and stays with the origin that was asked for.
@Suite(.timeLimit(.minutes(20)))
struct NetrcLoadTests {
    private static let ann = "Basic \(Base64.encode(Array("ann:x".utf8)))"
    private static let bob = "Basic \(Base64.encode(Array("bob:y".utf8)))"

    private func file(_ folder: URL, _ name: String, _ text: String) throws -> NetrcFile {
        let path = folder.appendingPathComponent(name).path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return NetrcFile(path: path)
    }

    /// Returns the Authorization field of each request of a load.
    private func sent(
        _ netrc: NetrcFile,
        _ url: String,
        _ locations: [String: String] = [:],
        hsts: HSTSStore? = nil,
        _ configure: (inout WebRequest) -> Void = { _ in }
    ) async throws -> [String?] {
        let fetcher = ScriptedFetcher { request in
            locations[request.url.href].map { .answering(request, 302, [("Location", $0)]) }
                ?? .answering(request)
        }
        let session = WebSession(cookieJar: nil, hstsStore: hsts, blockingWork: .inline, netrc: netrc)
        var request = WebRequest(url: try WebURL(url))
        configure(&request)
        _ = try await RedirectFollower(fetcher: fetcher, session: session).fetch(
            request,
            limits: LoadLimits()
        )
        return fetcher.requests.map { $0.headerFields[.authorization] }
    }

    @Test(
        "They go to the origin that was asked for, and not beyond",
        arguments: [
            ("https://a.test/", "https://a.test/end", true), ("https://a.test/", "http://a.test/", false),
            ("https://a.test/", "http://a.test:8080/", false),
            ("https://a.test/", "https://a.test:8443/", false),
            ("http://a.test/", "https://a.test/", false), ("https://a.test/", "https://b.test/", false),
            ("https://a.test/", "https://sub.a.test/", false), ("https://a.test/", "https://a.test./", false),
        ]
    )
    func stayWithTheOrigin(url: String, location: String, continues: Bool) async throws {
        try await withTemporaryFolder { folder in
            let netrc = try file(
                folder,
                "n",
                "machine a.test login ann password x machine b.test login bob password y"
            )
            #expect(try await sent(netrc, url, [url: location]) == [Self.ann, continues ? Self.ann : nil])
        }
    }

    @Test func theyDoNotComeBackFromElsewhere() async throws {
        try await withTemporaryFolder { folder in
            let netrc = try file(folder, "n", "default login ann password x")
            let locations = [
                "https://a.test/": "https://evil.test/", "https://evil.test/": "https://a.test/pay",
            ]
            #expect(try await sent(netrc, "https://a.test/", locations) == [Self.ann, nil, nil])
        }
    }

    @Test func whatIsToBeReachedOverTLSHasThemOverTLSOnly() async throws {
        try await withTemporaryFolder { folder in
            let netrc = try file(folder, "n", "machine a.test login ann password x")
            let store = HSTSStore(directory: folder.path)
            let policy = try #require(StrictTransportSecurity("max-age=1000"))
            try store.note("a.test", policy, now: .now, isKept: false)
            #expect(try await sent(netrc, "http://a.test/", hsts: store) == [Self.ann])
        }
    }

    @Test func theRequestsOwnComeFirst() async throws {
        try await withTemporaryFolder { folder in
            let netrc = try file(
                folder,
                "n",
                "machine a.test login ann password x machine a.test login bob password y"
            )
            #expect(
                try await sent(netrc, "http://a.test/") { $0.headerFields[.authorization] = "own" } == ["own"]
            )
            #expect(try await sent(netrc, "http://a.test/") { $0.omittedFields = [.authorization] } == [nil])
            #expect(try await sent(netrc, "http://ann:own@a.test/") == [nil])
            #expect(try await sent(netrc, "http://bob@a.test/") == [Self.bob])
            #expect(try await sent(netrc, "http://eve@a.test/") == [nil])
        }
    }

    @Test func whatAPageNamesElsewhereDoesNotHaveThem() async throws {
        try await withTemporaryFolder { folder in
            let netrc = try file(folder, "n", "default login ann password x")
            let origin = LoaderOrigin(
                loader: .offline(),
                request: WebRequest(url: try WebURL("https://a.test/"))
            )
            for (url, isSent) in [
                ("https://a.test/i", true), ("http://a.test/i", false), ("https://b.test/", false),
            ] {
                let request = origin.request(for: try WebURL(url))
                let sent = try await sent(netrc, url) { $0 = request }
                #expect(sent == [isSent ? Self.ann : nil])
            }
        }
    }

    @Test(arguments: [nil, "machine a.test login ann password x"])
    func aFileThatCannotBeReadHasNone(text: String?) async throws {
        try await withTemporaryFolder { folder in
            let missing = NetrcFile(path: folder.path + "/missing")
            #expect(try await sent(missing, "http://a.test/") == [nil])
            let padding = String(repeating: " ", count: NetrcFile.maximumSize)
            let large = try file(folder, "large", (text ?? "") + padding)
            #expect(try await sent(large, "http://a.test/") == [nil])
            #expect(try await sent(NetrcFile(path: folder.path), "http://a.test/") == [nil])
        }
    }

    @Test func aPipeThatNobodyWritesToIsNotWaitedForForLong() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path + "/pipe"
            #expect(unsafe mkfifo(path, 0o600) == 0)
            let request = WebRequest(url: try WebURL("http://a.test/"))
            let authorized = NetrcFile(path: path).authorizing(request, within: 0.05)
            #expect(authorized.headerFields[.authorization] == nil)
        }
    }

    @Test func theCacheKeepsApartWhatTheyGot() async throws {
        try await withTemporaryFolder { folder in
            let answer =
                "HTTP/1.1 200 OK\r\nCache-Control: private, max-age=600\r\nConnection: close\r\n\r\nx"
            let files = ["ann": "login ann password x", "bob": "login bob password y"]
            for (name, text) in files { _ = try file(folder, name, "machine 127.0.0.1 \(text)") }
            try await withRawServer([.send(answer)]) { server in
                let request = WebRequest(url: try WebURL(server.url))
                for (name, connections) in [("ann", 1), ("ann", 1), ("bob", 2), (nil, 3)] as [(String?, Int)]
                {
                    var fetching = CurlFetcher.Configuration()
                    fetching.netrcFile = name.map { "\(folder.path)/\($0)" }
                    var configuration = PageLoader.Configuration()
                    configuration.cacheDirectory = folder.path + "/cache"
                    configuration.fetcher = CurlFetcher(configuration: fetching)
                    _ = try await PageLoader(configuration: configuration).fetch(request)
                    #expect(server.connections == connections)
                }
                let sent = server.requests.map { $0.contains("Authorization: Basic") }
                #expect(sent == [true, true, false])
            }
        }
    }
}
