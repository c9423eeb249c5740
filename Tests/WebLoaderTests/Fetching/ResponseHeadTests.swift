import HTTPTypes
import Testing

@testable import WebTransport

struct ResponseHeadTests {
    private func head(
        _ lines: [String],
        maximumSize: Int = 1 << 16,
        maximumFields: Int = 1000
    ) throws(FetchError) -> ResponseHead {
        var head = ResponseHead()
        var limits = LoadLimits()
        limits.maximumHeaderSize = maximumSize
        limits.maximumHeaderFields = maximumFields
        for line in lines {
            var failure: FetchError?
            let bytes = Array(line.utf8)
            unsafe bytes.withUnsafeBytes { bytes in
                do throws(FetchError) {
                    try unsafe head.take(bytes, limits: limits)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
        return head
    }

    @Test(
        "A line gives a field or none",
        arguments: [
            ("A: b\r\n", "A", "b"), ("A:b\n", "A", "b"), ("A: \t b \t\r\n", "A", "b"), ("A:\r\n", "A", ""),
            ("A: b: c\r\n", "A", "b: c"), ("A: ä\r\n", "A", "ä"), ("a-B_c!: x\r\n", "a-B_c!", "x"),
            ("A : b\r\n", nil, nil), (": b\r\n", nil, nil), ("no colon\r\n", nil, nil),
            (" folded: b\r\n", nil, nil),
            ("ä: b\r\n", nil, nil), ("A: b\rc\r\n", "A", "b c"),
        ] as [(String, String?, String?)]
    )
    func fields(line: String, name: String?, value: String?) throws {
        let head = try head(["HTTP/1.1 200 OK\r\n", line, "\r\n"])
        #expect(head.fields.map(\.name.rawName) == [name].compactMap(\.self))
        #expect(head.fields.map(\.value) == [value].compactMap(\.self))
        #expect(head.isComplete)
    }

    @Test(
        "The status is three digits",
        arguments: [
            ("HTTP/1.1 200 OK", 200), ("HTTP/2 404 ", 404), ("HTTP/1.0 503", 503), ("HTTP/1.1   999  x", 999),
            ("HTTP/1.1 99 x", nil), ("HTTP/1.1 2000 x", nil), ("HTTP/1.1 2x0 x", nil), ("HTTP/1.1 ", nil),
            ("HTTP/1.1", nil), ("HTTP/", nil), ("HTTP/1.1 -20 x", nil), ("HTTP/1.1 000 x", nil),
            ("HTTP/1.1 099 x", nil), ("HTTP/1.1 101 Switching Protocols", nil),
        ] as [(String, Int?)]
    )
    func status(line: String, expected: Int?) {
        do {
            #expect(try head(["\(line)\r\n", "\r\n"]).status == expected)
        } catch {
            #expect(error.code == .malformedResponse)
            #expect(expected == nil)
        }
    }

    @Test func interimResponsesStandBesideTheFinalOne() throws {
        let head = try head([
            "HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n",
            "HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n", "Trailer: x\r\n", "HTTP/1.1 500 No\r\n",
        ])
        #expect(head.interim.map(\.status) == [100, 103])
        #expect(head.interim.map { $0.headerFields.map(\.value) } == [[], ["</a>"]])
        #expect(head.status == 200)
        #expect(head.fields.map(\.name.rawName) == ["A"])
        #expect(head.isComplete)
    }

    @Test func everyByteCounts() throws {
        let lines = ["HTTP/1.1 103 x\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n", "T: x\r\n"]
        let size = lines.reduce(0) { $0 + $1.utf8.count }
        #expect(try head(lines, maximumSize: size).size == size)
        #expect(throws: FetchError.headersTooLarge(limit: size - 1, reached: size)) {
            try head(lines, maximumSize: size - 1)
        }
    }

    @Test func refusesNUL() {
        let error = #expect(throws: FetchError.self) { try head(["HTTP/1.1 200 OK\r\n", "A: b\0\r\n"]) }
        #expect(error?.code == .malformedResponse)
    }

    @Test func takesAnything() throws {
        #expect(try head(["", "\r\n", "\r\n", "\n", ":", "\r\r\r"]).isComplete == false)
    }

    @Test(
        "A line that begins with white space goes on with the one before",
        arguments: [
            (["A: b\r\n", " c\r\n"], ["b c"]), (["A: b \r\n", "\t c \t\r\n", "  d\r\n"], ["b c d"]),
            (["A: b\r\n", " \r\n"], ["b"]), (["not a: b\r\n", " c\r\n"], []),
            ([" c\r\n", "A: b\r\n"], ["b"]),
        ]
    )
    func foldedLines(lines: [String], values: [String]) throws {
        #expect(try head(["HTTP/1.1 200 OK\r\n"] + lines + ["\r\n"]).fields.map(\.value) == values)
    }

    @Test(arguments: ["Content-Length: 5", "transfer-encoding: gzip,"])
    func whatTellsTheLengthIsNotFolded(line: String) {
        let error = #expect(throws: FetchError.self) {
            try head(["HTTP/1.1 200 OK\r\n", "\(line)\r\n", " 6\r\n"])
        }
        #expect(error?.code == .malformedResponse)
    }

    @Test func fieldsAreCounted() throws {
        let lines = [
            "HTTP/1.1 103 x\r\n", "A: b\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "A: b\r\n", " c\r\n", "\r\n",
            "T: x\r\n",
        ]
        #expect(try head(lines, maximumFields: 4).fieldCount == 4)
        #expect(throws: FetchError.tooManyFields(limit: 3)) { try head(lines, maximumFields: 3) }
    }
}
