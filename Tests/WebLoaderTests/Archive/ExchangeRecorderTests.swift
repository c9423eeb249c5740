import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import WebArchive
import WebLoader
import WebStandards
import WebTransport

/// Tests of the records of a fetcher's exchanges.
@Suite(.timeLimit(.minutes(20)))
struct ExchangeRecorderTests {
    /// Keeps exchanges, with bodies from files in memory.
    private final class Recorder: ExchangeRecorder {
        let exchanges = Mutex<[ArchivedExchange]>([])
        let failure: ArchiveError?
        let temporaryFolder: String

        init(failure: ArchiveError? = nil, temporaryFolder: String = NSTemporaryDirectory()) {
            self.failure = failure
            self.temporaryFolder = temporaryFolder
        }

        func record(_ exchange: ArchivedExchange) throws(ArchiveError) {
            if let failure { throw failure }
            var exchange = exchange
            var bytes: [UInt8] = []
            try exchange.body?.forEachPiece { piece throws(ArchiveError) in bytes += piece }
            exchange.body = .bytes(bytes)
            exchanges.withLock { $0.append(exchange) }
        }

        var all: [ArchivedExchange] { exchanges.withLock { $0 } }
    }

    /// Loads from a raw server, and returns what was recorded and the load's error.
    private func record(
        _ steps: [RawServer.Step],
        _ recorder: Recorder = Recorder(),
        limits: LoadLimits = LoadLimits(),
        change: (inout WebRequest) -> Void = { _ in }
    ) async throws -> (exchanges: [ArchivedExchange], error: FetchError?, sent: [String]) {
        try await withRawServer(steps) { server in
            var configuration = CurlFetcher.Configuration()
            configuration.recorder = recorder
            var request = WebRequest(url: try WebURL(server.url))
            change(&request)
            do throws(FetchError) {
                _ = try await CurlFetcher(configuration: configuration).fetch(request, limits: limits)
                return (recorder.all, nil, server.requests)
            } catch {
                return (recorder.all, error, server.requests)
            }
        }
    }

    private func text(_ body: ArchivedBody?) -> String? {
        guard case .bytes(let bytes) = body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func recordsWhatWasOnTheWire() async throws {
        let (exchanges, error, sent) = try await record(
            [
                .send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"),
                .send("HTTP/1.1 200 Very Fine\r\nX-B: 1\r\nset-cookie: a=1\r\nX-Folded: a\r\n  b\r\n"),
                .send("Set-Cookie: b=2\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .send("3\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: x\r\n\r\n"),
            ],
            change: { $0.headerFields[.cookie] = "secret=1" }
        )
        #expect(error == nil)
        let exchange = try #require(exchanges.first)
        #expect(exchanges.count == 1)
        #expect(exchange.status == 200)
        #expect(exchange.reason == "Very Fine")
        #expect(exchange.version == "1.1")
        #expect(exchange.address == "127.0.0.1")
        #expect(exchange.truncated == nil)
        #expect(exchange.timing?.total != nil)
        #expect(text(exchange.body) == "abcde")
        #expect(
            exchange.responseFields.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" } == [
                "X-B=1", "set-cookie=a=1", "X-Folded=a b", "Set-Cookie=b=2", "Transfer-Encoding=chunked",
            ]
        )
        let request = exchange.requestFields.map {
            "\($0.name): \(String(decoding: $0.value, as: UTF8.self))"
        }
        let lines = try #require(sent.first).components(separatedBy: "\r\n").dropFirst().filter {
            !$0.isEmpty
        }
        #expect(request == Array(lines))
        #expect(request.contains("Cookie: secret=1"))
    }

    @Test func keepsTheContentCoding() async throws {
        // "hello" in gzip.
        let coded: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5,
            0, 0, 0,
        ]
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
        let (exchanges, error, _) = try await record([.send(head), .sendBytes(coded)])
        #expect(error == nil)
        guard case .bytes(let bytes)? = exchanges.first?.body else {
            Issue.record("no body was recorded")
            return
        }
        #expect(bytes == coded)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "disconnect"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", "length"),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", "unspecified"),
    ])
    func saysWhyABodyIsCutOff(_ response: String, _ reason: String) async throws {
        var limits = LoadLimits()
        limits.maximumBodySize = 1000
        let (exchanges, error, _) = try await record([.send(response)], limits: limits)
        #expect(error != nil)
        #expect(exchanges.count == 1)
        #expect(exchanges.first?.truncated == reason)
    }

    @Test func recordsNothingWithoutAHead() async throws {
        let (exchanges, error, _) = try await record([.send("HTTP/1.1 200 OK\r\nContent-")])
        #expect(error != nil)
        #expect(exchanges.isEmpty)
    }

    @Test func putsLargeBodiesIntoAFileThatGoes() async throws {
        try await withTemporaryFolder { folder in
            let recorder = Recorder(temporaryFolder: folder.path)
            let piece = String(repeating: "0123456789abcdef", count: 1 << 14)
            let (exchanges, error, _) = try await record(
                [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: \(piece.utf8.count * 12)\r\n\r\n"),
                    .sendRepeatedly(piece, times: 12),
                ],
                recorder
            )
            #expect(error == nil)
            #expect(text(exchanges.first?.body) == String(repeating: piece, count: 12))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test func failsTheLoadIfItCannotRecord() async throws {
        let recorder = Recorder(failure: ArchiveError(.unwritable, "the disk is full"))
        let (_, error, _) = try await record(
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")],
            recorder
        )
        #expect(error?.code.rawValue == "file.write")
        #expect(error?.message.contains("the disk is full") == true)
    }

    @Test func recordsEachRedirectOfALoad() async throws {
        let recorder = Recorder()
        let server = try RawServer { number in
            number == 0
                ? [
                    .send(
                        "HTTP/1.1 302 Found\r\nLocation: /to\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    )
                ]
                : [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")]
        }
        defer { server.stop() }
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.recorder = recorder
        _ = try await PageLoader(configuration: configuration).load(WebRequest(url: WebURL(server.url)))
        #expect(recorder.all.map(\.status) == [302, 200])
        #expect(recorder.all.map(\.url.path) == ["/", "/to"])
    }
}
