import WebStandards

/// A job, as the app shows it.
struct Job: Sendable {
    enum State: String, Sendable {
        case waiting, running, stopping, stopped, done, failed
    }

    let id: Int64
    let form: JobForm
    let title: String
    /// The first of its start URLs, and the number of all of them.
    let urls: [String]
    let urlCount: Int
    var state = State.waiting
    /// When it was last started or resumed, and when that run ended, in milliseconds since 1970.
    var started: Int64?
    var ended: Int64?
    var exitStatus: Int?
    /// How it ended, for people.
    var message: String?
    var progress = JSONValue.null
    /// The number of results.
    var lines = 0
    /// The last lines of its stderr.
    private(set) var log: [String] = []

    private static let shownURLs = 5
    private static let longestLog = 20

    init(id: Int64, _ form: JobForm, urls: [String]) {
        self.id = id
        self.form = form
        title = form.title(urls)
        self.urls = Array(urls.prefix(Self.shownURLs))
        urlCount = urls.count
    }

    /// Whether it waits or runs.
    var isActive: Bool { [.waiting, .running, .stopping].contains(state) }

    mutating func add(log line: String) {
        if log.count >= Self.longestLog { log.removeFirst() }
        log.append(line)
    }

    /// Prepares it to be started or resumed.
    mutating func wait() {
        state = .waiting
        (started, ended, exitStatus, message) = (nil, nil, nil, nil)
        (progress, log) = (.null, [])
    }

    // MARK: - JSON

    var json: JSONValue { .object([.init("id", .integer(id))] + members) }

    private var members: [JSONValue.Member] {
        [
            .init("kind", .string(form.kind.rawValue)), .init("title", .string(title)),
            .init("urls", .array(urls.map(JSONValue.string))), .init("url_count", JSONValue(urlCount)),
            .init("options", form.json), .init("state", .string(state.rawValue)),
            .init("started_ms", started.map { .integer($0) } ?? .null),
            .init("ended_ms", ended.map { .integer($0) } ?? .null),
            .init("exit_status", JSONValue(exitStatus)), .init("message", JSONValue(message)),
            .init("progress", progress), .init("lines", JSONValue(lines)),
            .init("log", .array(log.map(JSONValue.string))),
        ]
    }

    /// The text that is stored of it.
    var kept: String {
        String(decoding: JSONValue.object(members).serialized(sortingNames: false), as: UTF8.self)
    }

    /// Creates a job that an earlier run has stored; `nil` if the text is invalid.
    ///
    /// A job that waited or ran then is stopped: no request is sent before the user resumes it.
    init?(id: Int64, kept: String) {
        guard let json = try? JSONValue(parsing: kept.utf8), let kind = json["kind"]?.string,
            let form = try? JobForm(kind: kind, options: json["options"] ?? .null),
            let title = json["title"]?.string
        else { return nil }
        self.id = id
        self.form = form
        self.title = title
        urls = ((try? json.strings("urls", atMost: Self.shownURLs)) ?? [])
        urlCount = Int(bounded: json["url_count"]?.number ?? 0)
        let state = State(rawValue: json["state"]?.string ?? "") ?? .stopped
        self.state = [.done, .failed].contains(state) ? state : .stopped
        started = Self.time("started_ms", json)
        ended = Self.time("ended_ms", json)
        exitStatus = json["exit_status"]?.number.map { Int(bounded: $0) }
        message = json["message"]?.string
        progress = json["progress"].map { $0 == .null ? .null : JobOutput.progress($0) } ?? .null
        lines = max(0, Int(bounded: json["lines"]?.number ?? 0))
        log = ((try? json.strings("log", atMost: Self.longestLog)) ?? [])
            .map { $0.prefix(scalars: JobOutput.longest.text) }
    }

    private static func time(_ name: String, _ json: JSONValue) -> Int64? {
        guard case .integer(let time)? = json[name] else { return nil }
        return time
    }
}
