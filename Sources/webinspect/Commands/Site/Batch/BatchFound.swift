import WebLoader
import WebSite

/// The outcome of a request of a batch.
struct BatchFound: Sendable {
    let outcome: URLOutcome
    let signal: HostSignal
    /// Where it is, for the next request.
    var progress: [UInt8]?
    /// The line that is written; empty if it is not done.
    var line: [UInt8] = []
    /// How far apart the host wants requests to be.
    var crawlDelay: Double?

    init(_ outcome: URLOutcome, _ signal: HostSignal) {
        self.outcome = outcome
        self.signal = signal
    }

    /// An answer.
    init(_ answer: PageAnswer, _ signal: HostSignal) {
        outcome = answer.failure.map { .failed($0.code) } ?? .done
        self.signal = signal
        line = answer.line
    }
}

/// The progress of a row of a batch: the redirects so far, and the target of the last one.
///
/// The row's own URL stays that of the line.
struct BatchProgress {
    var redirects: [WebResponse.Redirect] = []
    /// The URL to request next.
    var next: WebURL

    init(_ first: WebURL) {
        next = first
    }

    /// Reads the progress as ``json`` writes it; `nil` if it is missing or invalid.
    init?(_ progress: [UInt8]?) {
        guard let progress, let value = try? JSONValue(parsing: progress),
            case .array(let items)? = value["redirects"],
            let text = value["next"]?.string, let next = try? WebURL(text)
        else { return nil }
        self.next = next
        for item in items {
            guard let text = item["url"]?.string, let url = try? WebURL(text),
                case .integer(let status)? = item["status"], 300..<400 ~= status
            else { continue }
            add(url, Int(bounded: status))
        }
    }

    mutating func add(_ url: WebURL, _ status: Int) {
        redirects.append(
            WebResponse.Redirect(
                url: url,
                status: .init(code: status),
                headerFields: [:],
                timing: LoadTiming(),
                source: .network
            )
        )
    }

    var json: [UInt8] {
        let items = redirects.map { redirect in
            JSONValue.object([
                .init("status", .integer(Int64(redirect.status.code))),
                .init("url", .string(redirect.url.href)),
            ])
        }
        return JSONValue.object([.init("next", .string(next.href)), .init("redirects", .array(items))])
            .serialized()
    }
}
