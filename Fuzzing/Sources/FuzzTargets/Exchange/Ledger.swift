import CVirtualTime
import HTTPTypes

@testable import WebLoader

/// The requests and responses of a history, and their invariants.
///
/// All of a history runs on one thread.
final class Ledger: @unchecked Sendable {
    /// A response as the server sent it, and the request that it answered.
    struct Sent {
        let serial: Int
        let request: WebRequest
        var status = 0
        var fields = HTTPFields()
        /// The size of the body in bytes, without content coding.
        var count = 0
        var isVerified = true
        /// Whether it was received completely.
        var isWhole = false
        let load: Int
    }

    private(set) var sent: [Sent] = []
    private var cookies: [String: SentCookie] = [:]
    private var policies: [String: Policy] = [:]

    /// A host's policy of strict transport security.
    private struct Policy {
        let expires: Int64
        let includesSubdomains: Bool
        let load: Int
        let isKept: Bool
    }

    /// The loads of a history, each with its request.
    var loads: [WebRequest] = []

    /// Loads below this number ended before any later one began.
    var settledLoads = 0

    /// Whether the loader knows hosts' policies at all, and the number of its first load: it knows the policies of its
    /// own loads even if no file has them.
    var knowsPolicies = false
    var loadsOfLoader = 0

    func begin(_ request: WebRequest, _ load: Int) -> Int {
        sent.append(Sent(serial: sent.count, request: request, load: load))
        return sent.count - 1
    }

    func update(_ serial: Int, _ change: (inout Sent) -> Void) { change(&sent[serial]) }

    // MARK: - Requests

    /// Checks a request that goes to a server.
    func check(_ request: WebRequest, _ load: Int) {
        let url = request.url
        demand(url.scheme == "http" || url.scheme == "https", "\(url.scheme) goes to a server")
        let asked = loads[load]
        demand(
            asked.cachePolicy != .returnCacheDataDontLoad,
            "the network is asked though the policy forbids it"
        )
        if url.hostname != asked.url.hostname {
            let own = asked.headerFields[.authorization]
            demand(
                own == nil || request.headerFields[.authorization] != own,
                "credentials went to another host"
            )
            if let cookie = asked.headerFields[.cookie] {
                demand(
                    !(request.headerFields[.cookie] ?? "").contains(cookie),
                    "a cookie of the caller's went to another host"
                )
            }
        }
        for field in request.headerFields[values: .cookie] {
            for value in field.split(separator: "; ") { check(cookie: value, url) }
        }
        if url.scheme == "http", knowsPolicies { checkPolicies(url.hostname, load) }
    }

    private func check(cookie pair: Substring, _ url: WebURL) {
        let value = pair.split(separator: "=", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        guard let cookie = cookies[value] else { return }
        demand(!cookie.isSecure || url.scheme == "https", "a secure cookie went over http: \(pair)")
        guard !cookie.isOdd else { return }
        if cookie.hasDomain {
            demand(
                url.hostname == cookie.host
                    || !url.hostname.isEmpty && Self.shareParent(url.hostname, cookie.host),
                "a cookie of \(cookie.host) went to \(url.hostname)"
            )
        } else {
            demand(url.hostname == cookie.host, "a cookie of \(cookie.host) alone went to \(url.hostname)")
        }
        if cookie.paths.count == 1, let path = cookie.paths.first, path.hasPrefix("/") {
            demand(url.path.hasPrefix(path), "a cookie for \(path) went to \(url.path)")
        }
    }

    /// Whether both hosts are below the same name that is longer than a public suffix.
    private static func shareParent(_ a: String, _ b: String) -> Bool {
        func trimmed(_ host: String) -> [Substring] { host.split(separator: ".").suffix(2) }
        return trimmed(a) == trimmed(b) && trimmed(a).count == 2
    }

    private func checkPolicies(_ host: String, _ load: Int) {
        let host = host.hasSuffix(".") ? String(host.dropLast()) : host
        var domain = host[...]
        while true {
            if let policy = policies[String(domain)], domain == host[...] || policy.includesSubdomains,
                policy.load < settledLoads, load >= settledLoads,
                policy.load >= loadsOfLoader || policy.isKept,
                // A policy that differs by less than a day from the stored one is not written.
                virtual_time_wall_clock() < policy.expires - (policy.load >= loadsOfLoader ? 0 : 86_400_000)
            {
                violation("\(host) is asked without TLS though \(domain) said that it is not to be")
            }
            guard let dot = domain.firstIndex(of: ".") else { return }
            domain = domain[domain.index(after: dot)...]
        }
    }

    // MARK: - Responses

    /// Records that a response was received completely.
    func took(_ serial: Int, _ response: WebResponse, _ plan: AnswerPlan) {
        update(serial) { sent in
            sent.isWhole = true
            sent.status = response.status?.code ?? 0
            sent.fields = response.headerFields
            sent.count = response.transferSize?.decodedBody ?? 0
            sent.isVerified = plan.isVerified || sent.request.url.scheme == "http"
        }
        for cookie in plan.cookies { cookies[cookie.value] = cookie }
        let request = sent[serial].request
        guard request.url.scheme == "https", plan.isVerified, !WebURL.isAddress(host: request.url.hostname),
            let policy = StrictTransportSecurity(response.headerFields)
        else { return }
        let host =
            request.url.hostname.hasSuffix(".")
            ? String(request.url.hostname.dropLast()) : request.url.hostname
        let lifetime = min(policy.maximumAge, 31_536_000_000)
        // Two concurrent policies may be learned in either order.
        let isUncertain = policies[host].map { $0.load >= settledLoads } ?? false
        policies[host] = Policy(
            expires: isUncertain || lifetime <= 0 ? .min / 2 : virtual_time_wall_clock() + lifetime * 1000,
            includesSubdomains: policy.includesSubdomains,
            load: sent[serial].load,
            isKept: request.storesResponse
        )
    }
}
