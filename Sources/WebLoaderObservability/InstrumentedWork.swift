#if Observability
import HTTPTypes
import Logging
import Tracing
import WebLoader
import WebStandards

/// A piece of work, with its span.
struct InstrumentedWork: LoadObserver {
    private let work: ObservedWork
    private let instruments: Instruments
    /// The attributes that are known from its beginning.
    private let facts: Facts
    private let span: (any Span)?
    /// The span's context, or what the work began in.
    private let context: ServiceContext

    init(_ work: ObservedWork, _ instruments: Instruments, in parent: ServiceContext) {
        self.work = work
        self.instruments = instruments
        facts = Facts(work, instruments)
        span = instruments.configuration.tracer?.startSpan(
            work.spanName,
            context: parent,
            ofKind: work.kind == .exchange ? .client : .internal
        )
        context = span?.context ?? parent
        span?.attributes.merge(facts.attributes)
        log(.trace, "\(work.kind) begins")
    }

    func began(_ work: ObservedWork) -> any LoadObserver {
        InstrumentedWork(work, instruments, in: context)
    }

    func redirected(to url: WebURL, from response: WebResponse) {
        var about = Facts()
        about.add("webloader.redirect.url", instruments.configuration.urlText(url))
        about.add("http.response.status_code", response.status?.code)
        span?.addEvent(SpanEvent(name: "redirect", attributes: about.attributes))
        log(.debug, "\(work.kind) is redirected", about)
    }

    func retrying(after delay: Duration) {
        var about = Facts()
        about.add("webloader.retry.delay", delay)
        span?.addEvent(SpanEvent(name: "retry", attributes: about.attributes))
        log(.info, "\(work.kind) is made again", about)
    }

    func ended(_ outcome: ObservedOutcome) {
        let about = Facts(work, outcome)
        let failure = work.failure(outcome)
        instruments.measure(work, outcome)
        if let span {
            span.attributes.merge(about.attributes)
            // Who cancels does not call it an error.
            if failure != nil, !outcome.isCancellation {
                span.setStatus(SpanStatus(code: .error, message: outcome.errorMessage))
            }
            span.end()
        }
        var line = about
        line.add("webloader.duration", outcome.duration)
        log(.debug, failure == nil ? "\(work.kind) ended" : "\(work.kind) failed", line)
        // The load succeeded regardless, so this is not reported elsewhere.
        if work.kind == .request, let verdict = outcome.response?.cacheVerdict {
            if verdict.failure != nil { log(.info, "the cache could not be written", line) }
            if verdict.damage != nil { log(.info, "the cache was damaged", line) }
        }
    }

    var fieldsToSend: HTTPFields {
        var fields = HTTPFields()
        let configuration = instruments.configuration
        if let tracer = configuration.tracer, configuration.propagates(work.url) {
            tracer.inject(context, into: &fields, using: FieldInjector())
        }
        return fields
    }

    /// Writes a line where its context is the current one, for metadata providers.
    private func log(
        _ level: Logger.Level,
        _ message: @autoclosure () -> Logger.Message,
        _ more: Facts = Facts()
    ) {
        guard let logger = instruments.configuration.logger, logger.logLevel <= level else { return }
        ServiceContext.$current.withValue(context) {
            logger.log(
                level: level,
                message(),
                metadata: facts.metadata.merging(more.metadata) { _, new in new },
                source: "WebLoader"
            )
        }
    }
}

extension ObservedWork {
    /// An exchange is called after its method, as OpenTelemetry has it; other work after its kind.
    fileprivate var spanName: String {
        guard kind == .exchange else { return "WebLoader \(kind)" }
        return knownMethod == "_OTHER" ? "HTTP" : knownMethod
    }
}

/// Puts a tracer's fields into a request's.
private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        if let name = HTTPField.Name(key) { fields[name] = value }
    }
}
#endif
