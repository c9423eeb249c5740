import CVirtualTime
import HTTPTypes

@testable import WebLoader

/// What was asked and sent in a history, and what has to hold of it.
///
/// All of a history runs on one thread.
final class Ledger: @unchecked Sendable {
    /// A response as the server sent it, and the request that it answered.
    struct Sent {
        let serial: Int
        let request: WebRequest
        var status = 0
        var fields = HTTPFields()
        /// Bytes of the body, its coding undone.
        var count = 0
        var isVerified = true
        /// Whether all of it came.
        var isWhole = false
        let load: Int
    }

    private(set) var sent: [Sent] = []
    private var cookies: [String: SentCookie] = [:]
    private var policies: [String: Policy] = [:]

    /// What a host has said of TLS.
    private struct Policy {
        let expires: Int64
        let includesSubdomains: Bool
        let load: Int
        let isKept: Bool
    }

    /// The loads of a history, with what each of them asked for.
    var loads: [WebRequest] = []

    /// Loads below this number were over before any later one began.
    var settledLoads = 0

    /// Whether hosts' policies are known to the loader at all, and by loads from this number on even where no file has them.
    var knowsPolicies = false
    var loadsOfLoader = 0

    func begin(_ request: WebRequest, _ load: Int) -> Int {
        sent.append(Sent(serial: sent.count, request: request, load: load))
        return sent.count - 1
    }

    func update(_ serial: Int, _ change: (inout Sent) -> Void) { change(&sent[serial]) }

    // MARK: - What goes out

    /// Looks at a request that goes to a server.
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

    /// Whether both are below one name that is more than a public suffix, as all of these hosts are.
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
                // What differs by less than a day from what the file has is not written.
                virtual_time_wall_clock() < policy.expires - (policy.load >= loadsOfLoader ? 0 : 86_400_000)
            {
                violation("\(host) is asked without TLS though \(domain) said that it is not to be")
            }
            guard let dot = domain.firstIndex(of: ".") else { return }
            domain = domain[domain.index(after: dot)...]
        }
    }

    // MARK: - What comes in

    /// Notes that a response came in whole.
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
        // Two that come at once may be learnt in either order.
        let isUncertain = policies[host].map { $0.load >= settledLoads } ?? false
        policies[host] = Policy(
            expires: isUncertain || lifetime <= 0 ? .min / 2 : virtual_time_wall_clock() + lifetime * 1000,
            includesSubdomains: policy.includesSubdomains,
            load: sent[serial].load,
            isKept: request.storesResponse
        )
    }
}
