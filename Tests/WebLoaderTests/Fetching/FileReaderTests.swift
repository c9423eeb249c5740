import Foundation
import Glibc
import TestSupport
import Testing

@testable import WebLoader
@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct FileReaderTests {
    private func failure(_ path: String, maximumSize: Int = 1 << 20) -> FileError? {
        do throws(FileError) {
            _ = try FileReader.read(path: path, maximumSize: maximumSize)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, 1, 999, 1000])
    func readsUpToTheLimit(count: Int) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("file")
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            try Data(bytes).write(to: file)
            #expect(try FileReader.read(path: file.path, maximumSize: 1000) == bytes)
        }
    }

    @Test func readsNoMoreThanTheLimit() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("file")
            try Data(count: 1001).write(to: file)
            let error = failure(file.path, maximumSize: 1000)
            #expect(error?.code == .tooLarge)
            #expect(error?.code.rawValue == "limit.size")
            #expect(error?.message.contains("1000") == true)
        }
    }

    @Test(
        "What is no file to be read says why",
        arguments: [
            ("/", .isDirectory), ("/nothing/here", .notFound), ("/dev/null/below", .notFound),
            ("", .notFound),
            ("/a\0b", .path), ("/\(String(repeating: "x", count: 5000))", .unreadable),
        ] as [(String, FileError.Code)]
    )
    func failures(path: String, code: FileError.Code) {
        #expect(failure(path)?.code == code)
    }

    @Test(.enabled(if: geteuid() != 0, "everything is readable for root"))
    func saysWhatMayNotBeRead() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("file")
            try Data("x".utf8).write(to: file)
            #expect(unsafe chmod(file.path, 0) == 0)
            #expect(failure(file.path)?.code == .permission)
        }
    }

    @Test func aDeviceWithoutEndHitsTheLimit() {
        #expect(failure("/dev/zero")?.code == .tooLarge)
    }

    @Test func whatHasNoSizeIsReadToItsEnd() throws {
        #expect(try FileReader.read(path: "/dev/null", maximumSize: 10) == [])
        #expect(try !FileReader.read(path: "/proc/self/status", maximumSize: 1 << 20).isEmpty)
        #expect(failure("/proc/self/status", maximumSize: 10)?.code == .tooLarge)
    }

    @Test func readsANamedPipe() async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            Thread.detachNewThread {
                let descriptor = unsafe open(pipe, O_WRONLY)
                let bytes = [UInt8](repeating: 7, count: 100_000)
                _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
                close(descriptor)
            }
            let bytes = await BlockingWork.threads.run {
                try? FileReader.read(path: pipe, maximumSize: 1 << 20)
            }
            #expect(bytes == [UInt8](repeating: 7, count: 100_000))
        }
    }

    @Test func readsAnOpenDescriptorAndLeavesItOpen() async throws {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let text: [UInt8] = [1, 2, 3]
        #expect(unsafe text.withUnsafeBytes { unsafe Glibc.write(ends[1], $0.baseAddress, 3) } == 3)
        close(ends[1])
        #expect(try FileReader.read(descriptor: ends[0], name: "pipe", maximumSize: 3) == text)
        #expect(fcntl(ends[0], F_GETFD) >= 0)
        close(ends[0])
    }

    @Test func saysThatADescriptorIsNotOpen() {
        let error = #expect(throws: FileError.self) {
            try FileReader.read(descriptor: -1, name: "standard input", maximumSize: 10)
        }
        #expect(error?.message.hasPrefix("standard input: ") == true)
    }

    @Test func aPipeThatNobodyWritesToEndsWithTheTime() async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            let error = #expect(throws: FileError.self) {
                try FileReader.read(path: pipe, maximumSize: 10, within: WaitLimit(seconds: 0.1))
            }
            #expect(error?.code == .timeout)
            #expect(throws: FileError.self) { try FileReader.read(own: pipe, maximumSize: 10) }
        }
    }

    @Test func aDescriptorThatStaysOpenEndsWithTheTimeAndWhenItIsCancelled() throws {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let byte: [UInt8] = [1]
        #expect(unsafe byte.withUnsafeBytes { unsafe Glibc.write(ends[1], $0.baseAddress, 1) } == 1)
        let late = #expect(throws: FileError.self) {
            try FileReader.read(
                descriptor: ends[0],
                name: "pipe",
                maximumSize: 9,
                within: WaitLimit(seconds: 0.1)
            )
        }
        #expect(late?.code == .timeout)
        #expect(late?.code.rawValue == "limit.time")
        let cancelled = #expect(throws: FileError.self) {
            let limit = WaitLimit(deadline: .infinity) { true }
            return try FileReader.read(descriptor: ends[0], name: "pipe", maximumSize: 9, within: limit)
        }
        #expect(cancelled?.code == .cancelled)
        close(ends[0])
        close(ends[1])
    }

    @Test func whatSaysThatItIsHugeIsNotReadForThat() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "huge").path
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            #expect(unsafe truncate(path, 1 << 40) == 0)
            #expect(failure(path)?.code == .tooLarge)
            let error = #expect(throws: FileError.self) {
                try FileReader.read(path: path, maximumSize: .max, within: WaitLimit(seconds: 0))
            }
            #expect(error?.code == .timeout)
        }
    }

    @Test func aCancelledLoadOfAPipeEnds() async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            let url = try WebURL(filePath: pipe)
            let load = Task { () async throws(LoadError) in try await PageLoader().load(WebRequest(url: url))
            }
            load.cancel()
            let error = await #expect(throws: LoadError.self) { try await load.value }
            #expect(error?.isCancellation == true)
        }
    }
}
