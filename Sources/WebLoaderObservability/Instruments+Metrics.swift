#if Observability
import Metrics
import WebLoader
import WebRules
import WebStandards

/// Metrics. Those of a name have the same labels always, an empty one where there is nothing to say: some backends insist.
///
/// Durations are recorders, of seconds: a `Timer` hands nanoseconds on, which only some backends make seconds of again.
///
/// <https://opentelemetry.io/docs/specs/semconv/http/http-metrics/>
extension Instruments {
    /// Measures work that has ended.
    func measure(_ work: ObservedWork, _ outcome: ObservedOutcome) {
        guard let factory = configuration.metrics else { return }
        let failure = ("error.type", work.failure(outcome) ?? "")
        let seconds = outcome.duration.inSeconds
        func record(_ name: String, _ value: Double, _ labels: [(String, String)]) {
            Recorder(label: name, dimensions: labels, aggregate: true, factory: factory).record(value)
        }
        switch work.kind {
        case .exchange:
            let labels = labels(work, outcome) + [failure]
            record("http.client.request.duration", seconds, labels)
            if let size = outcome.response?.transferSize?.body {
                record("http.client.response.body.size", Double(size), labels)
            }
        case .request:
            guard let verdict = outcome.response?.cacheVerdict else { return }
            Counter(
                label: "webloader.cache.requests",
                dimensions: [("webloader.cache.outcome", verdict.outcome.rawValue)],
                factory: factory
            ).increment()
            if verdict.failure != nil || verdict.damage != nil {
                let kind = verdict.failure == nil ? "damage" : "write"
                Counter(
                    label: "webloader.cache.failures",
                    dimensions: [("webloader.cache.failure.kind", kind)],
                    factory: factory
                ).increment()
            }
        case .load, .fetch, .stream, .extraction:
            record(
                "webloader.load.duration",
                seconds,
                [
                    ("webloader.load.kind", work.kind.rawValue),
                    ("webloader.source", outcome.response?.source.rawValue ?? ""), failure,
                ]
            )
        case .parsing: record("webloader.parsing.duration", seconds, [failure])
        case .rules: record("webloader.rules.duration", seconds, [failure])
        case .resources: record("webloader.resources.duration", seconds, [failure])
        default: break
        }
    }

    private func labels(_ work: ObservedWork, _ outcome: ObservedOutcome) -> [(String, String)] {
        let host = work.url.hostname
        let isNamed = configuration.namesHost(host)
        return [
            ("http.request.method", work.knownMethod),
            ("server.address", isNamed ? host : "_OTHER"),
            ("server.port", isNamed ? work.url.effectivePort.map { "\($0)" } ?? "" : ""),
            ("http.response.status_code", outcome.response?.status.map { "\($0.code)" } ?? ""),
            ("network.protocol.version", outcome.response?.httpVersion ?? ""),
        ]
    }
}
#endif
