import Dispatch
public import FlyingFox
import FlyingSocks
import Synchronization

/// A well-behaved HTTP server on a loopback port that the system picks, for as long as a closure runs.
public final class TestServer: Sendable {
    /// Answers a request.
    public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    /// The port it listens on.
    public let port: Int

    private let server: HTTPServer
    private let task: Task<Void, Never>
    private let seen: Requests

    private final class Requests: Sendable {
        let paths = Mutex<[String]>([])
    }

    /// Starts a server and waits until it listens.
    public init(_ handler: @escaping Handler) async throws {
        let seen = Requests()
        // Generous times here and below: the rest of the suite may have all cores.
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: 0),
            timeout: 600,
            logger: .disabled
        )
        await server.appendRoute("*") { request in
            seen.paths.withLock { $0.append(request.path) }
            return await handler(request)
        }
        task = Task(executorPreference: ServerThread()) {
            // Ends with an error when it is stopped, which is how it ends at all.
            try? await server.run()
        }
        try await server.waitUntilListening(timeout: 600)
        guard case .ip4(_, let port)? = await server.listeningAddress else {
            throw TestServerError(message: "the server does not listen on an IPv4 port")
        }
        self.port = Int(port)
        self.server = server
        self.seen = seen
    }

    /// The URL of a path, which begins with "/".
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The paths that were asked for, in order.
    public var requestedPaths: [String] { seen.paths.withLock { $0 } }

    /// Stops it.
    ///
    /// Connections to its port are refused from then on.
    public func stop() async {
        await server.stop(timeout: 0)
        task.cancel()
        await task.value
    }
}

/// Runs a server's tasks on a thread of its own: those of tests share one for each core, and a test that computes on
/// each of them would prevent a server from answering until the loads of others have timed out.
private final class ServerThread: TaskExecutor {
    private let queue = DispatchQueue(label: "test server")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Why a test server could not start.
public struct TestServerError: Error {
    /// The description of the failure.
    public let message: String

    /// An error that says so.
    public init(message: String) {
        self.message = message
    }
}

/// Runs a server for as long as `body` takes.
public func withTestServer<Value>(
    _ handler: @escaping TestServer.Handler,
    _ body: (TestServer) async throws -> Value
) async throws -> Value {
    let server = try await TestServer(handler)
    return try await ending(server.stop) { try await body(server) }
}
