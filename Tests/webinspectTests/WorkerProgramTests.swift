import Foundation
import TestSupport
import Testing

/// Tests of the code that is linked into the process that evaluates rules.
struct WorkerProgramTests {
    /// Whether a program has a word among its symbols: those of a Swift module have its name in theirs, with the length
    /// before it.
    private func program(_ name: String, has word: String) throws -> Bool {
        let file = try Command.file(name)
        return try Data(contentsOf: file, options: .alwaysMapped).range(of: Data(word.utf8)) != nil
    }

    @Test(arguments: ["12WebTransport", "9WebLoader", "curl_easy_"])
    func `the worker has nothing that fetches`(word: String) throws {
        #expect(try !program("webinspect-worker", has: word))
        #expect(try program("webinspect", has: word))
    }

    @Test func `the worker has what it evaluates with`() throws {
        for word in ["12WebStandards", "11WebDocument", "8WebRules"] {
            #expect(try program("webinspect-worker", has: word), "\(word)")
        }
    }
}
