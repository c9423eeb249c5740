public import WebStandards

/// Why a job's state cannot be used: its database, its output, or who else has it.
public struct StateError: WebError {
    /// The kind of failure, as a stable identifier.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another process works on the job.
        public static var busy: Self { "state.busy" }
        /// The database was made by another version, or is another program's.
        public static var version: Self { "state.version" }
        /// The database or the output is damaged.
        public static var damaged: Self { "state.damaged" }
        /// The job was begun with other settings.
        public static var settings: Self { "state.settings" }
        /// A lease was finished that nobody holds.
        public static var lease: Self { "state.lease" }
        /// A file cannot be read.
        public static var unreadable: Self { "file.unreadable" }
        /// A file cannot be written, as on a full disk.
        public static var unwritable: Self { "file.write" }
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

extension StateError {
    /// Opening or writing a file failed.
    package static func unwritable(_ path: String, _ failure: File.Failure) -> StateError {
        StateError(.unwritable, "\(path): \(failure.text)")
    }
}
