/// Decides which waiting request starts next: limits the requests at once, in all and per host, and the
/// requests per second and host; hosts take turns, so that one with many requests does not keep the others
/// waiting.
package struct HostScheduler<Element> {
    private let maximum: Int
    private let maximumPerHost: Int
    private let maximumMultiplexed: Int
    /// The minimum time in seconds between the starts of two requests to a host; 0 for no minimum.
    private let interval: Double

    private struct Host {
        var waiting = Queue<Element>()
        var running = 0
        /// Whether its requests share a connection.
        var isMultiplexed = false
        /// When the next one may start.
        var nextStart = -Double.infinity
        /// Whether it is in `ready` or `paced`.
        var isListed = false
    }

    private var hosts: [String: Host] = [:]
    private var running = 0
    private var now = -Double.infinity

    /// Hosts with a waiting request that may start.
    private var ready = Queue<String>()
    /// Hosts whose next request has to wait for its time, roughly in the order of these times.
    private var paced = Queue<(host: String, time: Double)>()

    /// How many hosts may be known before those without work are forgotten.
    private var maximumHosts = 4096

    /// Creates a scheduler; numbers below 1 count as 1.
    ///
    /// - Parameters:
    ///   - maximum: Requests at once in all.
    ///   - perHost: Requests at once to a host.
    ///   - multiplexed: Requests at once to a host where they share a connection.
    ///   - rate: Requests a second to a host, nil for any number.
    package init(maximum: Int, perHost: Int, multiplexed: Int, rate: Double? = nil) {
        self.maximum = max(1, maximum)
        maximumPerHost = max(1, perHost)
        maximumMultiplexed = max(1, multiplexed)
        let rate = rate ?? .infinity
        interval = rate > 0 ? 1 / rate : 1e9
    }

    /// Adds a request.
    package mutating func add(_ element: Element, host name: String) {
        hosts[name, default: Host()].waiting.append(element)
        list(name)
    }

    /// The request to start now; nil if there is none.
    package mutating func next(now: Double) -> (element: Element, host: String)? {
        self.now = now
        while let first = paced.first, first.time <= now {
            _ = paced.popFirst()
            ready.append(first.host)
        }
        while running < maximum, let name = ready.popFirst() {
            guard var host = hosts.removeValue(forKey: name) else { continue }
            host.isListed = false
            guard host.running < limit(host), host.nextStart <= now, let element = host.waiting.popFirst()
            else {
                hosts[name] = host
                list(name)
                continue
            }
            host.running += 1
            host.nextStart = now + interval
            hosts[name] = host
            running += 1
            list(name)
            return (element, name)
        }
        return nil
    }

    /// When ``next(now:)`` may return another request even if none finishes; nil if there is no such time.
    var nextTime: Double? { paced.first?.time }

    /// Notes that a request has finished.
    ///
    /// - Parameters:
    ///   - name: Its host.
    ///   - isMultiplexed: Whether its connection is shared; nil where that is not known.
    package mutating func finished(host name: String, isMultiplexed: Bool?) {
        guard var host = hosts[name] else { return }
        host.running -= 1
        running -= 1
        if let isMultiplexed { host.isMultiplexed = isMultiplexed }
        // A host without work is forgotten, unless its next start or its kind of connection must be
        // remembered.
        let isIdle = host.running == 0 && host.waiting.isEmpty
        hosts[name] = isIdle && interval == 0 && !host.isMultiplexed ? nil : host
        list(name)
        if hosts.count > maximumHosts {
            hosts = hosts.filter { $0.value.running > 0 || !$0.value.waiting.isEmpty }
            maximumHosts = max(4096, hosts.count * 2)
        }
    }

    /// Calls `body` with each waiting request, in no particular order.
    func forEachWaiting(_ body: (Element) -> Void) {
        for host in hosts.values { host.waiting.forEach(body) }
    }

    private func limit(_ host: Host) -> Int { host.isMultiplexed ? maximumMultiplexed : maximumPerHost }

    /// Puts a host into `ready` or `paced`, unless it is in one already or has no request that may start.
    private mutating func list(_ name: String) {
        guard let host = hosts[name], !host.isListed, !host.waiting.isEmpty, host.running < limit(host) else {
            return
        }
        hosts[name]?.isListed = true
        if host.nextStart <= now || interval == 0 {
            ready.append(name)
        } else {
            paced.append((name, host.nextStart))
        }
    }
}

extension HostScheduler {
    /// Creates a scheduler with the limits of a fetcher's configuration.
    init(_ configuration: CurlFetcher.Configuration) {
        self.init(
            maximum: configuration.maximumConnections,
            perHost: configuration.maximumConnectionsPerHost,
            multiplexed: configuration.maximumStreamsPerHost,
            rate: configuration.requestsPerSecondPerHost
        )
    }
}

extension WebURL {
    /// The scheduler's key for a URL's host: host name and port.
    package var schedulingHost: String { "\(hostname):\(effectivePort ?? 0)" }
}
