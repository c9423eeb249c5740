import Testing
import WebLoader

@testable import webinspect

/// How lines of inputs are read.
struct PageInputTests {
    private func input(_ text: String, number: Int = 7) -> PageInput? {
        PageInput(Array(text.utf8)[...], number: number)
    }

    @Test(arguments: [
        (#"{"id":123456789012345678901234567890,"html":""}"#, "123456789012345678901234567890"),
        (#"{"id": { "a" : [1, "x \" ,}]"] } ,"html":""}"#, #"{"a":[1,"x \" ,}]"]}"#),
        (#"{"id":null,"html":""}"#, "null"), (#"{"id":-0.0e5,"html":""}"#, "-0.0e5"), (#"{"html":""}"#, "7"),
        (#"{"id":1,"id":"b","html":""}"#, #""b""#), (#"{"id":"\ud800","html":""}"#, #""\ud800""#),
        (#"{"id":[ ]}"#, "[]"), (#"{"id":1"#, "7"), ("http://a.test/", "7"),
        (#"{"id":1e999 , "url":"x"}"#, "1e999"),
    ])
    func `an ID stays as it was given`(_ line: String, _ id: String) throws {
        #expect(String(decoding: try #require(input(line)).id, as: UTF8.self) == id)
    }

    @Test(arguments: [
        (#"{"id":1"#, "input.json"), ("{", "input.json"), (#"{"id":1}"#, "input.form"),
        (#"{"url":5}"#, "input.form"),
        ("-", "input.form"), (#"{"url":"-"}"#, "input.form"), (#"{"warc":"f"}"#, "input.form"),
        (#"{"warc":"f","offset":-1}"#, "input.form"), (#"{"warc":"f","offset":1.5}"#, "input.form"),
        (#"{"warc":"f","offset":99999999999999999999}"#, "input.form"),
        (#"{"warc":"f","offset":0,"length":-1}"#, "input.form"),
        (#"{"a":"# + String(repeating: "[", count: 100_000), "input.json"),
    ])
    func `a mistake is the line's`(_ line: String, _ code: String) throws {
        guard case .failure(let failure) = try #require(input(line)).content else {
            Issue.record("it was understood")
            return
        }
        #expect(failure.code == code)
    }

    @Test func `a line that is no UTF-8 is a mistake`() throws {
        guard case .failure(let failure) = try #require(PageInput([0x61, 0xFF][...], number: 1)).content
        else {
            Issue.record("it was understood")
            return
        }
        #expect(failure.code == "input.encoding")
    }

    @Test func `HTML may say its URL by either name`() throws {
        for line in [
            #"{"html":"a","url":"http://u.test/"}"#, #"{"html":"a","base_url":"http://u.test/","url":"x"}"#,
        ] {
            guard case .success(.html("a", let url)) = try #require(input(line)).content else {
                Issue.record("\(line)")
                continue
            }
            #expect(url == "http://u.test/")
        }
    }

    @Test(arguments: ["", " \t\r", "\r"])
    func `an empty line asks for nothing`(_ line: String) {
        #expect(input(line) == nil)
    }

    // MARK: - Lines

    private func lines(_ pieces: [String], maximumLength: Int = 8) -> [String] {
        var splitter = LineSplitter(maximumLength: maximumLength)
        var lines = pieces.flatMap { splitter.add(Array($0.utf8)) }
        if let last = splitter.end() { lines.append(last) }
        return lines.map { line in
            switch line.line {
            case .whole(let bytes):
                "\(line.number)@\(line.offset)+\(line.length):\(String(decoding: bytes, as: UTF8.self))"
            case .tooLong: "\(line.number)@\(line.offset)+\(line.length) too long"
            }
        }
    }

    @Test(arguments: [
        (["a\nbc\n"], ["1@0+1:a", "2@2+2:bc"]), (["a", "b", "\n", "c"], ["1@0+2:ab", "2@3+1:c"]), ([""], []),
        (["\n\n"], ["1@0+0:", "2@1+0:"]), (["12345678\n"], ["1@0+8:12345678"]),
        (["123456789\nx"], ["1@0+9 too long", "2@10+1:x"]),
        (["12345", "6789", "0\nx\n"], ["1@0+10 too long", "2@11+1:x"]),
        (["123456789"], ["1@0+9 too long"]),
    ])
    func `lines have their places, whatever the pieces`(_ pieces: [String], _ expected: [String]) {
        #expect(lines(pieces) == expected)
    }

    @Test func `a line that is too long is not kept`() {
        var splitter = LineSplitter(maximumLength: 1000)
        for _ in 0..<1000 { #expect(splitter.add(Array(repeating: 0x61, count: 1000)).isEmpty) }
        #expect(splitter.unfinishedCount <= 1000)
    }

    // MARK: - Shards

    @Test(arguments: ["1/1", "2/3", "1000000/1000000"])
    func `a part of a whole is read`(_ text: String) throws {
        #expect(try InputShard(text).text == text)
    }

    @Test(arguments: ["", "1", "0/1", "2/1", "-1/2", "1/0", "a/b", "1/2/3", "1/99999999999999999999", "1 /2"])
    func `what is no part of a whole is a usage error`(_ text: String) {
        #expect(throws: Failure.self) { try InputShard(text) }
    }

    /// Other processes, and other versions, have to agree.
    @Test func `each ID is in one part, always the same`() throws {
        let shards = try (1...5).map { try InputShard("\($0)/5") }
        var sizes = [Int](repeating: 0, count: 5)
        for id in 0..<1000 {
            let owners = shards.indices.filter { shards[$0].contains(Array("\(id)".utf8)) }
            #expect(owners.count == 1)
            for owner in owners { sizes[owner] += 1 }
        }
        #expect(sizes.allSatisfy { $0 > 150 })
        let first = try InputShard("1/2")
        let words = ["1", "2", "3", #""a""#, "null", "[1]"].map { first.contains(Array($0.utf8)) }
        #expect(words == Self.halves)
    }

    private static let halves = [true, true, true, true, true, false]
}
