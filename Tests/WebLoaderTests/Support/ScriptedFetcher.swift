import HTTPTypes
import Synchronization

@testable import WebStandards
@testable import WebTransport

/// A fetcher that answers by a script and records its requests.
final class ScriptedFetcher: Fetcher {
    typealias Script = @Sendable (WebRequest) async throws(FetchError) -> WebResponse

    private let script: Script
    private let asked = Mutex<[(request: WebRequest, limits: LoadLimits)]>([])

    init(_ script: @escaping Script) {
        self.script = script
    }

    /// A fetcher that always fails.
    convenience init(failing error: FetchError) {
        self.init { _ async throws(FetchError) in throw error }
    }

    /// The requests, in order.
    var requests: [WebRequest] { asked.withLock { $0.map(\.request) } }

    /// The limits it was given, in order.
    var limits: [LoadLimits] { asked.withLock { $0.map(\.limits) } }

    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        asked.withLock { $0.append((request, limits)) }
        let response = try await script(request)
        return try receiver?.receive(whole: response) ?? response
    }
}

extension WebResponse {
    /// A response from the network.
    static func answering(
        _ request: WebRequest,
        _ status: Int = 200,
        _ fields: [(String, String)] = [],
        body: String = ""
    ) -> WebResponse {
        WebResponse(
            url: request.url,
            status: .init(code: status),
            headerFields: HTTPFields(lines: fields),
            body: Array(body.utf8),
            source: .network
        )
    }
}

extension HTTPFields {
    /// Fields of these names and values, in this order; what is no field is left out.
    init(lines: [(String, String)]) {
        self.init()
        for (name, value) in lines {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}
