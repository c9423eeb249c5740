import Foundation
import TestSupport
import Testing

/// `webinspect serve-reader`, asked one thing after the other.
enum ReaderProcess {
    /// A piece of what a reader writes.
    struct Frame {
        let kind: String
        let id: Int
        let content: Data

        var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: content)) as? [String: Any] ?? [:]
        }
        var text: String { String(decoding: content, as: UTF8.self) }
        var code: String? { object["code"] as? String }
    }

    /// Asks one thing after the other, with IDs from 1; what is no frame is an error.
    static func ask(_ requests: [[String: Any]], _ cache: URL) async throws -> [Frame] {
        var input = Data()
        for (index, request) in requests.enumerated() {
            let line = request.merging(["id": index + 1]) { $1 }
            input += try JSONSerialization.data(withJSONObject: line) + Data("\n".utf8)
        }
        return try await read(input, cache)
    }

    /// Gives it lines, whatever is in them.
    static func read(_ input: Data, _ cache: URL) async throws -> [Frame] {
        let outcome = try await Command.run(
            "webinspect",
            ["serve-reader", "--cache-dir", cache.path],
            input: input
        )
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        return try frames(outcome.output)
    }

    private static func frames(_ output: Data) throws -> [Frame] {
        var rest = output[...]
        var frames: [Frame] = []
        while !rest.isEmpty {
            let end = try #require(rest.firstIndex(of: 0x0A))
            let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            try #require(words.count == 3)
            let length = try #require(Int(words[2]))
            let start = rest.index(after: end)
            try #require(length <= rest.endIndex - start)
            let id = try #require(Int(words[1]))
            frames.append(Frame(kind: String(words[0]), id: id, content: Data(rest[start..<start + length])))
            rest = rest[(start + length)...]
        }
        return frames
    }
}
