/// How a page was rendered: why it ended, the requests of the page, the messages of its scripts.
public struct Rendering: Hashable, Sendable, Codable {
    /// Why the page was taken as it was.
    public enum Ending: String, Hashable, Sendable, Codable, CaseIterable {
        /// It was loaded, and nothing more came for a while.
        case quiet
        /// An element matched the selector that was waited for.
        case selector
        /// The time that was asked for is over.
        case wait
        /// The time of the budget was over.
        case time = "budget.time"
        /// The browser took more memory than the budget has.
        case memory = "budget.memory"
        /// The browser ended, or its page crashed.
        case crash = "render.ended"
    }

    /// Something that the page asked for.
    public struct Request: Hashable, Sendable, Codable {
        /// The URL, without a password.
        public let url: String
        /// The method.
        public let method: String
        /// The purpose of the request.
        ///
        /// It is the debugging protocol's word in lower case: "document", "script", "image", "xhr", "fetch", "websocket" and so
        /// on.
        public let kind: String
        /// The HTTP status; nil where there was no response of HTTP.
        public internal(set) var status: Int?
        /// Bytes of the body, without its content coding.
        public internal(set) var bytes = 0
        /// Where the response came from; nil without one.
        public internal(set) var source: WebResponse.Source?
        /// Why there was no response: a ``LoadError/code``, "limit.requests", "limit.size" for more bytes than the
        /// budget has, or "render.unsupported" for an unsupported request; `nil` if there was a response.
        public internal(set) var code: String?

        /// Creates a request that is not answered yet.
        public init(url: String, method: String, kind: String) {
            self.url = url
            self.method = method
            self.kind = kind
        }

        /// The request as answered by a response.
        public func answered(by response: WebResponse) -> Request {
            var request = self
            request.status = response.status?.code
            request.bytes = response.body.count
            request.source = response.source
            return request
        }

        /// The request as failed.
        public func failed(_ code: String) -> Request {
            var request = self
            request.code = code
            return request
        }
    }

    /// Something that a script has said, or that went wrong in one.
    public struct Message: Hashable, Sendable, Codable {
        /// "log", "info", "warning", "error", …: the console's word; "exception" for one that nobody caught.
        public let level: String
        /// The text, at most 1,000 characters of it.
        public let text: String
        /// The URL of the script; nil if it is not known.
        public let url: String?
        /// The line in it, from 1; nil if it is not known.
        public let line: Int?

        /// Creates a message.
        public init(level: String, text: String, url: String?, line: Int?) {
            self.level = level
            self.text = text
            self.url = url
            self.line = line
        }
    }

    /// Why it ended.
    public var ending: Ending

    /// Whether the page is what scripts have made of it, and not as it was served.
    public var isOfScripts: Bool

    /// Whether the page has more than was taken of it (``/WebStandards/LoadLimits/maximumBodySize``).
    public var isCut = false

    /// The requests of the page in order, the page itself first; at most 1,000.
    public var requests: [Request] = []

    /// How many requests there were.
    public var requestCount = 0

    /// Bytes of all responses, without their content coding.
    public var bytes = 0

    /// The messages of scripts in order; at most 1,000.
    public var messages: [Message] = []

    /// How many messages there were.
    public var messageCount = 0

    /// How long it took.
    public var duration = Duration.zero

    /// The most memory that was seen to be taken by the browser's processes, in bytes.
    public var peakMemory = 0

    /// The requests without a response, and with one that is an error.
    public var failures: [Request] { requests.filter { $0.code != nil || ($0.status ?? 0) >= 400 } }

    /// Creates one.
    public init(ending: Ending, isOfScripts: Bool) {
        self.ending = ending
        self.isOfScripts = isOfScripts
    }
}
