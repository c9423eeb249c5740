import HTTPTypes
import Testing

@testable import WebTransport

/// RFC 9112, section 6.3.
struct ResponseFramingTests {
    private func framing(
        _ lines: [(String, String)],
        status: Int = 200,
        method: String = "GET"
    ) throws(FetchError) -> ResponseFraming {
        try ResponseFraming(HTTPFields(lines: lines), status: status, method: method)
    }

    @Test(
        "A length is a number, and one number",
        arguments: [
            ([], nil), (["5"], 5), (["0"], 0), (["005"], 5), ([" 5\t"], 5), (["5", "5"], 5), (["5, 5"], 5),
            (["5,5", "005"], 5), (["9223372036854775807"], 9_007_199_254_740_992),
            (["99999999999999999999"], 9_007_199_254_740_992),
        ] as [([String], Int64?)]
    )
    func length(values: [String], expected: Int64?) throws {
        #expect(try framing(values.map { ("Content-Length", $0) }).contentLength == expected)
    }

    @Test(
        "Any other length is an error",
        arguments: [
            ["5", "6"], ["5, 6"], ["5x"], ["x"], [""], ["-5"], ["+5"], ["5 5"], ["5,"], [",5"], ["5.0"],
            ["0x5"], ["5", ""],
            ["5;a=b"], ["\u{0661}"],
        ]
    )
    func malformedLength(values: [String]) {
        let error = #expect(throws: FetchError.self) { try framing(values.map { ("Content-Length", $0) }) }
        #expect(error?.code == .malformedResponse)
    }

    @Test(
        "Chunks come without a length, and no other transfer coding is taken",
        arguments: [
            (["chunked"], true), (["Chunked"], true), (["identity"], true), ([""], true),
            ([" chunked ,"], true),
            (["gzip, chunked"], false), (["chunked, gzip"], false), (["chunked", "chunked"], false),
            (["gzip"], false),
            (["identity, chunked"], false), (["xchunked"], false), (["chunked;a=b"], false),
        ]
    )
    func transferCoding(values: [String], isTaken: Bool) {
        let lines = values.map { ("Transfer-Encoding", $0) }
        #expect(((try? framing(lines)) != nil) == isTaken)
    }

    @Test func chunkedStandsBeforeALength() throws {
        let lines = [("Transfer-Encoding", "chunked"), ("Content-Length", "5"), ("Content-Length", "6")]
        #expect(try framing(lines).contentLength == nil)
        #expect(throws: FetchError.self) {
            try framing([("Transfer-Encoding", "identity")] + lines.dropFirst())
        }
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304), ("HEAD", 404)])
    func withoutABodyTheLengthDoesNotCount(method: String, status: Int) throws {
        let lines = [("Content-Length", "5"), ("Content-Length", "6x")]
        #expect(try framing(lines, status: status, method: method).contentLength == nil)
    }
}
