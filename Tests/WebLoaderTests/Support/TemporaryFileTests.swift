import Foundation
import TestSupport
import Testing

@testable import WebStandards
@testable import WebTransport

/// A file that has a name only once it is whole.
@Suite struct TemporaryFileTests {
    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test func `it is in its folder once it has taken a name, with all that was written`() async throws {
        try await withTemporaryFolder { folder in
            var file = try TemporaryFile(".new-", in: Directory(folder.path))
            try file.file.write(Array("whole".utf8))
            #expect(try names(folder) == [])
            let name = try file.takeName()
            #expect(name.hasPrefix(".new-"))
            let path = "\(folder.path)/\(name)"
            #expect(try names(folder).count == 1)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole")
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `what takes no name leaves nothing`() async throws {
        try await withTemporaryFolder { folder in
            do {
                let file = try TemporaryFile(".new-", in: Directory(folder.path))
                try file.file.write([1, 2, 3])
            }
            #expect(try names(folder) == [])
        }
    }

    @Test func `a folder that is not there is said`() {
        #expect(throws: File.Failure(errno: ENOENT)) {
            _ = try TemporaryFile(".new-", in: Directory("/nowhere/at/all"))
        }
    }

    @Test func `a body that is being written has no name in the cache`() async throws {
        try await withTemporaryFolder { folder in
            let name = CacheEntryName("http://h.test/", in: folder.path)
            let writer = DiskBodyWriter(name, maximumSize: 1 << 30)
            let piece = [UInt8](repeating: 7, count: 1 << 20)
            for _ in 0..<3 { try writer.append(piece.span) }
            let inside = folder.appending(path: try #require(try names(folder).first))
            #expect(try names(inside) == [])
            let body = try writer.finished()
            #expect(try names(inside).count == 1)
            guard case .file(let file) = body else {
                Issue.record("it is large enough for a file")
                return
            }
            #expect(file.isWhole())
        }
    }
}
