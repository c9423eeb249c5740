import HTTPTypes
import Testing

@testable import WebStandards

/// RFC 6797, section 6.1.
struct StrictTransportSecurityTests {
    @Test(
        "The field is read as the grammar has it",
        arguments: [
            ("max-age=31536000", 31_536_000, false), ("max-age=0", 0, false), ("MAX-AGE=5", 5, false),
            ("max-age=\"5\"", 5, false), (" max-age = 5 ; includeSubDomains ", 5, true),
            ("includesubdomains;max-age=5", 5, true), ("max-age=5; preload", 5, false),
            (";;max-age=5;;", 5, false),
            ("max-age=5; a=b; c=\"d;e\"", 5, false),
            ("max-age=99999999999999999999", 9_007_199_254_740_992, false),
        ] as [(String, Int64, Bool)]
    )
    func reads(value: String, age: Int64, includesSubdomains: Bool) throws {
        let policy = try #require(StrictTransportSecurity(value))
        #expect(policy.maximumAge == age)
        #expect(policy.includesSubdomains == includesSubdomains)
    }

    @Test(
        "What is not as the grammar has it does not count",
        arguments: [
            "", "includeSubDomains", "max-age", "max-age=", "max-age=x", "max-age=-1", "max-age=1.5",
            "max-age=5; max-age=5",
            "max-age=5; max-age=6", "max-age=5; includeSubDomains; includesubdomains",
            "max-age=5 includeSubDomains",
            "max-age=5, includeSubDomains", "max-age=\"5", "=5", "max-age=5; includeSubDomains=1",
            "max-age=5; =",
        ]
    )
    func refuses(value: String) {
        #expect(StrictTransportSecurity(value) == nil)
    }

    @Test func theFirstFieldCounts() {
        let fields = HTTPFields(lines: [
            ("Strict-Transport-Security", "max-age=5"), ("Strict-Transport-Security", "max-age=0"),
        ])
        #expect(StrictTransportSecurity(fields)?.maximumAge == 5)
        #expect(StrictTransportSecurity(HTTPFields()) == nil)
    }
}
