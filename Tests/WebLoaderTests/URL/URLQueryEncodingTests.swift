import Foundation
import Testing

@testable import WebStandards

struct URLQueryEncodingTests {
    private func parse(_ input: String, _ encoding: TextEncoding, base: String? = nil) throws -> String {
        let base = try base.map { base in try WebURL(base) }
        return try WebURL.parse(utf8: input.utf8.span, base: base, queryEncoder: TextEncoder(encoding)).href
    }

    @Test(arguments: [
        ("http://h/ä?ä#ä", "http://h/%C3%A4?%E4#%C3%A4"),
        ("?ä☕'", "http://base/?%E4%26%239749%3B%27"),
        (" ?\tä\n ", "http://base/?%E4"),
        ("#?ä", "http://base/?%C3%B6#?%C3%A4"),
        ("file:?ä#", "file:///?%E4#"),
        ("ws://h/?ä", "ws://h/?%C3%A4"),
        ("foo:x?ä", "foo:x?%C3%A4"),
        ("http://h/?a b", "http://h/?a%20b"),
    ])
    func encodesTheQueryAlone(input: String, expected: String) throws {
        #expect(try parse(input, .windows1252, base: "http://base/?ö") == expected)
    }

    /// ISO-2022-JP shifts out of ASCII and has to be back in it at the end.
    @Test func endsTheEncodersState() throws {
        #expect(try parse("http://h/?aあb", .iso2022JP) == "http://h/?a%1B$B$%22%1B(Bb")
        #expect(try parse("http://h/?あ#x", .iso2022JP) == "http://h/?%1B$B$%22%1B(B#x")
    }

    @Test func writesFormsInAnEncoding() {
        let parameters = URLSearchParameters(parsing: "ä=† ☕")
        #expect(parameters.serialized(using: TextEncoder(.windows1252)) == "%E4=%86+%26%239749%3B")
    }

    // MARK: percent-encoding.json

    struct Case: Decodable, Sendable {
        let input: String
        let output: [String: String]
    }

    @Test(.enabled(if: SharedURLData.isPresent, SharedURLData.absence))
    func percentEncodesAfterEncoding() throws {
        var count = 0
        for testCase in SharedURLData.cases("percent-encoding.json", as: Case.self) {
            for (label, expected) in testCase.output {
                let encoding = try #require(TextEncoding(label: label), "\(label)")
                let url = try WebURL.parse(
                    utf8: "https://doesnotmatter.invalid/?\(testCase.input)#\(testCase.input)".utf8.span,
                    base: nil,
                    queryEncoder: TextEncoder(encoding)
                )
                #expect(url.query == expected, "\(label)")
                #expect(url.fragment == testCase.output["utf-8"], "\(label)")
                count += 1
            }
        }
        #expect(SharedURLData.isCount(count, ofPart: 11))
    }
}
