import Foundation
import Glibc
import TestSupport
import Testing

@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct FileWriterTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test(arguments: [0o600, 0o644, 0o755, 0o660])
    func aReplacedFileKeepsItsPermissions(permissions: mode_t) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "out").path
            try FileWriter.write(Array("old".utf8), to: path)
            #expect(unsafe chmod(path, permissions) == 0)
            try FileWriter.write(Array("new".utf8), to: path)
            #expect(try text(path) == "new")
            #expect(try mode(path) == Int(permissions))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
        }
    }

    @Test func aCookieJarIsItsOwnersAlone() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "jar").path
            try CookieJar().write(file: path)
            #expect(try mode(path) == 0o600)
        }
    }

    @Test func aLinkLeadsToTheFileThatIsReplaced() async throws {
        try await withTemporaryFolder { folder in
            let (link, target) = (folder.appending(path: "link").path, folder.appending(path: "target").path)
            try FileWriter.write(Array("old".utf8), to: target)
            #expect(unsafe symlink("./target", link) == 0)
            try FileWriter.write(Array("new".utf8), to: link)
            #expect(try text(target) == "new")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "./target")
        }
    }

    @Test func aLinkToNothingMakesNothing() async throws {
        try await withTemporaryFolder { folder in
            let (link, target) = (folder.appending(path: "link").path, folder.appending(path: "made").path)
            #expect(unsafe symlink(target, link) == 0)
            let error = #expect(throws: FileError.self) { try FileWriter.write([1], to: link) }
            #expect(error?.code == .unwritable)
            #expect(!FileManager.default.fileExists(atPath: target))
            let (a, b) = (folder.appending(path: "a").path, folder.appending(path: "b").path)
            #expect(unsafe symlink(a, b) == 0 && symlink(b, a) == 0)
            #expect(throws: FileError.self) { try FileWriter.write([1], to: a) }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give links away"))
    func anotherUsersLinkIsNotFollowed() async throws {
        try await withTemporaryFolder { folder in
            let (link, target) = (folder.appending(path: "link").path, folder.appending(path: "target").path)
            try FileWriter.write(Array("old".utf8), to: target)
            #expect(unsafe symlink(target, link) == 0)
            #expect(unsafe lchown(link, 12345, 12345) == 0)
            #expect(throws: FileError.self) { try FileWriter.write([1], to: link) }
            #expect(try text(target) == "old")
        }
    }

    @Test func devicesAreWrittenTo() throws {
        try FileWriter.write(Array("x".utf8), to: "/dev/null")
        let error = #expect(throws: FileError.self) { try FileWriter.write([1], to: "/dev/full") }
        #expect(error?.reason == File.Failure(errno: ENOSPC).text)
    }

    @Test(arguments: ["", "/", "/tmp/", "/nowhere/at/all", "/a\0b", "/proc/nowhere"])
    func whatIsNoPlaceForAFileIsAnError(path: String) {
        #expect(throws: FileError.self) { try FileWriter.write([1], to: path) }
    }

    @Test func aPipeThatNobodyReadsFromEndsWithTheTime() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "pipe").path
            #expect(unsafe mkfifo(path, 0o600) == 0)
            #expect(throws: File.Failure(errno: ETIMEDOUT)) {
                try OutputPlace(path).write([1], mode: 0o600, within: WaitLimit(seconds: 0.05)) { $0 }
            }
            // With a reader that does not read, it is full some time.
            let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
            let bytes = [UInt8](repeating: 7, count: 1 << 20)
            #expect(throws: File.Failure(errno: ETIMEDOUT)) {
                try OutputPlace(path).write(bytes, mode: 0o600, within: WaitLimit(seconds: 0.1)) { $0 }
            }
            close(reader)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
    func whatMayNotBeWrittenIsNotReplaced() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "out").path
            try FileWriter.write(Array("old".utf8), to: path)
            #expect(unsafe chmod(path, 0o400) == 0)
            #expect(throws: FileError.self) { try FileWriter.write([1], to: path) }
            #expect(try text(path) == "old")
        }
    }
}
