import HTTPTypes
import Testing

@testable import WebDocument
@testable import WebLoader
@testable import WebTransport

/// Tests of a response's fields on security, cookies and caching.
struct ResponseTests {
    private func security(
        _ fields: [(String, String)],
        url: String = "https://h.test/",
        markup: String = ""
    ) throws -> SecurityFields {
        try InspectionPages.page(markup, url: url, fields: fields).securityFields
    }

    @Test func fieldsAreRead() throws {
        let security = try security([
            ("Strict-Transport-Security", "max-age=31536000; includeSubDomains; Preload"),
            ("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'"),
            ("Content-Security-Policy-Report-Only", "img-src x"), ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer, nosuch, Same-Origin"),
            ("Permissions-Policy", "geolocation=(), camera=(self \"https://a.test,b\"), usb=*"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Embedder-Policy", "require-corp"),
            ("Cross-Origin-Resource-Policy", "same-site"),
        ])
        #expect(security.transportSecurity?.maximumAge == 31_536_000)
        #expect(security.transportSecurity?.includesSubdomains == true)
        #expect(security.transportSecurity?.isPreload == true)
        #expect(security.contentSecurityPolicies.map(\.isReportOnly) == [false, true])
        #expect(security.isNoSniff)
        #expect(security.frameOptions == "deny")
        #expect(security.referrerPolicy == "same-origin")
        #expect(security.permissions.map(\.feature) == ["geolocation", "camera", "usb"])
        #expect(security.permissions.map(\.allowlist) == ["()", "(self \"https://a.test,b\")", "*"])
        #expect(
            [security.openerPolicy, security.embedderPolicy, security.resourcePolicy]
                == ["same-origin", "require-corp", "same-site"]
        )
        #expect(security.findings.isEmpty)
    }

    @Test func policiesOfTheHeadCountAndNoOthers() throws {
        let security = try security(
            [],
            markup: """
                <head><meta http-equiv=Content-Security-Policy content="img-src a"><body>\
                <meta http-equiv=content-security-policy content="img-src b">
                """
        )
        #expect(security.contentSecurityPolicies.map { $0.values(of: "img-src") } == [["a"]])
        #expect(security.contentSecurityPolicies.first?.source == .meta)
    }

    @Test(
        arguments: [
            ("https://h.test/", [], ["no-hsts", "no-csp", "sniffing", "framing"]),
            ("http://h.test/", [("X-Frame-Options", "sameorigin")], ["no-tls", "no-csp", "sniffing"]),
            (
                "https://h.test/",
                [
                    ("Strict-Transport-Security", "max-age=5"), ("X-Frame-Options", "allow-from x"),
                    ("Referrer-Policy", "unsafe-url"),
                ],
                ["short-hsts", "no-csp", "sniffing", "unknown-frame-options", "leaking-referrer"]
            ),
            ("https://h.test/", [("Content-Security-Policy", "frame-ancestors x")], ["no-hsts", "sniffing"]),
            (
                "https://h.test/", [("Content-Security-Policy-Report-Only", "frame-ancestors x")],
                ["no-hsts", "no-csp", "sniffing", "framing"]
            ),
        ] as [(String, [(String, String)], [String])]
    )
    func findings(url: String, fields: [(String, String)], expected: [String]) throws {
        #expect(try security(fields, url: url).findings.map(\.code.rawValue) == expected)
    }

    @Test(arguments: ["", "=", ",,,", "a", "a=(", "a=\"", "\u{FF}=x", ", a=1 ,"])
    func brokenPermissionsAreTaken(field: String) throws {
        _ = try security([("Permissions-Policy", field)])
    }

    // MARK: - Cookies

    @Test(
        arguments: [
            ("a=b", "a=b", ["not-secure", "not-http-only", "no-same-site"]),
            ("a=b; Secure; HttpOnly; SameSite=Strict", "a=b", []),
            ("a=b; SameSite=None; HttpOnly", "a=b", ["refused", "not-secure"]),
            ("a=b; SameSite=x; secure; httponly", "a=b", ["no-same-site"]),
            ("b", "=b", ["not-secure", "not-http-only", "no-same-site"]),
            ("", "=", ["refused", "not-secure", "not-http-only", "no-same-site"]),
            ("__Host-a=b; HttpOnly; SameSite=Lax", "__Host-a=b", ["refused", "not-secure"]),
            (" a = b = c ; Domain=other.test; Secure; HttpOnly; SameSite=Lax", "a=b = c", ["refused"]),
        ]
    )
    func cookies(field: String, pair: String, findings: [String]) throws {
        let page = try InspectionPages.page("", url: "https://h.test/", fields: [("Set-Cookie", field)])
        let cookie = try #require(page.response.setCookies.first)
        #expect("\(cookie.name)=\(cookie.value)" == pair)
        #expect(cookie.findings.map(\.rawValue) == findings)
    }

    @Test func cookiesHaveTheirAttributes() throws {
        let field =
            "a=b; Domain=.H.test; Path=/x; Expires=Wed, 09 Jun 2038 10:18:14 GMT; Max-Age=60; Partitioned; SameSite=LAX"
        let page = try InspectionPages.page("", url: "https://h.test/", fields: [("Set-Cookie", field)])
        let cookie = try #require(page.response.setCookies.first)
        #expect(cookie.domain == "h.test")
        #expect(cookie.path == "/x")
        #expect(cookie.expires?.text == "2038-06-09T10:18:14Z")
        #expect(cookie.maximumAge == 60)
        #expect(cookie.isPartitioned)
        #expect(cookie.sameSite == .lax)
    }

    // MARK: - Caching

    private static let date = "Wed, 09 Jun 2027 10:18:14 GMT"

    @Test(
        arguments: [
            ([("Cache-Control", "max-age=60")], "fresh for 60 s (max-age)"),
            ([("Cache-Control", "no-store")], "not stored: the response has Cache-Control: no-store"),
            (
                [("Cache-Control", "no-cache"), ("ETag", "\"a\"")],
                "stored; validated before each use"
            ),
            (
                [("Cache-Control", "no-cache")],
                "stored, but never used: it needs validation before each use and has no validator"
            ),
            ([("Expires", "0")], "stored, but never fresh (expires)"),
            (
                [("Date", date), ("Last-Modified", "Wed, 09 Jun 2027 10:16:34 GMT")],
                "fresh for 10 s, estimated from Last-Modified"
            ),
            ([("ETag", "\"a\"")], "stored; validated before each use, because no lifetime is stated"),
            ([], "stored, but never used: it has neither a lifetime nor a validator"),
            (
                [("Cache-Control", "max-age=60"), ("Vary", "*")],
                "stored, but not used for other requests: Vary is *"
            ),
        ] as [([(String, String)], String)]
    )
    func caching(fields: [(String, String)], expected: String) throws {
        let caching = try #require(try InspectionPages.page("", fields: fields).response.caching)
        #expect(caching.explanation == expected)
    }

    @Test func cachingIsTakenApart() throws {
        let caching = try #require(
            try InspectionPages.page(
                "",
                fields: [
                    ("Cache-Control", "private, max-age=9, s-maxage=8, must-revalidate, immutable"),
                    ("Cache-Control", "stale-while-revalidate=7, stale-if-error=6"), ("ETag", "\"a\""),
                    ("Last-Modified", Self.date), ("Vary", "Accept, Cookie ,,"),
                ]
            ).response.caching
        )
        #expect(caching.freshnessLifetime == 9)
        #expect(caching.sharedLifetime == 8)
        #expect(caching.isPrivate && caching.mustRevalidate && caching.isImmutable && caching.isStorable)
        #expect(caching.staleWhileRevalidate == 7)
        #expect(caching.staleIfError == 6)
        #expect(caching.validators == ["ETag", "Last-Modified"])
        #expect(caching.varyingFields == ["accept", "cookie"])
    }

    @Test func whatDidNotComeOverHTTPHasNothingToSay() async throws {
        let page = try await PageLoader.offline().loadHTMLString("<p>", baseURL: nil).parsed()
        #expect(page.response.caching == nil)
        #expect(page.response.setCookies.isEmpty)
        #expect(page.securityFields.findings.isEmpty)
    }
}
