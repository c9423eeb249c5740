import Testing

@testable import webinspect_server

/// Frames, whatever pieces their bytes come in.
struct ReaderFrameTests {
    private static let text = "event 7 3\nabcanswer 8 0\nerror 9 12\n{\"code\":\"x\"}"
    private static let frames = [
        ReaderFrame(kind: .event, id: 7, content: Array("abc".utf8)),
        ReaderFrame(kind: .answer, id: 8, content: []),
        ReaderFrame(kind: .error, id: 9, content: Array(#"{"code":"x"}"#.utf8)),
    ]

    @Test("Frames do not depend on how their bytes are cut", arguments: 1...50) func pieces(
        _ length: Int
    ) throws {
        var parser = ReaderFrameParser()
        var frames: [ReaderFrame] = []
        var rest = Array(Self.text.utf8)[...]
        while !rest.isEmpty {
            var piece = rest.prefix(length)
            rest = rest.dropFirst(length)
            while let frame = try parser.next(&piece) { frames.append(frame) }
            #expect(piece.isEmpty)
        }
        #expect(frames == Self.frames)
        #expect(parser.isAtStart)
    }

    @Test("The first line of a frame has at most 100 bytes, and names at most 256 MiB") func limits() throws {
        #expect(throws: ReaderFrameParser.Malformed.self) { try next(String(repeating: "1", count: 101)) }
        #expect(try next(String(repeating: "1", count: 100)) == nil)
        #expect(throws: ReaderFrameParser.Malformed.self) { try next("answer 1 268435457\n") }
        #expect(try next("answer 1 268435456\n{") == nil)
    }

    private func next(_ text: String) throws -> ReaderFrame? {
        var parser = ReaderFrameParser()
        var bytes = Array(text.utf8)[...]
        return try parser.next(&bytes)
    }
}
