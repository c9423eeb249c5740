/// Why no page can be rendered.
public struct RenderingError: WebError {
    /// The kind of failure, as a stable identifier.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no browser, or it does not start.
        public static var unavailable: Self { "render.unavailable" }
        /// The browser has ended, or does not answer.
        public static var ended: Self { "render.ended" }
        /// The task was cancelled.
        public static var cancelled: Self { "load.cancelled" }
    }

    /// The kind of failure.
    public let code: Code

    /// A description of the failure for people.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
