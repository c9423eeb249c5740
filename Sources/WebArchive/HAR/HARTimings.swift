import WebStandards

/// The phases of an exchange in milliseconds, as a HAR has them: -1 for one that did not take place.
struct HARTimings {
    private var dns = -1.0
    private var connect = -1.0
    private var ssl = -1.0
    private var wait = 0.0
    private var receive = 0.0

    /// Converts times that were measured from the start into the duration of each phase.
    init(_ timing: LoadTiming?) {
        guard let timing else { return }
        var last = 0.0
        func phase(until duration: Duration?) -> Double? {
            guard let duration else { return nil }
            let end = (duration.inSeconds * 1_000_000).rounded() / 1000
            defer { last = max(last, end) }
            return max(0, ((end - last) * 1000).rounded() / 1000)
        }
        dns = phase(until: timing.nameLookup) ?? -1
        connect = phase(until: timing.connect) ?? -1
        if let tls = phase(until: timing.tls) {
            ssl = tls
            // The handshake is part of connecting.
            connect = max(0, connect) + tls
        }
        wait = phase(until: timing.firstByte) ?? 0
        receive = phase(until: timing.total) ?? 0
    }

    /// The sum of all phases.
    var total: Double { max(0, dns) + max(0, connect) + wait + receive }

    var json: JSONValue {
        [
            "blocked": -1, "dns": .number(dns), "connect": .number(connect), "send": 0, "wait": .number(wait),
            "receive": .number(receive), "ssl": .number(ssl),
        ]
    }
}
