import Foundation
import HTTPTypes
import TestSupport
import Testing
import WebLoader

@testable import WebSite

/// What is remembered of pages that are watched.
struct WatchMemoryTests {
    private func memory() throws -> WatchMemory {
        var memory = WatchMemory(name: "a\nb", url: "https://a.test/")
        memory.date = Timestamp(millisecondsSince1970: 1_700_000_000_123)
        memory.response = WebResponse(
            url: try WebURL("https://u:p@a.test/x"),
            status: .ok,
            headerFields: [.contentType: "text/html", .setCookie: "secret=1", .eTag: "\"1\""],
            body: Array("<p>a\n\u{0}b".utf8),
            source: .network
        )
        memory.data = ["price": 1]
        memory.held = ["price < 2"]
        memory.drift = "price"
        _ = memory.owe(WatchMemory.Owed(event: ["result": "changed"], owesCommand: true))
        return memory
    }

    @Test func `what was remembered is there again, without secrets`() throws {
        let memory = try memory()
        let again = try #require(WatchMemory(memory.bytes))
        #expect(again.bytes == memory.bytes)
        #expect(again.response?.body == memory.response?.body)
        #expect(again.response?.headerFields[.eTag] == "\"1\"")
        #expect(again.owed == memory.owed)
        #expect(again.date == memory.date)
        let text = String(decoding: memory.bytes, as: UTF8.self)
        #expect(!text.contains("secret") && !text.contains("u:p@"))
    }

    @Test func `any damage is noticed`() throws {
        let bytes = try memory().bytes
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1
            #expect(WatchMemory(damaged) == nil, "byte \(index)")
            #expect(WatchMemory(Array(bytes[..<index])) == nil, "cut at \(index)")
        }
    }

    @Test func `of what waits to be told the oldest goes`() {
        var memory = WatchMemory(name: "a", url: "https://a.test/")
        var lost = 0
        for number in 0..<105 { lost += memory.owe(WatchMemory.Owed(event: .integer(Int64(number)))) }
        #expect(lost == 5)
        #expect(memory.owed.first?.event == 5)
        #expect(memory.owed.count == WatchMemory.maximumOwed)
    }

    @Test func `a lock is waited for, and given up if that is asked`() async throws {
        try await withTemporaryFolder { folder in
            let store = try WatchStore(folder.appending(path: "state").path)
            let lock = try await store.lock("a") { false }
            let error = await #expect(throws: StateError.self) { _ = try await store.lock("a") { true } }
            #expect(error?.code == .busy)
            _ = try await store.lock("b") { true }
            _ = consume lock
            _ = try await store.lock("a") { true }
        }
    }

    // MARK: - Data

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":1}"#, []), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, []),
        (#"{"a":1}"#, #"{"a":2}"#, ["a changed"]), (#"{"a":1}"#, #"{"b":1}"#, ["b added", "a removed"]),
        (#"{"a":[1,2,3]}"#, #"{"a":[1,9,3]}"#, ["a[1] changed"]),
        (#"{"a":[1,2,3]}"#, #"{"a":[0,1,2,3]}"#, ["a[0] added"]),
        (#"{"a":[1,2,3]}"#, #"{"a":[1,3]}"#, ["a[1] removed"]),
        (#"{"a":[1,2,3]}"#, #"{"a":[3,2,1]}"#, ["a moved"]),
        (#"{"a":[{"b":1},{"b":2}]}"#, #"{"a":[{"b":1},{"b":3}]}"#, ["a[1].b changed"]),
        (#"[1]"#, #"{"a":1}"#, [" changed"]), (#"{"a":null}"#, #"{}"#, ["a removed"]),
    ])
    func `data changes by their paths`(_ old: String, _ new: String, _ expected: [String]) throws {
        let (old, new) = (try JSONValue(parsing: old.utf8), try JSONValue(parsing: new.utf8))
        let changes = DataChange.changes(from: old, to: new)
        #expect(changes.map { "\($0.path) \($0.operation.rawValue)" } == expected)
    }
}
