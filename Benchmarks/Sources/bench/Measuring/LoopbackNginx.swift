import Glibc

/// An nginx with one worker process on a loopback port, with a page of each size.
final class LoopbackNginx {
    let port: Int
    private let folder: String

    /// Starts it with files of these sizes in bytes, named by their sizes.
    init(sizes: [Int]) throws {
        folder = try Shell.output("mktemp -d").filter { $0 != "\n" }
        port = 20_000 + Int(getpid()) % 20_000
        for size in sizes {
            _ = try Shell.output("head -c \(size) /dev/zero | tr '\\0' x > \(folder)/\(size)")
        }
        let configuration = """
            worker_processes 1; pid \(folder)/pid; error_log \(folder)/errors;
            events { worker_connections 1024; }
            http {
                access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;
                client_body_temp_path \(folder)/a; proxy_temp_path \(folder)/b; fastcgi_temp_path \(folder)/c;
                uwsgi_temp_path \(folder)/d; scgi_temp_path \(folder)/e; open_file_cache max=10;
                server { listen 127.0.0.1:\(port) backlog=1024; root \(folder); }
            }
            """
        _ = try Shell.output("printf '%s' '\(configuration)' > \(folder)/conf; chmod -R a+rX \(folder)")
        _ = try Shell.output("PATH=$PATH:/usr/sbin nginx -c \(folder)/conf 2>&1")
    }

    /// The URL of the file of a size in bytes.
    func url(_ size: Int) -> String { "http://127.0.0.1:\(port)/\(size)" }

    deinit {
        // A failure to stop the server is ignored.
        _ = try? Shell.output("kill $(cat \(folder)/pid); rm -rf \(folder)")
    }
}
