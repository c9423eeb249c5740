import FlyingFox
import Foundation
import Glibc
import TestSupport
import Testing

/// The flags about connections, credentials, cookies and retries, which are curl's.
@Suite(.timeLimit(.minutes(20)))
struct ConnectionFlagsTests {
    private static let empty = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"

    /// The request that a server gets.
    private func request(_ arguments: String...) async throws -> String {
        try await withRawServer([.send(Self.empty)]) { server in
            let arguments = arguments.map { $0.replacing("PORT", with: "\(server.port)") }
            let outcome = try await Command.run("webinspect", ["fetch", "--no-store"] + arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try #require(server.requests.first)
        }
    }

    @Test func `names and passwords are sent`() async throws {
        let sent = "\r\nAuthorization: Basic YW5uOnNlY3JldA==\r\n"
        #expect(try await request("http://127.0.0.1:PORT/", "-u", "ann:secret").contains(sent))
        #expect(try await request("http://ann:secret@127.0.0.1:PORT/").contains(sent))
        let bearer = try await request("http://127.0.0.1:PORT/", "--oauth2-bearer", "token")
        #expect(bearer.contains("\r\nAuthorization: Bearer token\r\n"))
        let own = try await request("http://127.0.0.1:PORT/", "-u", "a:b", "-H", "Authorization: own")
        #expect(own.contains("\r\nAuthorization: own\r\n"))
    }

    @Test func `a netrc file has them too`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("netrc")
            try "machine 127.0.0.1 login ann password secret\n".write(
                to: file,
                atomically: true,
                encoding: .utf8
            )
            let sent = try await request("http://127.0.0.1:PORT/", "--netrc-file", file.path)
            #expect(sent.contains("\r\nAuthorization: Basic YW5uOnNlY3JldA==\r\n"))
        }
    }

    @Test func `they do not go to another host`() async throws {
        try await withRawServer([.send(Self.empty)]) { other in
            let redirect =
                "HTTP/1.1 302 Found\r\nLocation: \(other.url)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            try await withRawServer([.send(redirect)]) { server in
                let flags = ["-u", "ann:secret", "-b", "a=1", "--no-store", "-v"]
                let outcome = try await Command.run("webinspect", ["fetch", server.url] + flags)
                #expect(outcome.status == 0)
                #expect(server.requests.first?.contains("Authorization") == true)
                #expect(server.requests.first?.contains("Cookie: a=1") == true)
                #expect(other.requests.first?.contains("Authorization") == false)
                #expect(other.requests.first?.contains("Cookie") == false)
                #expect(!outcome.errors.contains("YW5uOnNlY3JldA"))
                #expect(outcome.errors.contains("> Authorization: Basic ***"))
            }
        }
    }

    @Test func `cookies are read, sent, kept and written`() async throws {
        let answer = "HTTP/1.1 204 No Content\r\nSet-Cookie: new=2\r\nConnection: close\r\n\r\n"
        try await withTemporaryFolder { folder in
            let jar = folder.appendingPathComponent("jar").path
            try await withRawServer([.send(answer)]) { server in
                let flags = ["--no-store", "-b", jar, "-b", "own=1; x=y", "-c", jar]
                for _ in 0..<2 {
                    let outcome = try await Command.run("webinspect", ["fetch", server.url] + flags)
                    #expect(outcome.status == 0, "\(outcome.errors)")
                }
                #expect(server.requests.first?.contains("\r\nCookie: own=1; x=y\r\n") == true)
                #expect(server.requests.last?.contains("\r\nCookie: new=2; own=1; x=y\r\n") == true)
            }
            let text = try String(contentsOfFile: jar, encoding: .utf8)
            #expect(text.hasSuffix("127.0.0.1\tFALSE\t/\tFALSE\t0\tnew\t2\n"))
        }
    }

    @Test func `in a session what a site sets takes the place of a cookie`() async throws {
        let page =
            "HTTP/1.1 200 OK\r\nSet-Cookie: app=new\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<title>Home</title>"
        try await withRawServer([.send(page)]) { server in
            let outcome = try await Command.run(
                "webinspect",
                ["session", "--no-store", "-b", "test=true; app=old"],
                input: Data("open \(server.url)\nreload\nopen \(server.url)/next\n".utf8)
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            let cookies = server.requests.map { request in
                request.split(separator: "\r\n").first { $0.hasPrefix("Cookie: ") }.map(String.init)
            }
            #expect(cookies == ["app=old", "app=new", "app=new"].map { "Cookie: test=true; \($0)" })
        }
    }

    @Test func `a host is given an address`() async throws {
        let sent = try await request("http://made-up.test:PORT/", "--resolve", "made-up.test:PORT:127.0.0.1")
        #expect(sent.contains("\r\nHost: made-up.test:"))
    }

    @Test func `a proxy is asked, unless the environment exempts the host`() async throws {
        let sent = try await request("http://made-up.test/x", "-x", "http://127.0.0.1:PORT")
        #expect(sent.hasPrefix("GET http://made-up.test/x HTTP/1.1\r\n"))
        try await withRawServer([.send(Self.empty)]) { server in
            for (excepted, status) in [("", 0), ("made-up.test", 3)] as [(String, Int32)] {
                let outcome = try await Command.run(
                    "webinspect",
                    ["fetch", "http://made-up.test/", "--no-store"],
                    environment: ["http_proxy": server.url, "no_proxy": excepted]
                )
                #expect(outcome.status == status)
            }
            #expect(server.connections == 1)
        }
    }

    @Test func `what may pass is tried again`() async throws {
        let busy = "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        try await withRawServer([.send(busy)]) { server in
            let outcome = try await Command.run(
                "webinspect",
                ["fetch", server.url, "--no-store", "--retry", "1", "--json"]
            )
            #expect(outcome.status == 0)
            #expect(try outcome.json()["retries"] as? Int == 1)
            #expect(server.connections == 2)
            let flags = ["--no-store", "--retry", "9", "--retry-max-time", "0.1"]
            _ = try await Command.run("webinspect", ["fetch", server.url] + flags)
            #expect(server.connections == 3)
        }
    }

    @Test(arguments: [
        ["-u", "ann"], ["--resolve", "x"], ["--resolve", "h:99999:127.0.0.1"], ["--retry", "-1"],
        ["--retry", "x"],
        ["--retry-max-time", "soon"], ["--oauth2-bearer", "a\nb"], ["-b", "a=b\r\nX: y"],
        ["-A", "me\r\nX: y"], ["-H", "X: a\r\nY: b"], ["-H", "X: a\n b"], ["-H", "X Y: a"], ["-H", "X\r: a"],
        ["-H", ": a"],
    ])
    func `a bad value is a mistake`(_ flags: [String]) async throws {
        let outcome = try await Command.run(
            "webinspect",
            ["fetch", "http://127.0.0.1:1/", "--no-store"] + flags
        )
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasSuffix("(usage)\n"))
    }

    @Test func `files that cannot be had are said`() async throws {
        let jar = try await Command.run("webinspect", ["fetch", "http://127.0.0.1:1/", "-b", "/"])
        #expect(jar.status == 8)
        let written = try await withRawServer([.send(Self.empty)]) { server in
            try await Command.run(
                "webinspect",
                ["fetch", server.url, "--no-store", "-c", "/proc/nowhere/jar"]
            )
        }
        #expect(written.status == 8)
        #expect(written.errors.hasSuffix("(file.write)\n"))
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed"))
    func `certificates to be trusted come from what is read like a file, and are read once`() async throws {
        try await withNginx { server in
            try await withTemporaryFolder { folder in
                let line = """
                    "$B" fetch --no-store --no-location --refresh --cacert <(cat "$A") "$U" && echo done
                    """
                let outcome = try await Command.run(
                    "/bin/bash",
                    ["-c", line],
                    environment: [
                        "B": try Command.file("webinspect").path, "A": server.authority,
                        "U": server.url(.good, "/hsts"),
                    ],
                    folder: folder
                )
                #expect(outcome.text.hasSuffix("done\n"), "\(outcome.errors)")
            }
        }
    }

    @Test(arguments: [
        ("missing", "network.tls"), (".", "network.tls"), ("text", "network.tls"),
        ("pipe", "network.timeout.total"), ("/dev/zero", "network.tls"),
    ])
    func `certificates that cannot be read end the load in time`(_ name: String, _ code: String) async throws
    {
        try await withTemporaryFolder { folder in
            #expect(unsafe mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)
            try Data("no certificate".utf8).write(to: folder.appending(path: "text"))
            // Nothing that can be taken for TLS answers there.
            try await withRawServer([.pause(seconds: 60)]) { server in
                let url = "https://127.0.0.1:\(server.port)/"
                let outcome = try await Command.run(
                    "webinspect",
                    [
                        "fetch", url, "--no-store", "--cacert", name, "--max-time",
                        name == "pipe" ? "2" : "60",
                    ],
                    folder: folder,
                    seconds: 60
                )
                #expect(outcome.status == 3)
                #expect(outcome.errors.hasSuffix("(\(code))\n"), "\(outcome.errors)")
            }
        }
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed"))
    func `TLS is reported, and checked unless told not to`() async throws {
        try await withNginx { server in
            let url = server.url(.good, "/hsts")
            let refused = try await Command.run("webinspect", ["fetch", url, "--no-store"])
            #expect(refused.status == 3)
            #expect(refused.errors.hasSuffix("(network.tls.certificate.unknown-root)\n"))
            let trusted = ["--no-store", "--json", "--cacert", server.authority]
            let outcome = try await Command.run("webinspect", ["fetch", url, "-v"] + trusted)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let report = try outcome.json()
            #expect(report["http_version"] as? String == "2")
            let tls = try #require(report["tls"] as? [String: Any])
            #expect(tls["version"] as? String == "TLSv1.3")
            #expect(tls["verified"] as? Bool == true)
            let certificates = try #require(tls["certificates"] as? [[String: String]])
            #expect(certificates.first?["subject"] == "CN = localhost")
            #expect(certificates.first?["issuer"] == "CN = Authority")
            #expect(certificates.first?["expires"]?.hasSuffix("Z") == true)
            let size = try #require(report["transfer_size"] as? [String: Int])
            #expect(size["body"] == 5)
            let timing = try #require(report["timing"] as? [String: Double])
            #expect(timing["tls_ms"] != nil)
            #expect(outcome.errors.contains("* SSL connection using TLSv1.3"))
            #expect(outcome.errors.contains("\n> GET /hsts HTTP/2\n"))
            #expect(outcome.errors.contains("\n< HTTP/2 200"))
            #expect(outcome.errors.contains("on the wire"))
            let insecure = try await Command.run("webinspect", ["fetch", url, "--no-store", "--json", "-k"])
            #expect(try (insecure.json()["tls"] as? [String: Any])?["verified"] as? Bool == false)
        }
    }
}
