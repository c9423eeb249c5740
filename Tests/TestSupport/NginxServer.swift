public import Foundation
import Glibc

/// A real nginx on loopback ports that the system picks and this holds, with certificates made for the test.
///
/// Its certificate authority is in `authority`. Besides the good one there are servers with a certificate for another
/// host, an expired one, one that is not valid yet, a self-signed one, and one that speaks TLS 1.0 alone.
public final class NginxServer: Sendable {
    /// The site that a port serves.
    public enum Site: String, CaseIterable, Sendable {
        case plain, good, otherHost = "other-host", expired, notYetValid = "not-yet-valid", selfSigned =
            "self-signed"
        case oldTLS = "old-tls"
    }

    /// The path of nginx, nil where it is not installed.
    public static let path: String? = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether nginx and openssl are installed.
    public static var isInstalled: Bool {
        path != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
    }

    /// The authority's certificate, a PEM file.
    public let authority: String

    /// The folder whose files all sites serve.
    public let root: URL

    private let folder: URL
    private let ports: [Site: Int]
    private let program: StartedProgram

    /// Starts it, and waits until it listens.
    public init() async throws {
        guard let path = Self.path else { throw TestServerError(message: "nginx is not installed") }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("nginx-\(UUID().uuidString)")
        root = folder.appendingPathComponent("root")
        authority = folder.appendingPathComponent("authority.crt").path
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try await Self.makeCertificates(folder)
        // It receives sockets that listen already, so that nobody else gets their ports meanwhile. It takes them with a
        // master process only.
        let listeners = try Site.allCases.map { ($0, try listenOnLoopback(backlog: 511)) }
        defer { for (_, listener) in listeners { close(listener.descriptor) } }
        for (_, listener) in listeners { _ = fcntl(listener.descriptor, F_SETFL, O_NONBLOCK) }
        ports = Dictionary(uniqueKeysWithValues: listeners.map { ($0, $1.port) })
        let file = folder.appendingPathComponent("nginx.conf")
        try Self.configuration(folder, ports).write(to: file, atomically: true, encoding: .utf8)
        let errors = folder.appendingPathComponent("errors")
        let log = unsafe open(errors.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(log) }
        program = try StartedProgram(
            path,
            ["-p", folder.path, "-c", file.path, "-e", errors.path],
            descriptors: [log, log, log] + listeners.map(\.1.descriptor),
            environment: ["NGINX": listeners.indices.map { "\($0 + 3);" }.joined()]
        )
        // It has read its configuration once it has written its number.
        let end = ContinuousClock.now + .seconds(120)
        while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("pid").path) {
            guard program.exitStatus == nil, .now < end else {
                let said = try? String(contentsOf: errors, encoding: .utf8)
                throw TestServerError(message: "nginx does not start: \(said ?? "")")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The URL of a path of a site, under the name that the good certificate is for.
    public func url(_ site: Site, _ path: String) -> String {
        "\(site == .plain ? "http" : "https")://localhost:\(port(site))\(path)"
    }

    /// The port of a site.
    public func port(_ site: Site) -> Int { ports[site] ?? 0 }

    /// How many connections so many requests took.
    ///
    /// Each has a line in the access log, which nginx writes after the last byte of the answer: a client may finish
    /// before it.
    public func connections(ofRequests count: Int) async throws -> Int {
        let file = folder.appendingPathComponent("access")
        var lines: [Substring] = []
        try await eventually("nginx has logged \(count) requests") {
            lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            return lines.count >= count
        }
        return Set(lines).count
    }

    /// Stops it, and removes its folder.
    public func stop() async {
        await program.endGroup()
        // The system removes what remains in the temporary folder.
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: - Setting up

    private static func configuration(_ folder: URL, _ ports: [Site: Int]) -> String {
        var servers = ""
        for site in Site.allCases {
            let port = ports[site] ?? 0
            let listen = site == .plain ? "listen 127.0.0.1:\(port);" : "listen 127.0.0.1:\(port) ssl http2;"
            let certificate = site == .oldTLS ? "good" : site.rawValue
            let tls =
                site == .plain
                ? ""
                : """
                ssl_certificate \(folder.path)/\(certificate).crt;
                ssl_certificate_key \(folder.path)/key;
                ssl_protocols \(site == .oldTLS ? "TLSv1" : "TLSv1.2 TLSv1.3");
                ssl_ciphers "ALL:@SECLEVEL=0";
                """
            servers += """
                server {
                    \(listen)
                    \(tls)
                    server_name localhost;
                    root \(folder.path)/root;
                    location = /hsts { add_header Strict-Transport-Security "max-age=1000" always; return 200 "noted"; }
                    location = /gzip { gzip on; gzip_min_length 0; gzip_types *; try_files /page =404; }
                    location = /who { default_type text/plain; return 200 "$http_authorization"; }
                }

                """
        }
        return """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            pid \(folder.path)/pid;
            events { worker_connections 1024; }
            http {
                log_format connection "$connection";
                access_log \(folder.path)/access connection;
                client_body_temp_path \(folder.path)/body;
                proxy_temp_path \(folder.path)/proxy;
                fastcgi_temp_path \(folder.path)/fastcgi;
                uwsgi_temp_path \(folder.path)/uwsgi;
                scgi_temp_path \(folder.path)/scgi;
                keepalive_requests 1000000;
                \(servers)
            }
            """
    }

    /// An authority, and what it signs, all with one key.
    private static func makeCertificates(_ folder: URL) async throws {
        func openssl(_ arguments: String) async throws {
            let outcome = try await Command.run(
                "/usr/bin/openssl",
                arguments.split(separator: " ").map(String.init),
                folder: folder
            )
            guard outcome.status == 0 else { throw TestServerError(message: "openssl: \(outcome.errors)") }
        }
        let extensions = """
            [good]
            subjectAltName=DNS:localhost,IP:127.0.0.1
            [other]
            subjectAltName=DNS:elsewhere.test
            """
        try extensions.write(
            to: folder.appendingPathComponent("extensions"),
            atomically: true,
            encoding: .utf8
        )
        try "".write(to: folder.appendingPathComponent("index"), atomically: true, encoding: .utf8)
        let authority = """
            [ca]
            default_ca=here
            [here]
            database=index
            new_certs_dir=.
            unique_subject=no
            rand_serial=yes
            default_md=sha256
            policy=any
            [any]
            commonName=supplied
            """
        try authority.write(to: folder.appendingPathComponent("ca"), atomically: true, encoding: .utf8)
        try await openssl(
            "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out authority.crt -days 2 -subj /CN=Authority"
        )
        try await openssl("req -new -newkey rsa:2048 -nodes -keyout key -out request -subj /CN=localhost")
        let sign =
            "ca -batch -notext -config ca -cert authority.crt -keyfile ca.key -in request -extfile extensions"
        try await openssl("\(sign) -extensions good -days 2 -out good.crt")
        try await openssl("\(sign) -extensions other -days 2 -out other-host.crt -subj /CN=elsewhere.test")
        try await openssl(
            "\(sign) -extensions good -startdate 20200101000000Z -enddate 20200201000000Z -out expired.crt"
        )
        try await openssl(
            "\(sign) -extensions good -startdate 20900101000000Z -enddate 20910101000000Z -out not-yet-valid.crt"
        )
        try await openssl(
            "req -x509 -key key -out self-signed.crt -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
        )
    }
}

/// Runs nginx for as long as `body` takes.
public func withNginx<Value>(_ body: (NginxServer) async throws -> Value) async throws -> Value {
    let server = try await NginxServer()
    return try await ending(server.stop) { try await body(server) }
}
