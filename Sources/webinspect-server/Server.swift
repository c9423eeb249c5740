import Glibc
import NIOCore
import NIOPosix
import WebDatabase
import WebStandards

/// The two ports, and what answers there.
final class Server: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let token = SessionToken()
    private let router: Router
    private let app: HTTPServer
    private let views: HTTPServer
    private let indexing: Task<Void, Never>

    /// The one thread of both ports.
    var loop: any EventLoop { group.next() }

    /// Where the app is, with the secret of this run.
    var address: String { "http://127.0.0.1:\(app.port)/#token=\(token.text)" }

    /// Opens the catalogue and both ports.
    ///
    /// - Throws: ``ServeError``: a port is taken, or not this user's to take; there is no memory.
    init(_ options: ServerOptions, notice: (String) -> Void) throws(ServeError) {
        _ = try? Directory.making(own: options.cache)
        let catalogue: Catalogue
        do throws(StateError) {
            catalogue = try Catalogue(path: "\(options.cache)/serve.sqlite")
        } catch {
            throw ServeError(500, error.code.rawValue, error.message)
        }
        if let text = catalogue.takeNotice() { notice(text) }
        let thread = CatalogueThread(catalogue)
        let events = EventHub()
        let readers = ReaderPool(program: options.program, cache: options.cache)
        let indexer = Indexer(options.cache, thread, readers, events)
        let viewPort = PortBox()
        let router = Router(
            catalogue: thread,
            readers: readers,
            jobs: JobRunner(
                program: options.program,
                cache: options.cache,
                store: KeptJobs(catalogue: thread),
                changed: { events.send("job", $0) }
            ),
            events: events,
            loads: Loads(readers, events) { folder in
                Task { await indexer.folderChanged(folder) }
            },
            indexer: indexer,
            views: Views(),
            viewPort: viewPort
        )
        self.router = router
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let appPort = PortBox()
        views = try Self.listen(0, group, .views, token) { request in
            await router.answerView(request, app: "http://127.0.0.1:\(appPort.port)")
        }
        viewPort.set(views.port)
        app = try Self.listen(options.port, group, .app, token) { await router.answer($0) }
        appPort.set(app.port)
        indexing = Task { await indexer.run() }
    }

    private static func listen(
        _ port: Int,
        _ group: MultiThreadedEventLoopGroup,
        _ side: RequestGuard.Side,
        _ token: SessionToken,
        _ answer: @escaping ConnectionHandler.Answerer
    ) throws(ServeError) -> HTTPServer {
        do {
            return try HTTPServer(port: port, on: group, side, token, answer)
        } catch {
            let reason = (error as? IOError).map { File.Failure(errno: $0.errnoCode).text } ?? "\(error)"
            throw ServeError(503, "serve.port", "--port \(port): it cannot be taken: \(reason)")
        }
    }

    /// Ends what was started; what is on the disk is whole at any moment.
    func shutDown() async {
        indexing.cancel()
        await router.jobs.shutDown()
        await router.readers.shutDown()
    }
}
