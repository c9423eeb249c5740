import Synchronization
import WebStandards
import WebTransport

/// The hosts whose pages are read, including those that seeds redirect to, and the failures of hosts that were given
/// up.
final class OwnHosts: Sendable {
    private struct State {
        var hosts: Set<String>
        var failures: [String: String] = [:]
    }

    private let state: Mutex<State>
    private let scope: CheckScope

    init(_ hosts: Set<String>, _ scope: CheckScope) {
        state = Mutex(State(hosts: hosts))
        self.scope = scope
    }

    /// Returns the name by which a host and port is known.
    static func name(of url: WebURL) -> String { url.schedulingHost }

    /// Whether the pages of a URL's host are read.
    func contains(_ url: WebURL) -> Bool {
        if url.scheme == "file" { return scope.hasFile(url) }
        guard url.scheme == "http" || url.scheme == "https" else { return false }
        let name = Self.name(of: url)
        return state.withLock { $0.hosts.contains(name) }
    }

    /// Adds a host; returns all hosts if it is new, `nil` otherwise.
    func add(_ url: WebURL) -> Set<String>? {
        let name = Self.name(of: url)
        return state.withLock { $0.hosts.insert(name).inserted ? $0.hosts : nil }
    }

    /// The maximum number of hosts whose last failure is stored.
    private static let failureCapacity = 4096

    /// Records why a host could not be reached.
    func note(failure: String, of host: String) {
        state.withLock { state in
            if state.failures.count >= Self.failureCapacity { state.failures.removeAll() }
            state.failures[host] = failure
        }
    }

    /// Returns the code of the failure for which a host was given up.
    func failure(of host: String) -> String {
        state.withLock { $0.failures[host] } ?? "network.connect"
    }
}
