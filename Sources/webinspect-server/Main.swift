import CScarcity
import Glibc
import NIOCore
import WebStandards

/// `webinspect-server`: the local page that `webinspect serve` starts.
@main
enum Main {
    /// The signals that end it.
    private static let ends = [SIGINT, SIGTERM, SIGHUP]
    /// Milliseconds that ending may take.
    private static let endTime: Int64 = 1500

    static func main() {
        guard let options = ServerOptions(CommandLine.arguments.dropFirst()) else {
            say("webinspect-server is started by `webinspect serve`")
            _exit(2)
        }
        webl_needs_threads()
        prepare()
        var signals = waited()
        do throws(ServeError) {
            let server = try Server(options, notice: say)
            write("\(server.address)\n", to: 1)
            let page = options.opens ? OpenedPage(server.address, in: options.cache, notice: say) : nil
            var signal: Int32 = 0
            _ = unsafe sigwait(&signals, &signal)
            page?.remove()
            end(server)
        } catch {
            say("\(error.message) (\(error.code))")
            _exit(error.code == "serve.port" ? 3 : 70)
        }
        _exit(0)
    }

    /// Raises what bounds how many connections there may be, and has a client that goes be no signal.
    private static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        // A reader that dies is expected, and what a debugger would say of it would be its last words.
        unsafe setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/dev/null", 0)
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 4096))
        _ = unsafe setrlimit(__rlimit_resource_t(7), &limit)
    }

    /// The signals that end it, which from now on wait until they are asked for; before there is another thread.
    private static func waited() -> sigset_t {
        var signals = sigset_t()
        _ = unsafe sigemptyset(&signals)
        for signal in ends { _ = unsafe sigaddset(&signals, signal) }
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        return signals
    }

    /// Ends the server, or gives up once that has taken too long.
    private static func end(_ server: Server) {
        let ended = server.loop.makePromise(of: Void.self)
        server.loop.scheduleTask(in: .milliseconds(endTime)) { ended.succeed() }
        Task {
            await server.shutDown()
            ended.succeed()
        }
        try? ended.futureResult.wait()
    }

    // MARK: - Output

    private static func say(_ text: String) {
        write("webinspect: \(text)\n", to: 2)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
