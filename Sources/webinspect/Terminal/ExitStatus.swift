import WebLoader

/// The command's exit statuses.
///
/// docs/exit-codes.md says them to users.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    /// Done, and the answer is no.
    case no = 1
    /// A bad flag, selector, recipe or URL.
    case usage = 2
    /// A network or TLS failure, a network time-out.
    case network = 3
    /// An HTTP status of 400 or above, with `--fail`.
    case httpStatus = 4
    /// Not in the cache, with `--cache-only`.
    case cacheMiss = 5
    /// A limit of size, count or depth was hit.
    case limit = 6
    /// The content could not be decoded or parsed as asked.
    case content = 7
    /// A file could not be read or written.
    case file = 8
    /// A fault of ours.
    case fault = 70
    /// The system has too little of something: descriptors, threads, memory.
    case scarcity = 71
    /// Interrupted.
    case interrupted = 130

    /// The status for an error of the library, by its code: the tables of docs/exit-codes.md.
    init(_ code: some ErrorCode) {
        self =
            switch code.rawValue {
            case "load.cancelled": .interrupted
            case "load.refused", "request.invalid", "url.unsupported", "url.data", "selector.invalid",
                "xpath.invalid",
                "rule.invalid", "state.settings":
                .usage
            case "limit.size", "limit.headers", "limit.fields", "limit.interim", "limit.time",
                "limit.attributes",
                "parse.size", "selector.limit", "xpath.limit", "form.limit":
                .limit
            case "cache.miss", "archive.miss": .cacheMiss
            case "network.decoding", "rule.failed": .content
            case "rule.drift": .no
            case "worker.crash", "worker.unavailable", "state.lease": .fault
            case "worker.memory": .scarcity
            default:
                switch code.rawValue.prefix(while: { $0 != "." }) {
                case "file", "state": .file
                case "parse", "archive", "copy": .content
                case "network": .network
                case "limit", "budget": .limit
                case "form": .usage
                default: .fault
                }
            }
    }
}
