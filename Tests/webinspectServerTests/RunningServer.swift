import Foundation
import Glibc
import TestSupport
import Testing

/// `webinspect serve` as it is built, on a free port, for as long as a test takes.
final class RunningServer: Sendable {
    /// The first line that it has written: its address, with the token.
    let address: String
    let port: Int
    let token: String
    let cache: URL
    let program: StartedProgram

    private let errorFile: URL

    /// The address without the token.
    var origin: String { "http://127.0.0.1:\(port)" }

    /// The text that it has written to its standard error.
    var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// Starts it and waits for its address.
    init(cache: URL) async throws {
        self.cache = cache
        let folder = cache.deletingLastPathComponent()
        let name = folder.appendingPathComponent("server-\(UUID().uuidString)").path
        errorFile = URL(fileURLWithPath: name + ".errors")
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC
        let nowhere = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        let output = unsafe open(name, flags, 0o600)
        let errors = unsafe open(name + ".errors", flags, 0o600)
        defer { [nowhere, output, errors].forEach { close($0) } }
        let program = try StartedProgram(
            "webinspect",
            ["serve", "--port", "0", "--cache-dir", cache.path],
            descriptors: [nowhere, output, errors],
            environment: ["XDG_CONFIG_HOME": folder.path]
        )
        self.program = program
        var line = ""
        try await eventually("the server says where it is") {
            line = try String(contentsOfFile: name, encoding: .utf8)
            return line.hasSuffix("\n") || program.exitStatus != nil
        }
        let form = /http:\/\/127\.0\.0\.1:([0-9]+)\/#token=([A-Za-z0-9_-]{43})\n/
        let said = (try? String(contentsOf: errorFile, encoding: .utf8)) ?? ""
        let match = try #require(line.wholeMatch(of: form), "\(line) \(said)")
        address = String(line.dropLast())
        port = try #require(Int(match.1))
        token = String(match.2)
    }

    /// The processes that read pages for it, or run jobs.
    var helpers: [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { Int32($0) }.filter { process in
            guard process != program.id,
                let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            else { return false }
            return line.range(of: Data(cache.path.utf8)) != nil
                && line.range(of: Data("webinspect".utf8)) != nil
        }
    }

    // MARK: - Requests

    /// Asks as the app does, on a connection of its own; with a body to change something.
    func ask(_ target: String, _ body: String? = nil) async throws -> RawClient.Answer {
        let client = try RawClient(port: port)
        await client.send(request(body == nil ? "GET" : "POST", target, body, ["Connection: close"]))
        return try await client.answer()
    }

    /// The answer to what the app asks, as JSON.
    func json(_ target: String, _ body: String? = nil) async throws -> [String: Any] {
        let answer = try await ask(target, body)
        try #require((200..<300).contains(answer.status), "\(target): \(answer.status) \(answer.text)")
        return try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
    }

    /// All answers to what is sent on one connection, which the server has to close.
    func answers(_ text: String, port: Int? = nil) async throws -> [RawClient.Answer] {
        let client = try RawClient(port: port ?? self.port)
        await client.send(text)
        return try await client.answers()
    }

    /// Where the view of a kept page is.
    func view(_ url: String) async throws -> URL {
        let source = try await json("/api/view", #"{"url":"\#(url)"}"#)["src"] as? String
        return try #require(URL(string: source ?? ""))
    }

    /// A request as the app sends it.
    func request(_ method: String, _ target: String, _ body: String? = nil, _ more: [String] = []) -> String {
        var fields = ["Host: 127.0.0.1:\(port)", "Authorization: Bearer \(token)"]
        if let body {
            fields += ["Origin: \(origin)", "Sec-Fetch-Site: same-origin", "Content-Type: application/json"]
            fields.append("Content-Length: \(body.utf8.count)")
        }
        return Self.request("\(method) \(target) HTTP/1.1", fields + more) + (body ?? "")
    }

    /// The lines of a head.
    static func request(_ line: String, _ fields: [String]) -> String {
        ([line] + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Waits until a closure gives true.
    func wait(_ what: String, _ isTrue: () async throws -> Bool) async throws {
        do {
            try await eventually(what, isTrue)
        } catch let error as DidNotCome {
            throw TestServerError(message: "\(error); \(errors)")
        }
    }

    /// Has pages loaded, and waits until they are in the list.
    func load(_ urls: [String]) async throws {
        let body = try JSONSerialization.data(withJSONObject: ["urls": urls])
        _ = try await json("/api/pages", String(decoding: body, as: UTF8.self))
        let kept = try JSONSerialization.data(withJSONObject: ["urls": urls])
        try await wait("\(urls.count) pages are kept") {
            let known = try await json("/api/kept", String(decoding: kept, as: UTF8.self))["kept"] as? [Any]
            return known?.count == Set(urls).count
        }
    }
}

/// That something is refused, once, and then nothing more is said.
func expectRefusal(
    _ answers: [RawClient.Answer],
    _ what: String,
    _ statuses: Range<Int> = 400..<500,
    _ place: SourceLocation = #_sourceLocation
) {
    let isRefused = answers.count == 1 && answers.allSatisfy { statuses.contains($0.status) }
    #expect(isRefused, "\(what): \(answers.map(\.status))", sourceLocation: place)
}

/// Runs a server on a cache for as long as `body` takes.
func withServer<Value>(_ cache: URL, _ body: (RunningServer) async throws -> Value) async throws -> Value {
    let server = try await RunningServer(cache: cache)
    do {
        let value = try await body(server)
        await server.program.endGroup()
        return value
    } catch {
        await server.program.endGroup()
        throw error
    }
}

/// Runs a server on an empty cache for as long as `body` takes.
func withServer<Value>(_ body: (RunningServer) async throws -> Value) async throws -> Value {
    try await withTemporaryFolder { (folder) async throws in
        try await withServer(folder.appendingPathComponent("cache"), body)
    }
}
