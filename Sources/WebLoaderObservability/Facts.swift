#if Observability
import HTTPTypes
import Logging
import Tracing
import WebLoader
import WebRules
import WebStandards

/// The attributes of a piece of work: with OpenTelemetry's names where it has some, else with names that begin with
/// `webloader`.
///
/// <https://opentelemetry.io/docs/specs/semconv/http/http-spans/>
struct Facts {
    enum Value {
        case text(String)
        case number(Int)
        case seconds(Duration)
        case flag(Bool)
    }

    private(set) var all: [(name: String, value: Value)] = []

    mutating func add(_ name: String, _ text: String?) { text.map { all.append((name, .text($0))) } }
    mutating func add(_ name: String, _ number: Int?) { number.map { all.append((name, .number($0))) } }
    mutating func add(_ name: String, _ time: Duration?) { time.map { all.append((name, .seconds($0))) } }
    mutating func add(_ name: String, _ flag: Bool?) { flag.map { all.append((name, .flag($0))) } }

    /// For a span.
    var attributes: SpanAttributes {
        SpanAttributes(Dictionary(all.map { ($0.name, $0.value.attribute) }) { first, _ in first })
    }

    /// For a line of a log.
    var metadata: Logger.Metadata {
        Dictionary(all.map { ($0.name, $0.value.metadata) }) { first, _ in first }
    }
}

extension Facts.Value {
    fileprivate var attribute: SpanAttribute {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .int64(Int64(number))
        case .seconds(let time): .double(time.inSeconds)
        case .flag(let flag): .bool(flag)
        }
    }

    fileprivate var metadata: Logger.MetadataValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .stringConvertible(number)
        case .seconds(let time): .stringConvertible(time.inSeconds)
        case .flag(let flag): .stringConvertible(flag)
        }
    }
}

extension Facts {
    /// Creates the attributes that are known when work begins.
    init(_ work: ObservedWork, _ instruments: Instruments) {
        add("url.full", instruments.configuration.urlText(work.url))
        guard let method = work.method else { return }
        add("http.request.method", work.knownMethod)
        if work.knownMethod != method { add("http.request.method_original", method) }
        guard work.kind == .exchange else { return }
        add("server.address", work.url.hostname)
        add("server.port", work.url.effectivePort.map { Int($0) })
        if work.earlierExchanges > 0 { add("http.request.resend_count", work.earlierExchanges) }
    }

    /// Creates the attributes that are known when work has ended.
    init(_ work: ObservedWork, _ outcome: ObservedOutcome) {
        if let response = outcome.response {
            add("http.response.status_code", response.status?.code)
            if work.kind == .exchange {
                add(exchange: response)
            } else {
                add("webloader.source", response.source.rawValue)
                add("webloader.response.body.size", outcome.bodySize)
                add(response.cacheVerdict)
            }
        }
        if let usage = outcome.usage {
            add("webloader.rules.time", usage.time)
            add("webloader.rules.memory", usage.memory?.bytes)
            add("webloader.rules.pages", usage.pages)
        }
        add("error.type", work.failure(outcome))
        add("webloader.error.message", outcome.errorMessage ?? outcome.exceeded?.message)
    }

    private mutating func add(exchange response: WebResponse) {
        add("network.protocol.name", response.httpVersion.map { _ in "http" })
        add("network.protocol.version", response.httpVersion)
        add("network.peer.address", response.remoteAddress)
        add("http.response.body.size", response.transferSize?.body)
        add("webloader.tls.version", response.tls?.version)
        add("webloader.connection.reused", response.isConnectionReused)
        // From the start of the request.
        add("webloader.timing.name_lookup", response.timing.nameLookup)
        add("webloader.timing.connect", response.timing.connect)
        add("webloader.timing.tls", response.timing.tls)
        add("webloader.timing.first_byte", response.timing.firstByte)
    }

    private mutating func add(_ verdict: CacheVerdict?) {
        guard let verdict else { return }
        add("webloader.cache.outcome", verdict.outcome.rawValue)
        add("webloader.cache.reason", verdict.reason)
        add("webloader.cache.stored", verdict.isStored)
        add("webloader.cache.refusal", verdict.refusal)
        add("webloader.cache.failure", verdict.failure)
        add("webloader.cache.damage", verdict.damage)
    }
}

extension ObservedWork {
    /// The method if OpenTelemetry knows it, else `_OTHER`: a name from outside must not make labels.
    var knownMethod: String {
        guard let method else { return "" }
        return Self.methods.contains(method) ? method : "_OTHER"
    }

    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
    ]

    /// Why the work failed, as one of not many words: a code, a limit, or an exchange's status from 400; nil if it did not.
    func failure(_ outcome: ObservedOutcome) -> String? {
        if let code = outcome.errorCode ?? outcome.exceeded?.code.rawValue { return code }
        guard kind == .exchange, let status = outcome.response?.status?.code, status >= 400 else {
            return nil
        }
        return String(status)
    }
}
#endif
