/// Why a file could not be read or written.
public struct FileError: Error, Equatable, Sendable {
    /// The kind of failure, as a stable identifier.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// There is no file of that name.
        case notFound = "file.not-found"
        /// It is a directory.
        case isDirectory = "file.directory"
        /// It may not be read.
        case permission = "file.permission"
        /// The URL does not denote a path of this machine.
        case path = "file.path"
        /// The system could not read it.
        case unreadable = "file.unreadable"
        /// The system could not write it.
        case unwritable = "file.write"
        /// It has more bytes than a body may have.
        case tooLarge = "limit.size"
        /// The data of a pipe or the like did not arrive or end in time.
        case timeout = "limit.time"
        /// The task was cancelled while it waited for the file.
        case cancelled = "load.cancelled"

        /// Foundation's number for it (`NSURLErrorDomain`).
        public var nsURLErrorCode: Int {
            switch self {
            case .notFound, .path: -1100
            case .isDirectory: -1101
            case .permission, .unreadable: -1102
            case .unwritable: -3003
            case .tooLarge: -1103
            case .timeout: -1001
            case .cancelled: -999
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
