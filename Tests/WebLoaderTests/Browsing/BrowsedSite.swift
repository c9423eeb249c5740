import FlyingFox
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WebBrowsing

/// A site for sessions to browse, which records its requests.
final class BrowsedSite: Sendable {
    /// A request to the site.
    struct Asked: Sendable {
        let method: String
        /// The path and the query.
        let target: String
        let body: String
        /// The fields by their names in lower case.
        let fields: [String: String]
        /// The number of requests for that path, including this one.
        let count: Int

        /// The method, the path, and the body if there is one.
        var line: String { body.isEmpty ? "\(method) \(target)" : "\(method) \(target) \(body)" }
    }

    /// An answer of the site.
    struct Answer: Sendable {
        var status = 200
        var fields = ["Content-Type": "text/html"]
        var body = ""

        /// A page with a title.
        static func page(_ title: String, _ body: String = "", _ fields: [String: String] = [:]) -> Answer {
            var answer = Answer(body: "<!doctype html><title>\(title)</title>\(body)")
            answer.fields.merge(fields) { $1 }
            return answer
        }

        static func redirect(
            _ location: String,
            _ status: Int = 302,
            _ fields: [String: String] = [:]
        ) -> Answer {
            Answer(status: status, fields: fields.merging(["Location": location]) { $1 })
        }

        /// An image.
        static let image = Answer(
            fields: ["Content-Type": "image/svg+xml", "Cache-Control": "max-age=3600"],
            body: "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>"
        )
    }

    private let memory = Mutex<(asked: [Asked], counts: [String: Int])>(([], [:]))

    /// The requests so far.
    var asked: [Asked] { memory.withLock { $0.asked } }

    /// The requests so far: method, path, body.
    var lines: [String] { asked.map(\.line) }

    fileprivate func note(_ request: FlyingFox.HTTPRequest) async -> Asked {
        let body = (try? await request.bodyData) ?? Data()
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return memory.withLock { memory in
            memory.counts[request.path, default: 0] += 1
            let asked = Asked(
                method: request.method.rawValue,
                target: query.isEmpty ? request.path : "\(request.path)?\(query)",
                body: String(decoding: body, as: UTF8.self),
                fields: Dictionary(
                    request.headers.map { ($0.key.rawValue.lowercased(), $0.value) },
                    uniquingKeysWith: { $1 }
                ),
                count: memory.counts[request.path] ?? 0
            )
            memory.asked.append(asked)
            return asked
        }
    }
}

/// Runs a site for as long as `body` takes; each page has its path and how often it was asked for as its title, unless
/// `answer` has something else.
func withSite<Value>(
    _ answer: @escaping @Sendable (BrowsedSite.Asked) -> BrowsedSite.Answer? = { _ in nil },
    _ body: (BrowsedSite, TestServer) async throws -> Value
) async throws -> Value {
    let site = BrowsedSite()
    return try await withTestServer { request in
        let asked = await site.note(request)
        let answer = answer(asked) ?? .page("\(asked.target) \(asked.count)")
        var headers = HTTPHeaders()
        for (name, value) in answer.fields { headers[HTTPHeader(name)] = value }
        return FlyingFox.HTTPResponse(
            statusCode: HTTPStatusCode(answer.status, phrase: ""),
            headers: headers,
            body: Data(answer.body.utf8)
        )
    } _: { server in
        try await body(site, server)
    }
}

/// Opens what another one has, as soon as it is given back: a thread may still let go of it.
func onceFree<Value>(_ open: () throws(StateError) -> Value) async throws -> Value {
    var value: Value?
    try await eventually("the state is given back") {
        do throws(StateError) {
            value = try open()
            return true
        } catch {
            guard error.code == .busy else { throw error }
            return false
        }
    }
    return try #require(value)
}

extension PageSession {
    /// Loads a page of a server.
    @discardableResult
    func load(_ server: TestServer, _ path: String) async throws -> Navigation {
        try await load(WebRequest(url: WebURL(server.url(path))))
    }

    /// Opens a session as soon as the one that had its folder is gone: a thread may still let go of it.
    static func reopened(_ configuration: Configuration) async throws -> PageSession {
        try await onceFree { () throws(StateError) in try PageSession(configuration: configuration) }
    }
}

extension PageSession.Configuration {
    /// Without a cache, unless `change` has one.
    static func testing(_ change: (inout Self) -> Void = { _ in }) -> Self {
        var configuration = Self()
        configuration.loader.cacheDirectory = nil
        change(&configuration)
        return configuration
    }
}

/// The code of the error that something throws; nil if it throws none.
func loadErrorCode(_ body: () async throws(LoadError) -> some Any) async -> String? {
    do throws(LoadError) {
        _ = try await body()
        return nil
    } catch {
        return error.code.rawValue
    }
}

/// The code of the error that something throws; nil if it throws none.
func stateErrorCode(_ body: () throws(StateError) -> some Any) -> String? {
    do throws(StateError) {
        _ = try body()
        return nil
    } catch {
        return error.code.rawValue
    }
}
