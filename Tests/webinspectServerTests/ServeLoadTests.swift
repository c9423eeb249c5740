import FlyingFox
import Foundation
import TestSupport
import Testing

/// Pages that are added: each is loaded once, and what is cancelled is not.
@Suite(.timeLimit(.minutes(20)))
struct ServeLoadTests {
    /// A site whose pages take a moment.
    private static let slow: TestServer.Handler = { request in
        try? await Task.sleep(for: .milliseconds(300))
        return HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: "text/html"],
            body: Data("<!doctype html><title>\(request.path)</title>".utf8)
        )
    }

    private func states(_ server: RunningServer) async throws -> [String: Int] {
        let loads = try await server.json("/api/loads")["loads"] as? [[String: Any]] ?? []
        return loads.reduce(into: [:]) { $0[$1["state"] as? String ?? "", default: 0] += 1 }
    }

    private func isOver(_ states: [String: Int]) -> Bool {
        states["waiting"] == nil && states["loading"] == nil
    }

    @Test func `one that waits is taken out, and no other is loaded twice`() async throws {
        try await withTestServer(Self.slow) { (site) async throws in
            try await withServer { (server) async throws in
                let urls = (0..<12).map { "\"\(site.url("/\($0)"))\"" }
                let answer = try await server.json(
                    "/api/pages",
                    "{\"urls\":[\(urls.joined(separator: ","))]}"
                )
                let added = try #require(answer["loads"] as? [[String: Any]])
                let last = try #require(added.last?["id"] as? Int)
                _ = try await server.json("/api/loads/cancel", "{\"id\":\(last)}")
                try await server.wait("all is over") { isOver(try await states(server)) }
                #expect(try await states(server) == ["done": 11, "failed": 1])
                #expect(site.requestedPaths.sorted() == (0..<11).map { "/\($0)" }.sorted())
            }
        }
    }

    @Test func `all are cancelled at once, those that wait too`() async throws {
        try await withTestServer(Self.slow) { (site) async throws in
            try await withServer { (server) async throws in
                let urls = (0..<300).map { "\"\(site.url("/\($0)"))\"" }
                _ = try await server.json("/api/pages", "{\"urls\":[\(urls.joined(separator: ","))]}")
                _ = try await server.json("/api/loads/cancel", "{}")
                try await server.wait("all is over") { isOver(try await states(server)) }
                let loads = try await server.json("/api/loads")["loads"] as? [[String: Any]] ?? []
                let codes = loads.compactMap { ($0["error"] as? [String: Any])?["code"] as? String }
                #expect(codes.count > 200)
                #expect(Set(codes) == ["load.cancelled"])
                // Others are loaded as before.
                try await server.load([site.url("/again")])
            }
        }
    }

    @Test func `a list that is not there is said before anything is loaded`() async throws {
        try await withTestServer(Self.slow) { (site) async throws in
            try await withServer { (server) async throws in
                let body = "{\"url\":\"\(site.url("/x"))\",\"list\":99}"
                #expect(try await server.ask("/api/pages", body).status == 404)
                #expect(try await states(server).isEmpty)
                let list = try #require(try await server.json("/api/lists", #"{"name":"l"}"#)["id"] as? Int)
                let url = site.url("/x").replacing("http://", with: "http://user:secret@") + "#part"
                _ = try await server.json("/api/pages", "{\"url\":\"\(url)\",\"list\":\(list)}")
                let rows =
                    try await server.json("/api/list?group=none&list=\(list)")["rows"] as? [[String: Any]]
                #expect(rows?.compactMap { $0["url"] as? String } == [site.url("/x")])
            }
        }
    }
}
