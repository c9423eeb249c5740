import HTTPTypes
import Testing

@testable import WebStandards

/// Tests of the referrer that the standard lets a request send.
///
/// <https://w3c.github.io/webappsec-referrer-policy/>
struct ReferrerPolicyTests {
    // MARK: - Sent referrers

    /// A row: the source, the target, and the referrer by each policy, in the order of `ReferrerPolicy.allCases`.
    struct Row: Sendable, CustomTestStringConvertible {
        let source: String
        let target: String
        let sent: [String?]

        init(_ source: String, _ target: String, _ sent: [String?]) {
            (self.source, self.target, self.sent) = (source, target, sent)
        }

        /// From one origin to another, without a downgrade.
        static func crossing(_ source: String, _ target: String, url: String, origin: String) -> Row {
            Row(source, target, [nil, url, nil, origin, origin, origin, origin, url])
        }

        /// Within an origin.
        static func staying(_ source: String, _ target: String, url: String, origin: String) -> Row {
            Row(source, target, [nil, url, url, origin, origin, url, url, url])
        }

        /// From a secure page to what is not.
        static func falling(_ source: String, _ target: String, url: String, origin: String) -> Row {
            Row(source, target, [nil, nil, nil, origin, nil, origin, nil, url])
        }

        /// With nothing to say.
        static func silent(_ source: String, _ target: String) -> Row {
            Row(source, target, Array(repeating: nil, count: 8))
        }

        var testDescription: String { "\(source.prefix(60)) -> \(target)" }
    }

    private static let long = String(repeating: "x", count: 4096 - "https://a.test/".utf8.count)

    static let rows: [Row] = [
        .staying(
            "https://a.test/x?y",
            "https://a.test/z",
            url: "https://a.test/x?y",
            origin: "https://a.test/"
        ),
        .staying("http://a.test/x", "http://a.test:80/z", url: "http://a.test/x", origin: "http://a.test/"),
        .crossing(
            "https://a.test/x?y",
            "https://b.test/",
            url: "https://a.test/x?y",
            origin: "https://a.test/"
        ),
        .crossing(
            "https://a.test/x",
            "https://www.a.test/",
            url: "https://a.test/x",
            origin: "https://a.test/"
        ),
        .crossing(
            "https://a.test:8443/x",
            "https://a.test/",
            url: "https://a.test:8443/x",
            origin: "https://a.test:8443/"
        ),
        .crossing("http://a.test/x", "https://a.test/", url: "http://a.test/x", origin: "http://a.test/"),
        .crossing("http://a.test/x", "http://b.test/", url: "http://a.test/x", origin: "http://a.test/"),
        .falling("https://a.test/x", "http://a.test/", url: "https://a.test/x", origin: "https://a.test/"),
        .falling("https://a.test/x", "http://b.test/", url: "https://a.test/x", origin: "https://a.test/"),
        .falling("https://a.test/x", "http://128.0.0.1/", url: "https://a.test/x", origin: "https://a.test/"),
        .falling(
            "https://a.test/x",
            "http://127.a.test/",
            url: "https://a.test/x",
            origin: "https://a.test/"
        ),
        .falling(
            "https://a.test/x",
            "http://localhost.test/",
            url: "https://a.test/x",
            origin: "https://a.test/"
        ),
        // This machine is as safe as TLS.
        .crossing(
            "https://a.test/x",
            "http://localhost/",
            url: "https://a.test/x",
            origin: "https://a.test/"
        ),
        .crossing(
            "https://a.test/x",
            "http://b.localhost./",
            url: "https://a.test/x",
            origin: "https://a.test/"
        ),
        .crossing(
            "https://a.test/x",
            "http://127.9.9.9:80/",
            url: "https://a.test/x",
            origin: "https://a.test/"
        ),
        .crossing("https://a.test/x", "http://[::1]/", url: "https://a.test/x", origin: "https://a.test/"),
        .falling("http://[::1]:81/x", "http://a.test/", url: "http://[::1]:81/x", origin: "http://[::1]:81/"),
        // Parts of a URL that are never sent.
        .staying(
            "https://u:p@a.test/x#f",
            "https://a.test/",
            url: "https://a.test/x",
            origin: "https://a.test/"
        ),
        .crossing(
            "https://u:p@a.test/x#f",
            "https://b.test/",
            url: "https://a.test/x",
            origin: "https://a.test/"
        ),
        // 4096 bytes are sent, one more is not.
        .staying(
            "https://a.test/\(long)#f",
            "https://a.test/",
            url: "https://a.test/\(long)",
            origin: "https://a.test/"
        ),
        .staying(
            "https://a.test/\(long)x",
            "https://a.test/",
            url: "https://a.test/",
            origin: "https://a.test/"
        ),
        .silent("file:///home/a.html", "https://a.test/"), .silent("about:blank", "https://a.test/"),
        .silent("about:srcdoc", "http://a.test/"), .silent("data:text/html,x", "https://a.test/"),
        .silent("blob:https://a.test/x", "https://a.test/"), .silent("ftp://a.test/", "https://a.test/"),
    ]

    @Test("Each policy sends what it says", arguments: rows)
    func sent(row: Row) throws {
        let (source, target) = (try WebURL(row.source), try WebURL(row.target))
        #expect(ReferrerPolicy.allCases.map { $0.referrer(from: source, to: target) } == row.sent)
    }

    // MARK: - Reading

    @Test(
        "The last policy of the fields that is known counts",
        arguments: [
            (["no-referrer"], .noReferrer), (["no-referrer, origin"], .origin), (["origin,future"], .origin),
            (["origin", "unsafe-url"], .unsafeURL), (["origin", "x"], .origin),
            ([" \tSame-Origin\t ,,"], .sameOrigin),
            (["strict-origin-when-cross-origin, no referrer"], .strictOriginWhenCrossOrigin),
            // The legacy words are for markup only.
            (["never"], nil), (["\"origin\""], nil), ([""], nil), ([], nil),
        ] as [([String], ReferrerPolicy?)]
    )
    func fields(values: [String], expected: ReferrerPolicy?) {
        let fields = HTTPFields(lines: values.map { ("Referrer-Policy", $0) } + [("Referer", "no-referrer")])
        #expect(ReferrerPolicy(fields) == expected)
    }

    @Test(
        "Attributes have the policies in any case, and meta elements older words too",
        arguments: [
            ("no-referrer", .noReferrer, .noReferrer), ("ORIGIN", .origin, .origin),
            ("no-referrer-when-downgrade", .noReferrerWhenDowngrade, .noReferrerWhenDowngrade),
            ("same-origin", .sameOrigin, .sameOrigin), ("strict-origin", .strictOrigin, .strictOrigin),
            ("never", nil, .noReferrer), ("Default", nil, .strictOriginWhenCrossOrigin),
            ("always", nil, .unsafeURL),
            ("origin-when-crossorigin", nil, .originWhenCrossOrigin),
            ("origin-when-cross-origin", .originWhenCrossOrigin, .originWhenCrossOrigin),
            ("", nil, nil), (" origin", nil, nil), ("origin, no-referrer", nil, nil),
            ("unsafe-url\u{0}", nil, nil),
        ] as [(String, ReferrerPolicy?, ReferrerPolicy?)]
    )
    func attributes(value: String, attribute: ReferrerPolicy?, meta: ReferrerPolicy?) {
        #expect(ReferrerPolicy(attribute: value) == attribute)
        #expect(ReferrerPolicy(metaContent: value) == meta)
    }

    // MARK: - Of a request

    @Test func aRequestComesFromNowhereUnlessItIsSaid() throws {
        var request = WebRequest(url: try WebURL("https://a.test/"))
        #expect(request.referrer == nil)
        #expect(request.referrerPolicy == .strictOriginWhenCrossOrigin)
        #expect(!request.isCrossSite)
        let plain = request
        request.referrer = try WebURL("https://b.test/")
        #expect(request != plain)
        #expect(request.isCrossSite)
    }

    @Test(
        "A site is a scheme and what somebody has registered",
        arguments: [
            ("https://a.com/", "https://www.a.com:81/x", true),
            ("https://x.a.com/", "https://y.z.a.com/", true),
            ("https://a.com/", "http://a.com/", false), ("https://a.com/", "https://b.com/", false),
            ("https://a.co.uk/", "https://b.co.uk/", false), ("https://x.a.co.uk/", "https://a.co.uk/", true),
            ("https://co.uk/", "https://a.co.uk/", false), ("https://co.uk:1/", "https://co.uk/", true),
            ("https://a.github.io/", "https://b.github.io/", false),
            ("https://a.com/", "https://a.com./", false),
            ("http://127.0.0.1/", "http://127.0.0.1:81/", true),
            ("http://127.0.0.1/", "http://1.0.0.1/", false),
            ("http://[::1]/", "http://[::1]:81/", true), ("http://[::1]/", "http://[::2]/", false),
            ("http://localhost/", "http://localhost:81/", true), ("http://a.test/", "http://b.a.test/", true),
            ("file:///a", "file:///a", false), ("about:blank", "https://a.com/", false),
        ]
    )
    func sites(one: String, other: String, areSame: Bool) throws {
        let (one, other) = (try WebURL(one), try WebURL(other))
        #expect(one.isSameSite(as: other) == areSame)
        #expect(other.isSameSite(as: one) == areSame)
    }
}
