import Foundation
import Glibc
import TestSupport
import Testing
import WebArchive

struct ArchiveFileTests {
    @Test func aFileIsReadAnywhere() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("x").path
            try Data("0123456789".utf8).write(to: URL(fileURLWithPath: path))
            let file = try ArchiveFile(path: path)
            #expect(file.size == 10)
            #expect(try file.bytes(at: 7, count: 9) == Array("789".utf8))
            #expect(try file.bytes(at: 99, count: 9) == [])
            #expect(try file.bytes(at: -1, count: 9) == [])
            let part = try #require(file.slice(2, length: 4))
            #expect(try part.bytes(at: 1, count: 9) == Array("345".utf8))
            #expect(try part.slice(3, length: 99)?.bytes(at: 0, count: 9) == Array("5".utf8))
            #expect(file.slice(11, length: 1) == nil)
            #expect(file.slice(-1, length: 1) == nil)
        }
    }

    @Test func aFileThatBecomesShorterIsAnError() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("x").path
            try Data(count: 100_000).write(to: URL(fileURLWithPath: path))
            let file = try ArchiveFile(path: path)
            #expect(unsafe truncate(path, 10) == 0)
            let error = #expect(throws: ArchiveError.self) { try file.bytes(at: 0, count: 100) }
            #expect(error?.code == .unreadable)
        }
    }

    @Test func aPipeIsReadForwards() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(path, 0o600) == 0)
            let file = try ArchiveFile(path: path, patience: 20)
            let writer = unsafe open(path, O_WRONLY)
            let record = ArchiveSample.record()
            #expect(unsafe write(writer, record, record.count) == record.count)
            close(writer)
            #expect(file.size == nil)
            #expect(try ArchiveFormat.detect(file) == .warc)
            let reader = try WARCContents(file: file).records()
            #expect(try reader.next()?.status == 200)
            #expect(try reader.payload(maximumSize: 100) == Array("<p>x".utf8))
            #expect(try reader.next() == nil)
        }
    }

    @Test func aPipeThatSaysNothingIsAnError() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(path, 0o600) == 0)
            let file = try ArchiveFile(path: path, patience: 0.01)
            let error = #expect(throws: ArchiveError.self) { try file.bytes(at: 0, count: 1) }
            #expect(error?.code.rawValue == "limit.time")
        }
    }

    @Test func whatIsNoFileIsAnError() async throws {
        try await withTemporaryFolder { folder in
            let error = #expect(throws: ArchiveError.self) { try ArchiveFile(path: folder.path) }
            #expect(error?.code.rawValue == "file.directory")
            let missing = #expect(throws: ArchiveError.self) {
                try ArchiveFile(path: folder.appendingPathComponent("none").path)
            }
            #expect(missing?.code.rawValue == "file.not-found")
        }
    }
}
