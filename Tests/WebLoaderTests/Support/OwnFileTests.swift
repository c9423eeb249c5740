import Foundation
import Glibc
import TestSupport
import Testing

@testable import WebStandards

/// Tests of obstacles in the place of a file of ours.
@Suite(.timeLimit(.minutes(20)))
struct OwnFileTests {
    /// Puts an obstacle at a path; "precious" beside it is the user's file.
    static func put(_ kind: String, at path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let precious = folder.appending(path: "precious").path
        switch kind {
        case "link": #expect(unsafe symlink(precious, path) == 0)
        case "dangling": #expect(unsafe symlink(folder.appending(path: "made").path, path) == 0)
        case "fifo": #expect(unsafe mkfifo(path, 0o600) == 0)
        case "socket": #expect(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
        case "directory": #expect(unsafe mkdir(path, 0o700) == 0)
        case "device": #expect(unsafe symlink("/dev/zero", path) == 0)
        default: Issue.record("there is no \(kind)")
        }
    }

    static let kinds = ["link", "dangling", "fifo", "socket", "directory", "device"]

    @Test(arguments: kinds)
    func whatIsNoRegularFileIsNoneOfOurs(kind: String) async throws {
        try await withTemporaryFolder { folder in
            try Data("precious".utf8).write(to: folder.appending(path: "precious"))
            let path = folder.appending(path: "own").path
            try Self.put(kind, at: path)
            let directory = try Directory(folder.path)
            #expect(throws: File.Failure.self) { _ = try OwnFile("own", in: directory) }
            #expect(throws: File.Failure.self) { _ = try OwnFile(path) }
            #expect(throws: File.Failure.self) { _ = try OwnFile(updating: "own", in: directory) }
            #expect(throws: File.Failure.self) {
                try Directory(folder.path).replace(own: "own", with: [1])
            }
            #expect(throws: File.Failure.self) {
                _ = try File.locked(path, within: WaitLimit(seconds: 1))
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["own", "precious"])
            let precious = try Data(contentsOf: folder.appending(path: "precious"))
            #expect(precious == Data("precious".utf8))
        }
    }

    @Test func whatHasASecondNameIsNotWrittenToInPlace() async throws {
        try await withTemporaryFolder { folder in
            let other = folder.appending(path: "other").path
            try Data("x".utf8).write(to: URL(fileURLWithPath: other))
            #expect(unsafe link(other, folder.appending(path: "own").path) == 0)
            let directory = try Directory(folder.path)
            #expect(throws: File.Failure.self) { _ = try OwnFile(updating: "own", in: directory) }
            let own = try OwnFile("own", in: directory)
            let isAlone = own.isOwnedExclusively
            #expect(!isAlone)
            // The name is replaced; the other file stays.
            try directory.replace(own: "own", with: [1])
            #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("x".utf8))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func anotherUsersFileIsNoneOfOurs() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "own").path
            try Data("x".utf8).write(to: URL(fileURLWithPath: path))
            #expect(unsafe chown(path, 12345, 12345) == 0)
            #expect(throws: File.Failure.self) { _ = try OwnFile(path) }
        }
    }

    @Test func aLinkInThePlaceOfAFolderOfOursIsNotFollowed() async throws {
        try await withTemporaryFolder { folder in
            #expect(unsafe symlink("/", folder.appending(path: "ab").path) == 0)
            #expect(throws: File.Failure(errno: ENOTDIR)) {
                _ = try Directory(own: folder.appending(path: "ab").path)
            }
        }
    }

    @Test func aLockThatSomebodyKeepsIsWaitedForNoLongerThanSaid() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "lock").path
            let kept = try File.locked(path, within: .none)
            #expect(throws: File.Failure(errno: ETIMEDOUT)) {
                _ = try File.locked(path, within: WaitLimit(seconds: 0.05))
            }
            #expect(throws: File.Failure(errno: ECANCELED)) {
                _ = try File.locked(path, within: WaitLimit(deadline: .infinity) { true })
            }
            _ = kept.descriptor
        }
    }
    /// A process that is just being started has copies of all descriptors until it runs its program.
    @Test func aLockEndsWithItsHolderWhoeverHasACopyOfTheDescriptor() async throws {
        func copy(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "lock").path
            let fileCopy = copy(try File.locked(path, within: .none).descriptor)
            defer { close(fileCopy) }
            _ = try File.locked(path, within: WaitLimit(seconds: 0))

            func lockFolder() throws -> Int32 {
                var directory = try Directory(folder.path)
                let isLocked = directory.lock(within: 0)
                #expect(isLocked)
                let number = try Self.descriptor(of: folder.path, beside: directory.descriptor)
                return copy(try #require(number))
            }
            let folderCopy = try lockFolder()
            defer { close(folderCopy) }
            var directory = try Directory(folder.path)
            let isLocked = directory.lock(within: 0)
            #expect(isLocked)
        }
    }

    /// The number of another descriptor of this process that a folder is open by.
    private static func descriptor(of path: String, beside other: Int32) throws -> Int32? {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.first {
            let link = "/proc/self/fd/\($0)"
            return $0 != other && (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == path
        }
    }
}
