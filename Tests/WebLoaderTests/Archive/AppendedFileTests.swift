import Foundation
import TestSupport
import Testing
import WebArchive
import WebStandards

/// That files are continued, whatever a killed writer has left in them, and that others' files are left alone.
@Suite(.timeLimit(.minutes(20)))
struct AppendedFileTests {
    /// Writes exchanges into a file.
    private func write(_ count: Int, to url: URL, body: String = "body") throws {
        let writer = try WARCWriter(path: url.path)
        for number in 0..<count {
            try writer.append(try writtenExchange("http://example.com/\(number)", "\(body) \(number)"))
        }
    }

    private func size(_ url: URL) throws -> Int { try Data(contentsOf: url).count }

    @Test(arguments: WARCWriterTests.names) func continuesAFile(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent(name)
            for _ in 0..<3 { try write(2, to: url) }
            let archive = try WrittenArchive(url.path)
            #expect(archive.findings == [])
            #expect(archive.kinds.filter { $0 == "warcinfo" }.count == 1)
            #expect(archive.kinds.filter { $0 == "response" }.count == 6)
        }
    }

    /// The records that a killed writer left unfinished are cut off, with the writer's note and without, and nothing
    /// else.
    @Test(arguments: WARCWriterTests.names, [true, false])
    func cutsOffWhatIsUnfinished(_ name: String, _ hasNote: Bool) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent(name)
            try write(1, to: url)
            let first = try Data(contentsOf: url)
            try write(1, to: url, body: "another")
            let both = try Data(contentsOf: url)
            let response = try #require(
                try WrittenArchive(url.path).records.last { $0.kind == .request }?.offset
            )
            for end in stride(from: first.count, to: both.count, by: 7) {
                try both.prefix(end).write(to: url)
                if hasNote {
                    let tail = first.suffix(32).map { UInt64($0).hexadecimal(digits: 2) }.joined()
                    try "\(first.count) \(tail)\n".write(
                        to: folder.appendingPathComponent("\(name).unfinished"),
                        atomically: false,
                        encoding: .utf8
                    )
                }
                _ = try WARCWriter(path: url.path)
                let expected = end < response ? first.count : response
                #expect(try size(url) == expected, "cut at \(end) of \(first.count)..<\(both.count)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
            }
        }
    }

    @Test(arguments: WARCWriterTests.names) func beginsAnewWhereNothingIsWhole(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent(name)
            try write(0, to: url)
            let whole = try Data(contentsOf: url)
            for end in stride(from: 0, to: whole.count, by: 3) {
                try whole.prefix(end).write(to: url)
                try "0 \n".write(
                    to: folder.appendingPathComponent("\(name).unfinished"),
                    atomically: false,
                    encoding: .utf8
                )
                _ = try WARCWriter(path: url.path)
                #expect(try WrittenArchive(url.path).kinds == ["warcinfo"], "cut at \(end)")
            }
        }
    }

    /// A note of another file of that name says nothing of this one.
    @Test(arguments: [
        "5 00112233\n", "5 0011223344\n", "999999999 00\n", "-1 \n", "junk", "", "5 0011223344",
    ])
    func doesNotBelieveOthersNotes(_ note: String) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.warc.gz")
            try write(2, to: url)
            let size = try size(url)
            let place = folder.appendingPathComponent("a.warc.gz.unfinished")
            try note.write(to: place, atomically: false, encoding: .utf8)
            _ = try WARCWriter(path: url.path)
            #expect(try self.size(url) == size)
        }
    }

    /// The members of a WARC that is the body of a record are not the file's.
    @Test func isNotMisledByAnArchiveInTheArchive() async throws {
        try await withTemporaryFolder { folder in
            let inner = folder.appendingPathComponent("inner.warc.gz")
            // Incompressible data is stored as it is, headers of members too.
            for number in 0..<300 {
                let noise = (0..<400).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
                try write(1, to: inner, body: "\(number) \(noise)")
            }
            let url = folder.appendingPathComponent("a.warc.gz")
            try write(1, to: url)
            let before = try size(url)
            var exchange = try writtenExchange("http://example.com/inner.warc.gz", nil)
            exchange.body = .bytes(Array(try Data(contentsOf: inner)))
            exchange.requestFields = []
            try WARCWriter(path: url.path).append(exchange)
            let after = try size(url)
            _ = try WARCWriter(path: url.path)
            #expect(try size(url) == after)
            try Data(contentsOf: url).dropLast(20).write(to: url)
            _ = try WARCWriter(path: url.path)
            #expect(try size(url) == before)
        }
    }

    @Test(arguments: [
        ("a.warc", "not a WARC"), ("a.warc.gz", "WARC/1.0\r\n"), ("a.warc.zst", "\u{1F}\u{8B}\u{8}"),
        ("a.warc", "WARC/1.1\r\nContent-Length: many\r\n\r\n"),
        ("a.warc", "WARC/1.1\r\nContent-Length: 3\r\n\r\n123\r\n\r\ngarbage"),
    ])
    func leavesOtherFilesAlone(_ name: String, _ content: String) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent(name)
            let bytes = Data(content.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
            try bytes.write(to: url)
            let error = #expect(throws: ArchiveError.self) { try WARCWriter(path: url.path) }
            #expect(error?.code == .notAnArchive)
            #expect(try Data(contentsOf: url) == bytes)
        }
    }

    @Test func leavesADamagedFileAlone() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.warc.gz")
            try write(1, to: url)
            let bytes = try Data(contentsOf: url) + Data("garbage".utf8)
            try bytes.write(to: url)
            let error = #expect(throws: ArchiveError.self) { try WARCWriter(path: url.path) }
            #expect(error?.code == .notAnArchive)
            #expect(try Data(contentsOf: url) == bytes)
        }
    }

    @Test func refusesWhatIsNoFile() async throws {
        try await withTemporaryFolder { folder in
            try write(0, to: folder.appendingPathComponent("real.warc"))
            let link = folder.appendingPathComponent("link.warc").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.warc")
            let pipe = folder.appendingPathComponent("pipe.warc").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            let directory = folder.appendingPathComponent("folder.warc").path
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            let missing = folder.appendingPathComponent("missing/a.warc").path
            for path in [link, pipe, directory, missing, folder.appendingPathComponent("a.txt").path] {
                let error = #expect(throws: ArchiveError.self) { try WARCWriter(path: path) }
                #expect(error?.code == .unwritable, "\(path)")
            }
        }
    }

    @Test(arguments: WARCWriterTests.names) func takesTurns(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent(name)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        let writer = try WARCWriter(path: url.path)
                        for number in 0..<25 {
                            let target = "http://example.com/\(task)/\(number)"
                            try writer.append(try writtenExchange(target, "\(task) \(number)"))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let archive = try WrittenArchive(url.path)
            #expect(archive.findings == [])
            #expect(archive.payloads.count == 100)
            #expect(archive.kinds.filter { $0 == "warcinfo" }.count == 1)
        }
    }

    @Test func saysThatItsFileWasReplaced() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.warc")
            let writer = try WARCWriter(path: url.path)
            try FileManager.default.removeItem(at: url)
            let exchange = try writtenExchange("http://example.com/", "x")
            let error = #expect(throws: ArchiveError.self) { try writer.append(exchange) }
            #expect(error?.code == .unwritable)
        }
    }
}
