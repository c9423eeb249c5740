import HTTPTypes
import Synchronization

@testable import WebLoader

/// Records its notifications: a line when work begins (+) and ends (-), and for each event in it (!).
///
/// Each line has the work with all work that contains it.
struct RecordingObserver: LoadObserver {
    /// A value of the caller's task.
    @TaskLocal static var caller = ""

    final class Record: Sendable {
        fileprivate let state = Mutex<(lines: [String], works: [ObservedWork], outcomes: [ObservedOutcome])>(
            ([], [], [])
        )

        /// The recorded lines, in order.
        var lines: [String] { state.withLock { $0.lines } }
        var works: [ObservedWork] { state.withLock { $0.works } }
        var outcomes: [ObservedOutcome] { state.withLock { $0.outcomes } }
    }

    let record: Record
    /// The path of the observed work, as "load/request"; empty for the observer of a loader.
    var path = ""
    var fields = HTTPFields()

    init(_ record: Record) {
        self.record = record
    }

    var fieldsToSend: HTTPFields { fields }

    func began(_ work: ObservedWork) -> any LoadObserver {
        var own = self
        own.path += (path.isEmpty ? RecordingObserver.caller : "/") + work.kind.rawValue
        let again = work.earlierExchanges == 0 ? "" : " +\(work.earlierExchanges)"
        let line = "+ \(own.path) \(work.url.path)\(again)"
        record.state.withLock {
            $0.lines.append(line)
            $0.works.append(work)
        }
        return own
    }

    func redirected(to url: WebURL, from response: WebResponse) {
        record.state.withLock { $0.lines.append("! \(path) \(response.status?.code ?? 0) to \(url.path)") }
    }

    func retrying(after delay: Duration) {
        record.state.withLock { $0.lines.append("! \(path) again") }
    }

    func ended(_ outcome: ObservedOutcome) {
        let words = [
            outcome.errorCode, outcome.exceeded?.code.rawValue,
            outcome.response?.status.map { "\($0.code)" }, outcome.response?.source.rawValue,
            outcome.response?.cacheVerdict?.outcome.rawValue, outcome.response?.cacheVerdict?.refusal,
        ]
        let line = (["-", path] + words.compactMap { $0 }).joined(separator: " ")
        record.state.withLock {
            $0.lines.append(line)
            $0.outcomes.append(outcome)
        }
    }
}
