import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import WebLoader
@testable import WebStandards
@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct StreamTests {
    /// The upper bound of the bytes that a stream holds.
    private static let bound = 512 << 10

    private static let block = String(repeating: "0123456789abcdef", count: 1 << 16)

    /// A loader without a cache, retries or effective limits, except for those that are configured.
    private func loader(_ configure: (inout PageLoader.Configuration) -> Void = { _ in }) -> PageLoader {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.limits.maximumBodySize = 4 << 30
        configure(&configuration)
        return PageLoader(configuration: configuration)
    }

    private func request(_ url: String, _ policy: CachePolicy = .useProtocolCachePolicy) throws -> WebRequest
    {
        WebRequest(url: try WebURL(url), cachePolicy: policy)
    }

    /// Reads to the end: all bytes, and the largest piece.
    private func read(_ response: StreamedResponse) async throws(LoadError) -> (bytes: [UInt8], largest: Int)
    {
        var (bytes, largest) = ([UInt8](), 0)
        for try await piece in response.body {
            #expect(!piece.isEmpty)
            bytes += piece
            largest = max(largest, piece.count)
        }
        return (bytes, largest)
    }

    private static func head(_ fields: String) -> RawServer.Step {
        .send("HTTP/1.1 200 OK\r\n\(fields)Connection: close\r\n\r\n")
    }

    // MARK: - Head and body

    @Test func theHeadComesBeforeTheBody() async throws {
        let jar = CookieJar()
        let loader = loader { $0.cookieJar = jar }
        try await withRawServer([
            Self.head("Content-Length: 5\r\nSet-Cookie: a=b\r\nContent-Type: a/b\r\n"), .pause(seconds: 600),
        ]) { server in
            let response = try await loader.stream(request(server.url))
            #expect(response.head.status == 200)
            #expect(response.head.contentType?.essence == "a/b")
            #expect(response.head.body.isEmpty)
            #expect(try jar.field(for: WebURL(server.url)) == "a=b")
        }
    }

    @Test func isWhatAFetchReturns() async throws {
        let body = Data((0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 131) })
        let handler: TestServer.Handler = { request in
            guard request.path != "/from" else {
                let headers: HTTPHeaders = [.location: "/to"]
                return HTTPResponse(statusCode: .found, headers: headers)
            }
            let headers: HTTPHeaders = [.contentType: "a/b"]
            return HTTPResponse(statusCode: .notFound, headers: headers, body: body)
        }
        try await withTestServer(handler) { server in
            let request = try request(server.url("/from#x"))
            let whole = try await loader().fetch(request)
            let response = try await loader().stream(request)
            #expect(response.head.url == whole.url)
            #expect(response.head.status == 404)
            #expect(response.head.contentType == whole.contentType)
            #expect(response.head.redirects.map(\.url) == whole.redirects.map(\.url))
            #expect(response.head.source == .network)
            #expect(try await read(response).bytes == whole.body)
        }
    }

    @Test(arguments: [("HEAD", 200, ""), ("GET", 304, "\"x\""), ("GET", 204, "")])
    func aResponseWithoutABodyHasNoPieces(method: String, status: Int, tag: String) async throws {
        let fields = status == 200 ? "Content-Length: 9\r\nContent-Encoding: gzip\r\n" : ""
        try await withRawServer([.send("HTTP/1.1 \(status) X\r\n\(fields)\r\n")]) { server in
            var request = try request(server.url)
            request.httpMethod = method
            if !tag.isEmpty { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
            let response = try await loader().stream(request)
            #expect(response.head.status?.code == status)
            #expect(try await read(response).bytes.isEmpty)
        }
    }

    /// 16 KiB of it, which libcurl hands over at once, decode to 2 MiB.
    @Test func codingsAreUndoneNoFasterThanTheReaderReads() async throws {
        let member = try #require(ContentDecoderTests.samples.first { $0.coding == .gzip }).bytes
        let (count, text) = (600, ContentDecoderTests.text)
        var coded: [UInt8] = []
        for _ in 0..<count { coded += member }
        let fields = "Content-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n"
        try await withRawServer([Self.head(fields), .sendBytes(coded)]) { server in
            let (bytes, largest) = try await read(try await loader().stream(request(server.url)))
            #expect(bytes.count == count * text.count)
            for start in stride(from: 0, to: bytes.count, by: text.count) {
                #expect(Array(bytes[start..<start + text.count]) == text)
            }
            #expect(largest < Self.bound)
        }
    }

    @Test func filesAndDataURLs() async throws {
        try await withTemporaryFolder { folder in
            let body = Data((0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 131) })
            let file = folder.appendingPathComponent("a.txt")
            try body.write(to: file)
            let url = "file://\(file.path)"
            let response = try await loader().stream(request(url))
            #expect(response.head.source == .file)
            #expect(response.head.contentType?.essence == "text/plain")
            let (bytes, largest) = try await read(response)
            #expect(bytes == Array(body))
            #expect(largest < Self.bound)
            for (url, code) in [(url, "limit.size"), ("\(url)x", "file.not-found"), ("data:x", "url.data")] {
                let small = loader { $0.limits.maximumBodySize = 1000 }
                let error = await #expect(throws: LoadError.self) { try await small.stream(request(url)) }
                #expect(error?.code.rawValue == code)
            }
        }
        let response = try await loader().stream(request("data:,abc"))
        #expect(try await read(response).bytes == Array("abc".utf8))
    }

    // MARK: - The reader's pace

    /// The server can send what the reader has taken, and what the buffers of two sockets and ours hold.
    @Test func aSlowReaderStopsTheServer() async throws {
        let count = 64
        try await withRawServer([
            Self.head("Content-Length: \(count << 20)\r\n"), .sendRepeatedly(Self.block, times: count),
        ]) { server in
            let response = try await loader().stream(request(server.url))
            var iterator = response.body.makeAsyncIterator()
            var read = try #require(try await iterator.next()).count
            // Enough for a server that is not stopped to send all of it.
            try await Task.sleep(for: .seconds(1))
            #expect(server.sentBytes < 16 << 20)
            while let piece = try await iterator.next() {
                #expect(piece.count < Self.bound)
                read += piece.count
            }
            #expect(read == count << 20)
        }
    }

    @Test func noTimePassesWhileTheReaderIsWaitedFor() throws {
        var limits = LoadLimits()
        limits.maximumTime = .seconds(10)
        let transfer = CurlTransfer(try request("http://a.test/"), limits: limits, receiver: nil) { _ in }
        let start = MonotonicClock.now
        transfer.lastProgress = start
        transfer.pauseStart = start
        #expect(transfer.deadline(now: start + 1000).expired == nil)
        #expect(transfer.endPause(start + 1000))
        #expect(!transfer.endPause(start + 1000))
        #expect(transfer.deadline(now: start + 1009).expired == nil)
        #expect(transfer.deadline(now: start + 1011).expired?.code == .totalTimeout)
    }

    /// A GiB.
    @Test func muchPassesThroughLittle() async throws {
        let count = 1 << 10
        try await withRawServer([Self.head(""), .sendRepeatedly(Self.block, times: count)]) { server in
            var (read, largest) = (0, 0)
            for try await piece in try await loader().stream(request(server.url)).body {
                read += piece.count
                largest = max(largest, piece.count)
            }
            #expect(read == count << 20)
            #expect(largest < Self.bound)
        }
    }

    // MARK: - The cache

    @Test(arguments: [100, 3_000_000])
    func whatWasReadIsStoredAndReadFromTheDisk(size: Int) async throws {
        let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 131) })
        let headers: HTTPHeaders = [.init("Cache-Control"): "max-age=600"]
        let handler: TestServer.Handler = { _ in
            HTTPResponse(statusCode: .ok, headers: headers, body: body)
        }
        try await withTemporaryFolder { folder in
            try await withTestServer(handler) { server in
                let loader = loader { $0.cacheDirectory = folder.path }
                let miss = try await loader.stream(request(server.url("/")))
                #expect(miss.head.cacheVerdict?.outcome == .miss)
                #expect(try await read(miss).bytes == Array(body))
                for policy in [CachePolicy.useProtocolCachePolicy, .returnCacheDataDontLoad] {
                    let hit = try await loader.stream(request(server.url("/"), policy))
                    #expect(hit.head.source == .cache)
                    #expect(hit.head.cacheVerdict?.outcome == .hit)
                    let (bytes, largest) = try await read(hit)
                    #expect(bytes == Array(body))
                    #expect(largest < Self.bound)
                }
                #expect(try await loader.fetch(request(server.url("/"))).body == Array(body))
                #expect(server.requestedPaths == ["/"])
                let error = await #expect(throws: LoadError.self) {
                    try await loader.stream(request(server.url("/other"), .returnCacheDataDontLoad))
                }
                #expect(error?.code == "cache.miss")
            }
        }
    }

    enum Ending: CaseIterable {
        case task, iterator, response, unread
    }

    /// The server has one connection at a time, and the fetcher one for the server.
    @Test(arguments: Ending.allCases)
    func whatIsGivenUpEndsIsNotStoredAndLeavesItsPlace(ending: Ending) async throws {
        let server = try RawServer { number in
            let fields = "Cache-Control: max-age=600\r\nContent-Length: "
            guard number == 0 else { return [Self.head("\(fields)4\r\n"), .send("next")] }
            return [Self.head("\(fields)\(64 << 20)\r\n"), .sendRepeatedly(Self.block, times: 64)]
        }
        defer { server.stop() }
        try await withTemporaryFolder { folder in
            var fetching = CurlFetcher.Configuration()
            fetching.maximumConnectionsPerHost = 1
            let loader = loader {
                $0.cacheDirectory = folder.path
                $0.fetcher = CurlFetcher(configuration: fetching)
            }
            let request = try request(server.url)
            switch ending {
            case .task:
                let (started, continuation) = AsyncStream.makeStream(of: Void.self)
                let task = Task {
                    for try await _ in try await loader.stream(request).body {
                        continuation.yield()
                        // Cancelled while it reads.
                        await untilCancelled()
                    }
                }
                for await _ in started { break }
                task.cancel()
                let error = await #expect(throws: LoadError.self) { try await task.value }
                #expect(error?.isCancellation == true)
            case .iterator:
                let response = try await loader.stream(request)
                for try await _ in response.body { break }
                let error = await #expect(throws: LoadError.self) { try await read(response) }
                #expect(error?.isCancellation == true)
            case .response:
                #expect(try await loader.stream(request).head.status == 200)
            case .unread:
                let body = try await loader.stream(request).body
                #expect(server.connections == 1)
                _ = consume body
            }
            #expect(await !loader.isCached(request.url))
            #expect(try await loader.fetch(request).body == Array("next".utf8))
        }
    }

    // MARK: - Errors

    @Test func anErrorInTheMiddleComesAfterTheBytesBeforeItAndAgain() async throws {
        try await withRawServer([Self.head(""), .sendRepeatedly(Self.block, times: 8)]) { server in
            let loader = loader { $0.limits.maximumBodySize = 1 << 20 }
            let response = try await loader.stream(request(server.url))
            var iterator = response.body.makeAsyncIterator()
            var read = 0
            let error = await #expect(throws: LoadError.self) {
                while let piece = try await iterator.next() { read += piece.count }
            }
            #expect(error?.code == "limit.size")
            #expect(1 << 19 < read && read <= 1 << 20)
            let again = await #expect(throws: LoadError.self) { try await iterator.next() }
            #expect(again == error)
        }
        try await withRawServer([Self.head("Content-Length: 1001\r\n")]) { server in
            let loader = loader { $0.limits.maximumBodySize = 1000 }
            let error = await #expect(throws: LoadError.self) { try await loader.stream(request(server.url)) }
            #expect(error?.code == "limit.size")
        }
    }

    @Test func onlyWhatHasNoHeadYetIsRetried() async throws {
        let server = try RawServer { number in
            switch number {
            case 0: [.send("HTTP/1.1 503 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")]
            case 1: []
            case 2: [Self.head("Content-Length: 4\r\n"), .send("good")]
            default: [Self.head("Content-Length: 4\r\n"), .send("ba")]
            }
        }
        defer { server.stop() }
        let loader = loader {
            $0.retryPolicy.maximumRetries = 5
            $0.retryPolicy.initialDelay = .zero
        }
        let response = try await loader.stream(request(server.url))
        #expect(response.head.status == 200)
        #expect(response.head.retries == 2)
        #expect(try await read(response).bytes == Array("good".utf8))
        let broken = try await loader.stream(request(server.url))
        let error = await #expect(throws: LoadError.self) { try await read(broken) }
        #expect(error?.code == "network.lost")
        #expect(server.connections == 4)
    }

    @Test func whatBreaksOffIsNotContinuedWithWhatIsStored() async throws {
        let fields = "Cache-Control: max-age=0, stale-if-error=1000\r\nContent-Length: 4\r\n"
        let server = try RawServer { [Self.head(fields), .send($0 == 0 ? "good" : "ba")] }
        defer { server.stop() }
        let loader = loader { $0.keepsCacheInMemory = true }
        #expect(try await read(loader.stream(request(server.url))).bytes == Array("good".utf8))
        let broken = try await loader.stream(request(server.url))
        let error = await #expect(throws: LoadError.self) { try await read(broken) }
        #expect(error?.code == "network.lost")
        #expect(try await loader.fetch(request(server.url)).body == Array("good".utf8))
    }

    /// A fetcher of a program's own may begin again; the reader has its head by then.
    @Test func anotherResponseIsNotJoinedToTheFirst() async throws {
        let pipe = BodyPipe(try WebURL("http://a.test/"))
        let head = WebResponse(url: try WebURL("http://a.test/"), status: 200, body: [], source: .network)
        try pipe.receive(head: head)
        try pipe.receive([1, 2].span)
        #expect(throws: FetchError.self) { try pipe.receive(head: head) }
        #expect(try await pipe.next() == [1, 2])
    }

    /// A redirect whose body breaks off is asked for again, as without a stream: its reader has seen nothing of it.
    @Test func aRedirectThatBreaksOffIsRetried() async throws {
        let server = try RawServer { number in
            switch number {
            case 0: [.send("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 10\r\n\r\nxx")]
            case 1:
                [
                    .send(
                        "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    )
                ]
            default: [Self.head("Content-Length: 4\r\n"), .send("good")]
            }
        }
        defer { server.stop() }
        let loader = loader {
            $0.retryPolicy.maximumRetries = 2
            $0.retryPolicy.initialDelay = .zero
        }
        let response = try await loader.stream(request(server.url))
        #expect(try await read(response).bytes == Array("good".utf8))
    }
}
