import Foundation
import HTTPTypes
import TestSupport
import Testing
import WebLoader

@testable import WebSite

/// Tests of the stored state of watched pages.
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
        memory.list = "/lists/pages"
        memory.failures = 2
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
        #expect(again.list == memory.list && again.failures == 2)
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

    @Test func `what leaves a list is forgotten, but not what another list has, is damaged, or is worked on`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let store = try WatchStore(folder.appending(path: "state").path)
            for (name, list) in [("kept", "a"), ("gone", "a"), ("busy", "a"), ("other", "b"), ("odd", "a")] {
                var memory = WatchMemory(name: name, url: "https://a.test/")
                memory.list = list
                if name == "gone" { _ = memory.owe(WatchMemory.Owed(event: 1)) }
                _ = try await store.lock(name) { true }
                try store.write(memory)
            }
            let odd = try FileManager.default.contentsOfDirectory(atPath: store.folder)
                .filter { $0.hasSuffix(".page") }
            for name in odd {
                let url = URL(filePath: "\(store.folder)/\(name)")
                if String(decoding: try Data(contentsOf: url), as: UTF8.self).contains(#""name":"odd""#) {
                    try Data("x".utf8).write(to: url)
                }
            }
            let lock = try await store.lock("busy") { true }
            #expect(try await store.forget(of: "a", allBut: ["kept"]) == ["gone": 1])
            _ = consume lock
            let left = try ["kept", "gone", "busy", "other", "odd"].map { name in
                switch try store.read(name) {
                case .memory: "\(name) is there"
                case .nothing: "\(name) is gone"
                case .damaged: "\(name) is damaged"
                }
            }
            #expect(
                left == [
                    "kept is there", "gone is gone", "busy is there", "other is there", "odd is damaged",
                ]
            )
            let files = try FileManager.default.contentsOfDirectory(atPath: store.folder)
            #expect(files.count == 4, "\(files)")
        }
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
}
