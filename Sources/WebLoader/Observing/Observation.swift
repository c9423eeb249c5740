import HTTPTypes
import Synchronization

/// Reports the work of a loader to its observer; a loader without an observer has no observation.
final class Observation: Sendable {
    private let observer: any LoadObserver

    init(_ observer: any LoadObserver) {
        self.observer = observer
    }

    /// Begins a piece of work, as a part of what the current task does for this loader.
    func begin(_ kind: ObservedWork.Kind, _ url: WebURL, _ method: String? = nil) -> RunningWork {
        // A task that outlives the work which started it begins anew, but for a revalidation in the background.
        let parent = kind == .exchange ? scope : scope.flatMap { $0.end.isReached ? nil : $0 }
        let exchanges: ExchangeCount
        switch kind {
        case .load, .fetch, .stream: exchanges = ExchangeCount()
        default: exchanges = parent?.exchanges ?? ExchangeCount()
        }
        let work = ObservedWork(
            kind: kind,
            url: url.observed,
            method: method,
            earlierExchanges: kind == .exchange ? exchanges.next() : 0
        )
        let own = (parent?.observer ?? observer).began(work)
        return RunningWork(scope: ObservationScope(owner: self, observer: own, exchanges: exchanges))
    }

    /// The observer of the current task's work; `nil` if the task does no work for this loader.
    var current: (any LoadObserver)? { scope?.observer }

    /// The work of the current task; nil if it is another loader's.
    private var scope: ObservationScope? {
        ObservationScope.current.flatMap { $0.owner === self ? $0 : nil }
    }

    /// Runs `body` as work that was begun, with all work begun meanwhile as its parts, and ends it with the outcome
    /// that `note` completes.
    func during<Value: Sendable, Failure: WebError>(
        _ work: RunningWork,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Value,
        note: (inout ObservedOutcome, Value) -> Void
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await ObservationScope.$current.withValue(work.scope) {
            _ = isolation
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        work.end { outcome in
            switch result {
            case .success(let value): note(&outcome, value)
            case .failure(let error): outcome.take(error)
            }
        }
        return try result.get()
    }
}

/// The current work of a task for a loader that is observed.
struct ObservationScope: Sendable {
    /// The scope of the current task; unstructured tasks inherit it.
    @TaskLocal static var current: ObservationScope?

    let owner: Observation
    let observer: any LoadObserver
    let exchanges: ExchangeCount
    let end = WorkEnd()
}

/// The end of a piece of work, which tasks that it has started may outlive.
final class WorkEnd: Sendable {
    private let flag = Atomic(false)

    var isReached: Bool { flag.load(ordering: .relaxed) }

    func reach() { flag.store(true, ordering: .relaxed) }
}

/// Counts the exchanges of a load.
final class ExchangeCount: Sendable {
    private let count = Atomic(0)

    /// How many there were before this one.
    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// A piece of work that was begun, and has to be ended once.
struct RunningWork: Sendable {
    let scope: ObservationScope
    private let started = MonotonicClock.now

    init(scope: ObservationScope) {
        self.scope = scope
    }

    /// Ends it.
    func end(_ note: (inout ObservedOutcome) -> Void) {
        var outcome = ObservedOutcome(duration: Duration(boundedSeconds: MonotonicClock.now - started))
        note(&outcome)
        scope.end.reach()
        scope.observer.ended(outcome)
    }
}

/// A fetcher that reports its fetches to an observer, as requests or as exchanges.
struct ObservedFetcher: Fetcher {
    let kind: ObservedWork.Kind
    let observation: Observation
    let upstream: any Fetcher

    var allowedAddresses: AllowedAddresses { upstream.allowedAddresses }

    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        let work = observation.begin(kind, request.url, request.httpMethod)
        var sent = request
        if kind == .exchange { sent.add(work.scope.observer.fieldsToSend) }
        return try await observation.during(work) { [sent] () async throws(FetchError) in
            try await upstream.fetch(sent, limits: limits, receiver: receiver)
        } note: { outcome, response in
            outcome.take(response)
            if response.transferSize == nil, receiver?.collectsBody == false { outcome.bodySize = nil }
        }
    }
}

extension WebRequest {
    /// Adds fields that it neither has nor leaves out.
    fileprivate mutating func add(_ fields: HTTPFields) {
        let own = headerFields
        for field in fields where !own.contains(field.name) && !omittedFields.contains(field.name) {
            headerFields.append(received: field)
        }
    }
}
