import Foundation
import TestSupport
import Testing
import WebSite

@testable import WebCopy

/// Tests of the folders that a mirror accepts, outside of which it writes nothing.
struct MirrorFolderTests {
    @Test func takesNoFolderOfOthers() async throws {
        try await withTemporaryFolder { folder in
            try Data("mine".utf8).write(to: folder.appendingPathComponent("file"))
            #expect(throws: StateError.self) { try MirrorFolder(folder.path) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
            #expect(throws: StateError.self) { try MirrorFolder(folder.path + "/file") }
            #expect(throws: StateError.self) { try MirrorFolder(folder.path + "/none/below") }
            #expect(throws: StateError.self) { try MirrorFolder("") }
        }
    }

    @Test func isOneProcessAtATime() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("m").path
            let first = try MirrorFolder(path)
            let error = #expect(throws: StateError.self) { try MirrorFolder(path) }
            #expect(error?.code == .busy)
            withExtendedLifetime(first) {}
        }
    }

    @Test func remembersItsFiles() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("m").path
            do {
                let mirror = try MirrorFolder(path)
                #expect(try mirror.record() == MirrorRecord())
                var record = MirrorRecord()
                (record.whole, record.current) = (3, 4)
                try mirror.keep(record)
                try mirror.keep(files: ["h/a.html", "h/日.html"])
                #expect(try mirror.record() == record)
            }
            #expect(try MirrorFolder(path).files() == ["h/a.html", "h/日.html"])
        }
    }

    @Test(arguments: [
        "", "{}", "[1]", "{\"mirror\":1}", "{\"mirror\":1,\"current\":0}", "{\"mirror\":2,\"current\":1}",
    ])
    func saysThatItIsDamaged(_ text: String) async throws {
        try await withTemporaryFolder { folder in
            let mirror = try MirrorFolder(folder.path)
            try Data(text.utf8).write(to: folder.appendingPathComponent(".mirror/mirror.json"))
            let error = #expect(throws: StateError.self) { try mirror.record() }
            #expect(error?.code == .damaged)
        }
    }

    @Test func followsNoLink() async throws {
        try await withTemporaryFolder { folder in
            let files = FileManager.default
            let outside = folder.appendingPathComponent("outside")
            try files.createDirectory(at: outside, withIntermediateDirectories: false)
            try Data("theirs".utf8).write(to: outside.appendingPathComponent("f"))
            let mirror = try MirrorFolder(folder.appendingPathComponent("m").path)
            let inside = folder.appendingPathComponent("m")
            try files.createSymbolicLink(at: inside.appendingPathComponent("h"), withDestinationURL: outside)
            #expect(throws: StateError.self) { try mirror.write([1], to: ["h", "f"]) }
            mirror.remove(["h", "f"])
            try files.createSymbolicLink(
                at: inside.appendingPathComponent("f"),
                withDestinationURL: outside.appendingPathComponent("f")
            )
            try mirror.write([2], to: ["f"])
            #expect(try Data(contentsOf: inside.appendingPathComponent("f")) == Data([2]))
            #expect(try String(contentsOf: outside.appendingPathComponent("f"), encoding: .utf8) == "theirs")
            #expect(throws: StateError.self) { try mirror.write([3], to: ["..", "f"]) }
            #expect(throws: StateError.self) { try mirror.write([3], to: ["a/../../f"]) }
            #expect(throws: StateError.self) { try mirror.write([3], to: ["a\u{0}b"]) }
        }
    }

    @Test func takesNoFolderThatOnlyLooksLikeOne() async throws {
        try await withTemporaryFolder { folder in
            let own = folder.appendingPathComponent(".mirror")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
            // It was ended right after it was begun.
            do { _ = try MirrorFolder(folder.path) }
            try Data("mine".utf8).write(to: folder.appendingPathComponent("file"))
            #expect(throws: StateError.self) { try MirrorFolder(folder.path) }
        }
    }

    @Test func writesOverNothingOfOthers() async throws {
        try await withTemporaryFolder { folder in
            let mirror = try MirrorFolder(folder.path)
            try mirror.write([1], to: ["h", "a"])
            try mirror.check(new: [["h", "b"], ["i", "a"]])
            let error = #expect(throws: StateError.self) {
                try mirror.check(new: [["h", "b"], ["h", "a"]])
            }
            #expect(error?.code == .unwritable)
            #expect(error?.message.contains("h/a") == true)
        }
    }

    @Test func sweepsWhatAnEndHasLeft() async throws {
        try await withTemporaryFolder { folder in
            let mirror = try MirrorFolder(folder.path)
            try mirror.write([1], to: ["h", "a"])
            let digits = "0123456789abcdef"
            for name in [
                "h/.webloader-new-\(digits)", "h/.webloader-new-x", ".mirror/.new-\(digits)", ".mirror/old",
            ] {
                try Data().write(to: folder.appendingPathComponent(name))
            }
            mirror.sweep(["h"])
            mirror.sweep(["none"])
            try mirror.sweep { $0 != "old" }
            let files = FileManager.default
            #expect(
                try files.contentsOfDirectory(atPath: folder.path + "/h").sorted() == [
                    ".webloader-new-x", "a",
                ]
            )
            #expect(try files.contentsOfDirectory(atPath: folder.path + "/.mirror") == ["lock"])
        }
    }

    @Test func readsNothingEndless() async throws {
        try await withTemporaryFolder { folder in
            let mirror = try MirrorFolder(folder.path)
            let text = "{\"mirror\":1,\"current\":1}" + String(repeating: " ", count: 5000)
            try Data(text.utf8).write(to: folder.appendingPathComponent(".mirror/mirror.json"))
            #expect(throws: StateError.self) { try mirror.record() }
        }
    }

    @Test(arguments: [
        (["a"], ["a/b"], ["a"], []), (["a/b/c"], ["a"], ["a/b/c"], []), (["a"], ["a"], [], []),
        (["A/x"], ["a/X"], ["A/x"], []), (["H/a"], ["h"], ["H/a"], []), (["a", "b"], ["b", "c"], [], ["a"]),
        (["ab/c"], ["a"], [], ["ab/c"]),
    ])
    func makesWayForNewFiles(_ old: [String], _ new: [String], _ obstacles: [String], _ stale: [String]) {
        let files = MirrorFiles(old: old, new: Set(new))
        #expect(files.obstacles == obstacles)
        #expect(files.stale == stale)
    }

    @Test func removesFilesWithTheirFolders() async throws {
        try await withTemporaryFolder { folder in
            let mirror = try MirrorFolder(folder.path)
            try mirror.write([1], to: ["h", "a", "b"])
            try mirror.write([1], to: ["h", "c"])
            mirror.remove(["h", "a", "b"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/h") == ["c"])
        }
    }
}
