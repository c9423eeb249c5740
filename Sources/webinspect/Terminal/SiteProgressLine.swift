import WebLoader
import WebSite

/// A line on a terminal that says how far a job is.
enum SiteProgressLine {
    /// Returns a function that shows a job's progress, in the form that the line requests.
    ///
    /// - Parameters:
    ///   - line: The options of the line.
    ///   - form: The form if the line names none.
    /// - Returns: The function; `nil` if no progress is shown.
    static func reporter(
        _ line: LineOptions,
        unlessSaid form: ProgressForm = .text
    ) -> (@Sendable (SiteProgress) -> Void)? {
        switch line.site.progress ?? form {
        case .json: return { SiteProgressJSON.send($0) }
        case .text where !line.loading.isSilent && ProgressLine.isWanted:
            return { $0.isLast ? ProgressLine.clear() : ProgressLine.show(text($0)) }
        case .text, .off: return nil
        }
    }

    /// The line, as in "120 done, 3 failed (http.404 2, network.dns 1), 48 queued, 12.5/s, 2 hosts wait, 4 s left".
    static func text(_ progress: SiteProgress) -> String {
        let counts = progress.counts
        var parts = ["\(counts.done) done"]
        if counts.failed > 0 {
            let kinds = progress.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
            parts.append(
                "\(counts.failed) failed (\(kinds.map { "\($0.key) \($0.value)" }.joined(separator: ", ")))"
            )
        }
        if counts.skipped > 0 { parts.append("\(counts.skipped) skipped") }
        parts.append("\(counts.queued + counts.leased) queued")
        let tenths = Int(bounded: (progress.rate * 10).rounded())
        parts.append("\(tenths / 10).\(tenths % 10)/s")
        if progress.waitingHosts > 0 {
            parts.append(Wording.number(progress.waitingHosts, "host waits", "hosts wait"))
        }
        if let left = progress.secondsLeft { parts.append("\(time(left)) left") }
        return parts.joined(separator: ", ")
    }

    private static func time(_ seconds: Double) -> String {
        let seconds = Int(bounded: seconds.rounded(.up))
        switch seconds {
        case ..<100: return "\(seconds) s"
        case ..<6000: return "\(seconds / 60) min"
        default: return "\(seconds / 3600) h"
        }
    }
}
