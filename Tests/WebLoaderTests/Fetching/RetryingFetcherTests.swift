import HTTPTypes
import Synchronization
import Testing

@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct RetryingFetcherTests {
    /// A fetcher over a script of outcomes, the last of which is for good, that notes how long it would have waited.
    private struct Trial {
        let upstream: ScriptedFetcher
        let fetcher: RetryingFetcher
        let waits: Waits

        final class Waits: Sendable {
            let seconds = Mutex<[Double]>([])
        }

        init(_ outcomes: [Result<(Int, [(String, String)]), FetchError>], _ policy: RetryPolicy) {
            let next = Mutex(0)
            let upstream = ScriptedFetcher { request throws(FetchError) in
                let index = next.withLock { index in
                    defer { index += 1 }
                    return min(index, outcomes.count - 1)
                }
                let (status, fields) = try outcomes[index].get()
                return .answering(request, status, fields, body: "body \(index)")
            }
            let waits = Waits()
            fetcher = RetryingFetcher(
                policy: policy,
                upstream: upstream,
                random: { 0 },
                wait: { seconds in waits.seconds.withLock { $0.append(seconds) } }
            )
            self.upstream = upstream
            self.waits = waits
        }
    }

    private func policy(_ retries: Int, maximumTime: Double? = nil) -> RetryPolicy {
        var policy = RetryPolicy()
        policy.maximumRetries = retries
        policy.maximumTime = maximumTime.map(Duration.init(boundedSeconds:))
        return policy
    }

    private func request(_ method: String = "GET") throws -> WebRequest {
        var request = WebRequest(url: try WebURL("http://a.test/"))
        request.httpMethod = method
        return request
    }

    @Test(
        "Statuses that may pass are tried again, and no others",
        arguments: [
            (408, true), (425, true), (429, true), (500, true), (502, true), (503, true), (504, true),
            (200, false),
            (301, false), (400, false), (401, false), (404, false), (410, false), (501, false), (505, false),
        ]
    )
    func statuses(status: Int, isRetried: Bool) async throws {
        let trial = Trial([.success((status, [])), .success((200, []))], policy(1))
        let response = try await trial.fetcher.fetch(request(), limits: LoadLimits())
        #expect(response.status?.code == (isRetried ? 200 : status))
        #expect(response.retries == (isRetried ? 1 : 0))
        #expect(trial.waits.seconds.withLock(\.self) == (isRetried ? [1] : []))
    }

    @Test(
        arguments: [
            .cancelled, .refused, .invalidRequest, .unsupportedURL, .nameResolution, .connection,
            .connectionLost, .timeout,
            .connectTimeout, .totalTimeout, .tls, .certificate, .addressRefused, .malformedResponse,
            .bodyTooLarge,
            .cacheMiss, "a.later.version's",
        ] as [FetchError.Code]
    )
    func failures(code: FetchError.Code) async throws {
        let isRetried = [.nameResolution, .connection, .connectionLost, .timeout, .connectTimeout].contains(
            code
        )
        let trial = Trial([.failure(FetchError(code, "x")), .success((200, []))], policy(1))
        let response = try? await trial.fetcher.fetch(request(), limits: LoadLimits())
        #expect((response?.status == 200) == isRetried)
        #expect(trial.upstream.requests.count == (isRetried ? 2 : 1))
    }

    @Test(arguments: [
        ("GET", true), ("HEAD", true), ("PUT", true), ("DELETE", true), ("OPTIONS", true), ("TRACE", true),
        ("POST", false), ("PATCH", false), ("PURGE", false), ("get", false),
    ])
    func onlyWhatMayBeRepeated(method: String, isRetried: Bool) async throws {
        let trial = Trial([.success((503, [])), .success((200, []))], policy(1))
        #expect(
            try await trial.fetcher.fetch(request(method), limits: LoadLimits()).status
                == (isRetried ? 200 : 503)
        )
    }

    @Test func theLastOutcomeIsTheAnswer() async throws {
        let trial = Trial([.success((503, [])), .success((502, [])), .success((500, []))], policy(2))
        let response = try await trial.fetcher.fetch(request(), limits: LoadLimits())
        #expect(response.status == 500)
        #expect(response.retries == 2)
        let failing = Trial([.success((503, [])), .failure(FetchError(.connection, "x"))], policy(3))
        await #expect(throws: FetchError(.connection, "x")) {
            try await failing.fetcher.fetch(request(), limits: LoadLimits())
        }
        #expect(failing.upstream.requests.count == 4)
    }

    @Test func delaysDouble() async throws {
        var limits = LoadLimits()
        limits.maximumTime = nil
        let trial = Trial([.success((503, []))], policy(12))
        _ = try await trial.fetcher.fetch(request(), limits: limits)
        #expect(trial.waits.seconds.withLock(\.self) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
    }

    @Test(arguments: [(0.0, 4.0), (0.5, 3.0), (1.0, 2.0)])
    func jitterTakesUpToHalfOff(random: Double, expected: Double) {
        let delay = policy(9).delay(retries: 2, retryAfter: nil, elapsed: 0, limit: nil, random: random)
        #expect(delay == expected)
    }

    @Test(
        "Retry-After is obeyed, as far as the time goes",
        arguments: [
            ("7", nil, 7), ("0", nil, 1), ("x", nil, 1), ("-5", nil, 1),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 1),
            ("7", 8, 7), ("7", 6, nil), ("400", nil, nil), ("99999999999999999999999", nil, nil),
            ("7.5", nil, 8), ("1.", nil, 1), (".5", nil, 1), ("1.5.5", nil, 1), ("1e9", nil, 1),
        ] as [(String, Double?, Double?)]
    )
    func retryAfter(value: String, maximumTime: Double?, wait: Double?) async throws {
        let trial = Trial(
            [.success((429, [("Retry-After", value)])), .success((200, []))],
            policy(1, maximumTime: maximumTime)
        )
        let response = try await trial.fetcher.fetch(request(), limits: LoadLimits())
        #expect(response.status == (wait == nil ? 429 : 200))
        #expect(trial.waits.seconds.withLock(\.self) == [wait].compactMap(\.self))
    }

    @Test func aDateIsCountedFromNow() {
        var response = WebResponse(url: .aboutBlank, status: 503, body: [], source: .network)
        response.headerFields[.retryAfter] = "Sun, 06 Nov 1994 08:49:37 GMT"
        let now = Timestamp(millisecondsSince1970: 784_111_767_500)
        #expect(response.retryAfter(now: now) == 9.5)
    }

    @Test func theReceiverIsHandedTheAnswerAlone() async throws {
        let trial = Trial([.success((503, [])), .success((200, []))], policy(1))
        let receiver = CollectingReceiver()
        _ = try await trial.fetcher.fetch(request(), limits: LoadLimits(), receiver: receiver)
        #expect(receiver.text == "200 body 1")
        let last = Trial([.success((503, []))], policy(1))
        let other = CollectingReceiver()
        _ = try await last.fetcher.fetch(request(), limits: LoadLimits(), receiver: other)
        #expect(other.text == "503 body 0" || other.text == "503 body 1")
    }

    @Test(arguments: [1e21, 1e25, 1e200, .infinity])
    func waitsForAnyNumberOfSeconds(seconds: Double) async throws {
        let fetcher = RetryingFetcher(
            policy: policy(1),
            upstream: Trial([.success((200, []))], policy(0)).upstream
        )
        let waiting = Task { try await fetcher.wait(seconds) }
        await Task.yield()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func endsWhenCancelledWhileItWaits() async throws {
        let upstream = ScriptedFetcher { .answering($0, 503) }
        let waiting = AsyncStream<Void>.makeStream()
        let fetcher = RetryingFetcher(
            policy: policy(1),
            upstream: upstream,
            wait: { _ in
                waiting.continuation.yield()
                try await Task.sleep(for: .seconds(600))
            }
        )
        let request = try request()
        let task = Task { try await fetcher.fetch(request, limits: LoadLimits()) }
        for await _ in waiting.stream { break }
        task.cancel()
        await #expect(throws: FetchError.self) { try await task.value }
    }
}

/// The status and the text of a response.
private final class CollectingReceiver: BodyReceiver {
    let collectsBody = false
    private let collected = Mutex("")

    var text: String { collected.withLock(\.self) }

    func receive(head: WebResponse) { collected.withLock { $0 = "\(head.status?.code ?? 0) " } }

    func receive(_ bytes: Span<UInt8>) {
        var text: [UInt8] = []
        for index in bytes.indices { text.append(bytes[index]) }
        collected.withLock { $0 += String(decoding: text, as: UTF8.self) }
    }
}
