import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import WebStandards
@testable import WebTransport

/// Tests of the Referer and Origin fields that the hops of a load send.
struct RequestSourceTests {
    /// A URL, where it redirects to, and the policy that it sends along.
    typealias Hop = (url: String, status: Int, location: String, policy: String?)

    /// The requests that are sent on the way.
    private func sent(
        to url: String,
        from referrer: String?,
        _ hops: [Hop] = [],
        _ configure: (inout WebRequest) -> Void = { _ in }
    ) async throws -> [WebRequest] {
        let fetcher = ScriptedFetcher { request in
            guard let hop = hops.first(where: { $0.url == request.url.href }) else {
                return .answering(request)
            }
            let policy = hop.policy.map { [("Referrer-Policy", $0)] } ?? []
            return .answering(request, hop.status, [("Location", hop.location)] + policy)
        }
        var request = WebRequest(url: try WebURL(url))
        request.referrer = try referrer.map { try WebURL($0) }
        configure(&request)
        _ = try await RedirectFollower(fetcher: fetcher).fetch(request, limits: LoadLimits())
        return fetcher.requests
    }

    private func referers(_ requests: [WebRequest]) -> [String?] {
        requests.map { $0.headerFields[.referer] }
    }

    private func origins(_ requests: [WebRequest]) -> [String?] { requests.map { $0.headerFields[.origin] } }

    // MARK: - Referer

    @Test func withoutAReferrerNothingIsSaid() async throws {
        let hops: [Hop] = [("https://a.test/", 307, "https://b.test/", "unsafe-url")]
        let requests = try await sent(to: "https://a.test/", from: nil, hops) { $0.httpMethod = "POST" }
        #expect(requests.count == 2)
        #expect(requests.allSatisfy { $0.headerFields.isEmpty })
        #expect(requests.allSatisfy { $0.referrerPolicy == .strictOriginWhenCrossOrigin })
    }

    @Test func eachHopSaysWhatThePolicyAllowsIt() async throws {
        let hops: [Hop] = [
            ("https://a.test/1", 302, "https://a.test/2", nil),
            ("https://a.test/2", 302, "https://b.test/", nil),
            ("https://b.test/", 302, "https://a.test/3", nil),
        ]
        let requests = try await sent(to: "https://a.test/1", from: "https://u:p@a.test/page?q#f", hops)
        // A referrer that was reduced to its origin is not restored.
        #expect(
            referers(requests) == [
                "https://a.test/page?q", "https://a.test/page?q", "https://a.test/", "https://a.test/",
            ]
        )
        #expect(requests.allSatisfy { $0.referrer?.href == "https://u:p@a.test/page?q#f" })
        #expect(origins(requests) == [nil, nil, nil, nil])
    }

    @Test func afterADowngradeNothingIsSaid() async throws {
        let hops: [Hop] = [
            ("https://a.test/1", 302, "http://b.test/", nil),
            ("http://b.test/", 302, "https://a.test/2", nil),
        ]
        let requests = try await sent(to: "https://a.test/1", from: "https://a.test/page", hops)
        #expect(referers(requests) == ["https://a.test/page", nil, nil])
    }

    @Test func aRedirectChangesThePolicy() async throws {
        let hops: [Hop] = [
            ("https://a.test/1", 302, "https://a.test/2", "future"),
            ("https://a.test/2", 302, "https://a.test/3", "no-referrer, origin"),
            ("https://a.test/3", 302, "https://a.test/4", "no-referrer"),
            ("https://a.test/4", 302, "https://a.test/5", "unsafe-url"),
        ]
        let requests = try await sent(to: "https://a.test/1", from: "https://a.test/page", hops)
        #expect(
            referers(requests) == ["https://a.test/page", "https://a.test/page", "https://a.test/", nil, nil]
        )
        #expect(requests.last?.referrerPolicy == .unsafeURL)
    }

    @Test func whatTheCallerSaysStays() async throws {
        let hops: [Hop] = [("https://a.test/", 307, "https://b.test/", "no-referrer")]
        let requests = try await sent(to: "https://a.test/", from: "https://a.test/page", hops) { request in
            request.httpMethod = "POST"
            request.headerFields[.referer] = "https://own.test/"
            request.headerFields[.origin] = "https://own.test"
        }
        #expect(referers(requests) == ["https://own.test/", "https://own.test/"])
        #expect(origins(requests) == ["https://own.test", "https://own.test"])
    }

    @Test func whatTheCallerOmitsIsNotSaid() async throws {
        let requests = try await sent(to: "https://a.test/", from: "https://a.test/page") { request in
            request.httpMethod = "POST"
            request.omittedFields = [.referer, .origin]
        }
        #expect(requests.map(\.headerFields.isEmpty) == [true])
    }

    @Test func aHostThatWantsTLSIsAskedSo() async throws {
        try await withTemporaryFolder { folder in
            let store = HSTSStore(directory: folder.path)
            let policy = try #require(StrictTransportSecurity("max-age=1000"))
            try store.note("b.test", policy, now: .now, isKept: true)
            let fetcher = ScriptedFetcher { .answering($0) }
            var request = WebRequest(url: try WebURL("http://b.test/"))
            request.httpMethod = "POST"
            request.referrer = try WebURL("https://a.test/page")
            let session = WebSession(cookieJar: nil, hstsStore: store, blockingWork: .inline)
            _ = try await RedirectFollower(fetcher: fetcher, session: session)
                .fetch(request, limits: LoadLimits())
            #expect(fetcher.requests.map(\.url.href) == ["https://b.test/"])
            #expect(referers(fetcher.requests) == ["https://a.test/"])
            #expect(origins(fetcher.requests) == ["https://a.test"])
        }
    }

    // MARK: - Origin

    @Test(
        "The policy says whether Origin names the page's origin",
        arguments: [
            (.noReferrer, ["null", "null", "null"]),
            (.noReferrerWhenDowngrade, ["https://a.test", "https://a.test", "null"]),
            (.sameOrigin, ["https://a.test", "null", "null"]),
            (.origin, ["https://a.test", "https://a.test", "https://a.test"]),
            (.strictOrigin, ["https://a.test", "https://a.test", "null"]),
            (.originWhenCrossOrigin, ["https://a.test", "https://a.test", "https://a.test"]),
            (.strictOriginWhenCrossOrigin, ["https://a.test", "https://a.test", "null"]),
            (.unsafeURL, ["https://a.test", "https://a.test", "https://a.test"]),
        ] as [(ReferrerPolicy, [String])]
    )
    func origin(policy: ReferrerPolicy, expected: [String]) async throws {
        var found: [String?] = []
        for url in ["https://a.test/x", "https://b.test/", "http://b.test/"] {
            found += origins(
                try await sent(to: url, from: "https://a.test/page") { request in
                    request.httpMethod = "POST"
                    request.referrerPolicy = policy
                }
            )
        }
        #expect(found == expected)
    }

    @Test(arguments: [("GET", false), ("HEAD", false), ("POST", true), ("PUT", true), ("DELETE", true)])
    func onlyWhatChangesSomethingHasAnOrigin(method: String, hasOrigin: Bool) async throws {
        let requests = try await sent(to: "https://a.test/", from: "https://a.test/") {
            $0.httpMethod = method
        }
        #expect(origins(requests) == [hasOrigin ? "https://a.test" : nil])
    }

    @Test(arguments: ["file:///home/page.html", "about:blank", "data:text/html,x"])
    func aPageWithoutAnOriginSaysSo(referrer: String) async throws {
        let requests = try await sent(to: "https://a.test/", from: referrer) { $0.httpMethod = "POST" }
        #expect(origins(requests) == ["null"])
        #expect(referers(requests) == [nil])
    }

    @Test(
        "What another origin sends on to a third one comes from nowhere",
        arguments: [
            (
                ["https://a.test/1", "https://b.test/", "https://a.test/2"],
                ["https://a.test", "https://a.test", "null"]
            ),
            (["https://b.test/1", "https://b.test/2"], ["https://a.test", "https://a.test"]),
            (
                ["https://b.test/", "https://c.test/", "https://c.test/2"],
                ["https://a.test", "null", "null"]
            ),
            (["https://a.test/1", "https://a.test/2"], ["https://a.test", "https://a.test"]),
        ]
    )
    func taint(urls: [String], expected: [String]) async throws {
        let hops = zip(urls, urls.dropFirst()).map { ($0, 307, $1, nil) as Hop }
        let first = try #require(urls.first)
        let requests = try await sent(to: first, from: "https://a.test/page", hops) { $0.httpMethod = "POST" }
        #expect(origins(requests) == expected)
    }

    @Test func aPostThatBecomesAGetHasNone() async throws {
        let hops: [Hop] = [("https://a.test/", 303, "https://a.test/2", nil)]
        let requests = try await sent(to: "https://a.test/", from: "https://a.test/page", hops) { request in
            request.httpMethod = "POST"
        }
        #expect(origins(requests) == ["https://a.test", nil])
        #expect(referers(requests) == ["https://a.test/page", "https://a.test/page"])
    }
}
