import Testing

@testable import WebDocument

/// Content-Security-Policy: its directives, and what is weak in it.
struct ContentSecurityPolicyTests {
    private func policy(_ text: String, isReportOnly: Bool = false) throws -> ContentSecurityPolicy {
        try #require(ContentSecurityPolicy(text.utf8, source: .field, isReportOnly: isReportOnly))
    }

    @Test(
        arguments: [
            ("default-src 'self'; IMG-SRC *", ["default-src 'self'", "img-src *"]),
            (" ;; a  b\tc ;", ["a b c"]), ("a x; A y", ["a x"]), ("sandbox", ["sandbox"]),
        ]
    )
    func directives(text: String, expected: [String]) throws {
        #expect(
            try policy(text).directives.map { ([$0.name] + $0.values).joined(separator: " ") } == expected
        )
    }

    @Test(arguments: ["", ";", " \t;; "]) func whatHasNoDirectiveIsNone(text: String) {
        #expect(ContentSecurityPolicy(text.utf8, source: .field, isReportOnly: false) == nil)
    }

    @Test func fieldsHoldSeveral() {
        let policies = ContentSecurityPolicy.policies(
            ofFields: ["default-src a, img-src b", "", "x"],
            isReportOnly: false
        )
        #expect(policies.map { $0.directives[0].name } == ["default-src", "img-src", "x"])
    }

    @Test(
        arguments: [
            ("default-src 'self'; base-uri 'none'", []), ("upgrade-insecure-requests", []),
            ("frame-ancestors 'none'", []),
            ("img-src *; base-uri 'none'", ["scripts-unrestricted", "objects-unrestricted"]),
            ("default-src 'none'", ["base-unrestricted"]),
            (
                "default-src 'self' 'unsafe-inline' 'UNSAFE-EVAL'; base-uri x",
                ["unsafe-inline", "unsafe-eval"]
            ),
            ("default-src x; script-src 'nonce-a' 'unsafe-inline' https:; base-uri x", ["wildcard"]),
            (
                "default-src x; script-src 'nonce-a' 'strict-dynamic' 'unsafe-inline' https: http://a; base-uri x",
                []
            ),
            (
                "default-src x; script-src * data: http://a.test; base-uri x",
                ["wildcard", "wildcard", "insecure-source"]
            ),
            ("default-src x; base-uri x; scrip-src y", ["unknown-directive"]),
        ]
    )
    func weaknesses(text: String, expected: [String]) throws {
        #expect(try policy(text).weaknesses.map(\.code.rawValue) == expected)
    }

    @Test func whatIsOnlyReportedIsWeak() throws {
        #expect(try policy("frame-ancestors x", isReportOnly: true).weaknesses.map(\.code) == [.reportOnly])
    }

    @Test(arguments: [("script-src ", "http: "), ("", "x-unknown y;")])
    func noMoreThanAHundredWeaknessesOfAKindAreGiven(start: String, unit: String) throws {
        let numbered = (0..<1000).map { unit.replacing("unknown", with: "unknown\($0)") }.joined()
        #expect((100..<110).contains(try policy(start + numbered).weaknesses.count))
    }

    @Test func manyDirectivesTakeLinearTime() throws {
        let text = (0..<100_000).map { "d\($0) x" }.joined(separator: ";")
        #expect(try policy(text).directives.count == 100_000)
    }
}
