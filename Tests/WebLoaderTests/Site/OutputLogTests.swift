import Foundation
import TestSupport
import Testing
import WebSite

/// That an output ends where its job's database says, and nothing else is written to.
@Suite(.timeLimit(.minutes(20)))
struct OutputLogTests {
    private let hash = KeyHash(k0: 1, k1: 2)

    private func bytes(_ url: URL) throws -> String {
        String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    /// Writes entries and returns what the database would say.
    private func write(
        _ entries: [String],
        to url: URL,
        after mark: OutputLog.Mark? = nil
    ) throws -> OutputLog.Mark {
        let log = try OutputLog(url.path, committed: mark, hash: hash)
        for entry in entries {
            try log.append(Array(entry.utf8))
            log.mark()
        }
        return try log.commit(isSynced: true)
    }

    @Test func goesOnWhereItWasCommitted() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("out.jsonl")
            let first = try write(["one\n", "two\n"], to: url)
            #expect(first.length == 8)
            try (bytes(url) + "torn").write(to: url, atomically: false, encoding: .utf8)
            let second = try write(["three\n"], to: url, after: first)
            #expect(second.length == 14)
            #expect(try bytes(url) == "one\ntwo\nthree\n")
        }
    }

    @Test func hasNothingOfAnEntryThatWasDropped() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("out.jsonl")
            let log = try OutputLog(url.path, committed: nil, hash: hash)
            try log.append(Array("one\n".utf8))
            log.mark()
            // So much that a part of it is written before.
            try log.append([UInt8](repeating: 120, count: 200_000))
            try log.append(Array("more".utf8))
            try log.dropUnmarked()
            try log.append(Array("two\n".utf8))
            #expect(try log.commit(isSynced: false).length == 4)
            log.mark()
            #expect(try log.commit(isSynced: true).length == 8)
            #expect(try bytes(url) == "one\ntwo\n")
        }
    }

    @Test(arguments: [0, 3, 7]) func refusesAFileThatIsShorter(_ length: Int) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("out.jsonl")
            let mark = try write(["one\n", "two\n"], to: url)
            try Data("one\ntwo\n".utf8).prefix(length).write(to: url)
            let error = #expect(throws: StateError.self) { try write([], to: url, after: mark) }
            #expect(error?.code == .damaged)
            #expect(error?.message.contains("8 are committed") == true)
        }
    }

    @Test func refusesOtherBytes() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("out.jsonl")
            let mark = try write(["one\n", "two\n"], to: url)
            try Data("one\ntwO\nthree\n".utf8).write(to: url)
            let error = #expect(throws: StateError.self) { try write([], to: url, after: mark) }
            #expect(error?.code == .damaged)
            #expect(try bytes(url) == "one\ntwO\nthree\n")
        }
    }

    @Test func refusesAFileThatIsGone() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("out.jsonl")
            let mark = try write(["one\n"], to: url)
            try FileManager.default.removeItem(at: url)
            #expect(throws: StateError.self) { try write([], to: url, after: mark) }
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }
    }

    @Test func leavesAFileAloneThatIsNotTheJobs() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("out.jsonl")
            try Data("mine\n".utf8).write(to: url)
            let error = #expect(throws: StateError.self) { try write(["one\n"], to: url) }
            #expect(error?.code == .unwritable)
            #expect(try bytes(url) == "mine\n")
        }
    }

    /// An obstacle in the place of an output.
    enum Place: CaseIterable {
        case link, danglingLink, pipe, folder, secondName
    }

    @Test(arguments: Place.allCases) func refusesWhatIsNoFileOfItsOwn(_ place: Place) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("out.jsonl")
            let other = folder.appendingPathComponent("other")
            let manager = FileManager.default
            switch place {
            case .link:
                try Data().write(to: other)
                try manager.createSymbolicLink(at: url, withDestinationURL: other)
            case .danglingLink: try manager.createSymbolicLink(at: url, withDestinationURL: other)
            case .pipe: #expect(unsafe mkfifo(url.path, 0o600) == 0)
            case .folder: try manager.createDirectory(at: url, withIntermediateDirectories: false)
            case .secondName:
                try Data().write(to: other)
                try manager.linkItem(at: other, to: url)
            }
            let error = #expect(throws: StateError.self) { try write(["one\n"], to: url) }
            #expect(error?.code == .unwritable)
            #expect(place == .danglingLink ? !manager.fileExists(atPath: other.path) : true)
        }
    }

    /// The values of the paper's authors, for the key 00 01 … 0f and the bytes 00 01 ….
    @Test(arguments: [
        (0, 0x726F_DB47_DD0E_0E31 as UInt64), (1, 0x74F8_39C5_93DC_67FD), (8, 0x93F5_F579_9A93_2462),
        (15, 0xA129_CA61_49BE_45E5),
    ])
    func hashesAsThePaperDoes(_ count: Int, _ expected: UInt64) {
        let key = KeyHash(k0: 0x0706_0504_0302_0100, k1: 0x0F0E_0D0C_0B0A_0908)
        let text = String(decoding: (0..<count).map { UInt8($0) }, as: UTF8.self)
        #expect(UInt64(bitPattern: key.hash(text)) == expected)
    }
}
