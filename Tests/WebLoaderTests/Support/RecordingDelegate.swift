import Synchronization

@testable import WebDocument
@testable import WebLoader
@testable import WebStandards

/// A delegate that records its calls, and runs an action at each of them.
final class RecordingDelegate: PageLoadDelegate {
    private let heard = Mutex<[String]>([])
    private let refused: String?
    private let action: @Sendable (String) async -> Void

    /// - Parameters:
    ///   - refused: The URL that it refuses.
    ///   - action: The action at each call, given the call's name.
    init(refusing refused: String? = nil, action: @escaping @Sendable (String) async -> Void = { _ in }) {
        self.refused = refused
        self.action = action
    }

    /// The calls, in order.
    var calls: [String] { heard.withLock(\.self) }

    private func hear(_ name: String, _ detail: String = "") async {
        heard.withLock { $0.append(detail.isEmpty ? name : "\(name) \(detail)") }
        await action(name)
    }

    func shouldStart(_ request: WebRequest) async -> Bool {
        await hear("shouldStart", request.url.path)
        return request.url.href != refused
    }
    func didStart(_ request: WebRequest) async { await hear("didStart", request.url.path) }
    func didRedirect(to request: WebRequest, from response: WebResponse) async {
        await hear("didRedirect", "\(response.url.path) \(request.url.path)")
    }
    func didReceive(_ response: WebResponse) async { await hear("didReceive", response.url.path) }
    func didParse(_ document: Document) async { await hear("didParse", document.title ?? "") }
    func didFinish(_ page: Page) async { await hear("didFinish", page.title ?? "") }
    func didFail(_ error: LoadError) async { await hear("didFail", error.code.rawValue) }
    func didCancel(_ error: LoadError) async { await hear("didCancel", error.code.rawValue) }
}
