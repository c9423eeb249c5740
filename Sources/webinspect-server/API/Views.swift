import Synchronization
import WebStandards

/// The pages that the port of views shows: a ticket for each, which only the app can request.
///
/// A frame cannot send the token. A ticket is as hard to guess, stands for one page, and reveals nothing of the app.
final class Views: Sendable {
    private static let maximumCount = 512

    private struct State {
        var requests: [String: JSONValue] = [:]
        var tickets: [JSONValue: String] = [:]
        /// The tickets by age.
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// Returns the ticket of a request to a reader; equal requests share a ticket until it is discarded.
    func ticket(for request: JSONValue) -> String {
        state.withLock { state in
            if let ticket = state.tickets[request] { return ticket }
            var generator = SystemRandomNumberGenerator()
            let ticket = SessionToken.random(32, using: &generator)
            state.tickets[request] = ticket
            state.requests[ticket] = request
            state.order.append(ticket)
            if state.order.count > Self.maximumCount {
                let oldest = state.order.removeFirst()
                if let request = state.requests.removeValue(forKey: oldest) { state.tickets[request] = nil }
            }
            return ticket
        }
    }

    /// Returns the request to a reader for a path of the port; `nil` if the path has no valid ticket.
    func request(at path: String) -> JSONValue? {
        guard path.hasPrefix("/view/") else { return nil }
        return state.withLock { $0.requests[String(path.dropFirst("/view/".count))] }
    }

    /// Returns a stored page as the port shows it: without scripts, and without anything from outside.
    static func answer(_ bytes: [UInt8], app: String) -> HTTPAnswer {
        HTTPAnswer(
            type: "text/html; charset=utf-8",
            fields: [("content-security-policy", policy(app: app))],
            body: .bytes(bytes)
        )
    }

    /// Returns a page that says why a page cannot be shown.
    static func answer(_ error: ServeError, app: String) -> HTTPAnswer {
        let text = "\(error.message) (\(error.code))"
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        var answer = answer(
            Array(
                """
                <!doctype html><html lang=en><meta charset=utf-8><meta name=color-scheme content="light dark">\
                <title>Not shown</title><style>body{font:1rem/1.5 system-ui;padding:1rem;overflow-wrap:anywhere}</style>\
                <p>This page cannot be shown: \(escaped)
                """.utf8
            ),
            app: app
        )
        answer.status = error.status
        return answer
    }

    private static func policy(app: String) -> String {
        """
        sandbox; default-src 'none'; script-src 'none'; img-src data:; style-src 'unsafe-inline' data:; font-src data:; \
        media-src data:; frame-src data:; base-uri 'none'; form-action 'none'; frame-ancestors \(app)
        """
    }
}
