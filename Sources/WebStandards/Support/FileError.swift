/// Why a file could not be read or written.
public struct FileError: WebError {
    /// The kind of failure, as a stable identifier.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file does not exist.
        public static var notFound: Self { "file.not-found" }
        /// It is a directory.
        public static var isDirectory: Self { "file.directory" }
        /// It may not be read.
        public static var permission: Self { "file.permission" }
        /// The URL does not denote a path of this machine.
        public static var path: Self { "file.path" }
        /// The system could not read it.
        public static var unreadable: Self { "file.unreadable" }
        /// The system could not write it.
        public static var unwritable: Self { "file.write" }
        /// The file exceeds the maximum size of a body.
        public static var tooLarge: Self { "limit.size" }
        /// The data of a pipe or the like did not arrive or end in time.
        public static var timeout: Self { "limit.time" }
        /// The task was cancelled while it waited for the file.
        public static var cancelled: Self { "load.cancelled" }

        /// Foundation's number for it (`NSURLErrorDomain`).
        public var nsURLErrorCode: Int? {
            switch self {
            case .notFound, .path: -1100
            case .isDirectory: -1101
            case .permission, .unreadable: -1102
            case .unwritable: -3003
            case .tooLarge: -1103
            case .timeout: -1001
            case .cancelled: -999
            default: nil
            }
        }
    }

    /// The kind of failure.
    public let code: Code

    /// A description of the failure, with the path.
    public let message: String

    /// A description of the failure, without the path.
    package let reason: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        reason = message
    }

    package init(_ code: Code, path: String, _ reason: String) {
        self.code = code
        self.message = "\(path): \(reason)"
        self.reason = reason
    }
}
