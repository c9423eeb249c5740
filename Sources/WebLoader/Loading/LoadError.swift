/// Why a page could not be loaded: the error of the stage that failed, with the URL.
public struct LoadError: WebError {
    /// The kind of failure: a code of the error that caused it.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The error of the stage that failed: a ``/WebTransport/FetchError``, ``/WebStandards/FileError`` or
    /// ``/WebDocument/ParsingError``.
    public let cause: any WebError

    /// The requested URL, with its credentials replaced by `***`; nil for a page without a URL.
    public let url: String?

    package init(_ cause: any WebError, url: WebURL?) {
        self.cause = cause
        self.url = url == .aboutBlank ? nil : url?.description
    }

    init(_ cause: FetchError, url: WebURL?) {
        self.init(cause as any WebError, url: url)
    }

    /// The kind of failure, as a stable identifier such as "network.timeout".
    public var code: Code { Code(rawValue: Self.identifier(cause.code)) }

    private static func identifier(_ code: some ErrorCode) -> String { code.rawValue }

    /// Foundation's error code (`NSURLErrorDomain`), nil if it has none.
    public var nsURLErrorCode: Int? { cause.code.nsURLErrorCode }

    /// A description of the failure for people, without the URL.
    public var message: String { cause.message }

    /// Whether the load was cancelled, by its task or by its delegate.
    public var isCancellation: Bool { code == "load.cancelled" || code == "load.refused" }

    /// The URL, the message, and the code.
    public var description: String {
        "\(url.map { "\($0): " } ?? "")\(message) (\(code))"
    }

    /// Whether two loads failed alike: by the same code, with the same message and URL.
    public static func == (one: LoadError, other: LoadError) -> Bool {
        one.code == other.code && one.message == other.message && one.url == other.url
    }
}
