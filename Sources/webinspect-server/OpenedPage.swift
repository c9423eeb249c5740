import Glibc
import WebStandards

/// Opens the app in the user's browser, by a file that leads there: what stands in a command line everybody on the machine can
/// read, and the address has the secret of this run in it.
struct OpenedPage {
    private let path: String

    /// Opens it; says so if that fails.
    ///
    /// - Returns: nil if the file cannot be written.
    init?(_ address: String, in cache: String, notice: @escaping @Sendable (String) -> Void) {
        // Two servers may have one cache.
        let name = "serve-open-\(getpid()).html"
        path = "\(cache)/\(name)"
        let text = """
            <!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer><title>webinspect</title>\
            <meta http-equiv=refresh content="0;url=\(address)"><p><a href="\(address)">webinspect serve</a>
            """
        do throws(File.Failure) {
            try Directory(own: cache).replace(own: name, with: Array(text.utf8))
        } catch {
            notice("--open: \(path): \(error.text)")
            return nil
        }
        let file = path
        Task {
            do throws(ServeError) {
                try await Self.open(file)
            } catch {
                notice("--open: no browser can be opened: \(error.message)")
            }
        }
    }

    private static func open(_ file: String) async throws(ServeError) {
        let nowhere: Descriptor
        do throws(File.Failure) {
            nowhere = try Descriptor(unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC))
        } catch {
            throw ServeError(500, "file.unreadable", error.text)
        }
        let id = try await ChildStarter.shared.start(
            ["/usr/bin/xdg-open", file],
            input: nowhere.number,
            output: nowhere.number,
            error: nowhere.number,
            deathSignal: 0
        )
        // Nobody else waits for it; the browser that it opens may go on.
        _ = await BlockingWork.serial("webinspect-server.open").run { waitpid(id, nil, 0) }
    }

    func remove() { _ = unsafe unlink(path) }
}
