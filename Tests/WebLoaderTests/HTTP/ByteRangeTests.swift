import Testing

@testable import WebStandards

struct ByteRangeTests {
    @Test(
        "One range of bytes is read, and resolved (RFC 9110, 14.1.2)",
        arguments: [
            ("bytes=0-4", 0..<5), ("bytes=5-", 5..<10), ("bytes=-3", 7..<10), ("bytes=0-99", 0..<10),
            ("bytes=-99", 0..<10), ("BYTES=9-9", 9..<10), (" bytes=0-0 ", 0..<1),
            ("bytes=0-99999999999999999999", 0..<10), ("bytes=10-", nil), ("bytes=-0", nil),
            ("bytes=99999999999999999999-", nil),
        ] as [(String, Range<Int64>?)]
    )
    func ranges(field: String, positions: Range<Int64>?) throws {
        #expect(try #require(ByteRange(field)).positions(of: 10) == positions)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=4-3", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b",
        "bytes=0 -1", "bytes=+1-2",
    ])
    func othersAreNone(field: String) {
        #expect(ByteRange(field) == nil)
    }

    @Test(arguments: [ByteRange.bounded(first: 0, last: 0), .from(0), .suffix(1), .from(.max), .suffix(.max)])
    func nothingHasNoPart(range: ByteRange) {
        #expect(range.positions(of: 0) == nil)
        _ = range.positions(of: .max)
    }

    @Test(
        "A part says which it is (RFC 9110, 14.4)",
        arguments: [
            ("bytes 0-4/10", 0..<5, 10), ("bytes 5-9/*", 5..<10, nil), ("Bytes 9-9/10", 9..<10, 10),
        ] as [(String, Range<Int64>, Int64?)]
    )
    func parts(field: String, positions: Range<Int64>, length: Int64?) throws {
        let range = try #require(ContentRange(field))
        #expect(range.positions == positions)
        #expect(range.completeLength == length)
        #expect(ContentRange(range.description) == range)
    }

    @Test(
        arguments: [
            "", "bytes", "bytes 0-4", "bytes 4-0/10", "bytes 0-10/10", "bytes */10", "lines 0-4/10",
            "bytes=0-4/10",
            "bytes 0-9223372036854775807/*", "bytes 0-4/10 x", "bytes -4/10",
        ]
    )
    func othersAreNoPart(field: String) {
        #expect(ContentRange(field) == nil)
    }
}
