@testable import WebLoader

/// A delegate that ends the process if its methods are called in another order than documented.
///
/// All of a history runs on one thread.
final class OrderedDelegate: PageLoadDelegate, @unchecked Sendable {
    private enum Phase: Int { case new, asked, started, found, received, parsed, ended }

    private var phase = Phase.new
    private var questions = 0
    private let refused: Int
    let wantsHints: Bool
    /// Whether a response that has arrived in part may be requested again, and be a redirect then.
    private let mayBeginAnew: Bool
    private(set) var hasRefused = false

    /// Creates a delegate that answers the question with the number `refused` with no; -1 to refuse nothing.
    init(refusing refused: Int, wantsHints: Bool, mayBeginAnew: Bool) {
        self.mayBeginAnew = mayBeginAnew
        self.refused = refused
        self.wantsHints = wantsHints
    }

    var isEnded: Bool { phase == .ended }

    private func go(to next: Phase, from allowed: Phase...) {
        demand(!hasRefused || next == .ended, "\(next) after the delegate refused")
        demand(allowed.contains(phase), "\(next) after \(phase)")
        phase = next
    }

    func shouldStart(_ request: WebRequest) async -> Bool {
        demand(
            phase == .new || phase == .started || phase == .found && mayBeginAnew,
            "shouldStart after \(phase)"
        )
        phase = phase == .new ? .asked : .started
        defer { questions += 1 }
        hasRefused = questions == refused
        return !hasRefused
    }

    func didStart(_ request: WebRequest) async { go(to: .started, from: .asked) }
    func didRedirect(to request: WebRequest, from response: WebResponse) async {
        go(to: .started, from: .started)
    }
    func didFind(_ hints: [PageHint]) async { go(to: .found, from: .started, .found) }
    func didReceive(_ response: WebResponse) async { go(to: .received, from: .started, .found) }
    func didParse(_ document: Document) async { go(to: .parsed, from: .received) }
    func didFinish(_ page: Page) async { go(to: .ended, from: .received, .parsed) }
    func didFail(_ error: LoadError) async {
        demand(phase != .ended && !error.isCancellation, "didFail after \(phase)")
        phase = .ended
    }
    func didCancel(_ error: LoadError) async {
        demand(phase != .ended && error.isCancellation, "didCancel after \(phase)")
        phase = .ended
    }
}

/// Receives a body in pieces that the response does not contain.
final class PieceCollector: BodyReceiver, @unchecked Sendable {
    private(set) var body: [UInt8] = []
    private(set) var hasHead = false

    var collectsBody: Bool { false }

    func receive(head: WebResponse) throws(FetchError) {
        hasHead = true
        body = []
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        demand(hasHead, "bytes before the head")
        for index in bytes.indices { body.append(bytes[index]) }
    }
}
