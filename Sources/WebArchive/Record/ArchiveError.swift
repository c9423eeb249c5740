public import WebStandards

/// Why an archive cannot be read or written.
public struct ArchiveError: WebError {
    /// The kind of failure, as a stable identifier.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file is not an archive of a known kind.
        public static var notAnArchive: Self { "archive.format" }
        /// The archive has nothing of the URL.
        public static var miss: Self { "archive.miss" }
        /// The archive has the record, but not its body.
        public static var bodyMissing: Self { "archive.body-missing" }
        /// The body cannot be decoded.
        public static var body: Self { "archive.body" }
        /// The body has more bytes than are accepted.
        public static var tooLarge: Self { "limit.size" }
        /// A record would have a longer URL or head than what reads it takes; nothing of it was written.
        public static var recordTooLong: Self { "limit.record" }
        /// Another limit was hit.
        public static var limit: Self { "limit.archive" }
        /// There was not enough time.
        public static var time: Self { "limit.time" }
        /// The file cannot be read.
        public static var unreadable: Self { "file.unreadable" }
        /// The file cannot be written.
        public static var unwritable: Self { "file.write" }
        /// A library that it needs is not there.
        public static var unavailable: Self { "archive.unavailable" }
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
