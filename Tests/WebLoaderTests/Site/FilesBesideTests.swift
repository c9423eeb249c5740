import Foundation
import Glibc
import TestSupport
import Testing
import WebDatabase
import WebStandards

@testable import WebSite
@testable import WebTransport

/// Tests that files of others beside an output stay as they are.
@Suite struct FilesBesideTests {
    private static func bytes(_ path: String) throws -> [UInt8] { try File(reading: path).read(1000) }

    @Test(arguments: ["my own notes\n", "\n", "12 monkeys", "123456789012345678901"])
    func lockStays(text: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path + "/x.lock"
            try FileWriter.write(Array(text.utf8), to: path)
            #expect(throws: StateError.self) { _ = try JobLock(path) }
            #expect(try Self.bytes(path) == Array(text.utf8))
        }
    }

    @Test(arguments: ["", "12", "4711\n"])
    func lockIsTakenAgain(text: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path + "/x.lock"
            try FileWriter.write(Array(text.utf8), to: path)
            let lock = try JobLock(path)
            #expect(try Self.bytes(path) == Array("\(getpid())\n".utf8))
            _ = consume lock
            #expect(FileStatus(path, followsLinks: false) == nil)
        }
    }

    @Test(arguments: ["-wal", "-journal"])
    func logStays(suffix: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path + "/x"
            try FileWriter.write(Array("my own notes\n".utf8), to: path + suffix)
            #expect(throws: StateError.self) { _ = try Database(path) }
            #expect(try Self.bytes(path + suffix) == Array("my own notes\n".utf8))
        }
    }

    @Test func openFileIsNotReplaced() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path + "/x"
            try FileWriter.write([1], to: path)
            let identity = try #require(FileStatus(path, followsLinks: true)).identity
            FilesInUse.add(identity)
            #expect(throws: FileError.self) { try FileWriter.write([2], to: path) }
            FilesInUse.release(identity)
            try FileWriter.write([3], to: path)
            #expect(try Self.bytes(path) == [3])
        }
    }

    @Test(arguments: [
        "ALTER TABLE hosts ADD COLUMN more TEXT AS (hex(zeroblob(450000000)))",
        "CREATE VIEW more AS SELECT 1", "CREATE TABLE more(x)",
        "CREATE TRIGGER more AFTER INSERT ON urls BEGIN DELETE FROM urls; END",
    ])
    func foreignTables(sql: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path + "/x"
            do { try Frontier(path, Frontier.Options(), now: .now).close() }
            do { try Database(path).execute(sql) }
            #expect(throws: StateError.self) { _ = try Frontier(path, Frontier.Options(), now: .now) }
        }
    }
}
