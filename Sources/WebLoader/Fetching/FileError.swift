/// Why a file could not be read or written.
public struct FileError: Error, Equatable, Sendable {
    /// What happened, as a stable word.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// There is no file of that name.
        case notFound = "file.not-found"
        /// It is a directory.
        case isDirectory = "file.directory"
        /// It may not be read.
        case permission = "file.permission"
        /// The URL stands for no path of this machine.
        case path = "file.path"
        /// The system could not read it.
        case unreadable = "file.unreadable"
        /// The system could not write it.
        case unwritable = "file.write"
        /// It has more bytes than a body may have.
        case tooLarge = "limit.size"
        /// What is read like a file, such as a pipe, did not come or end in time.
        case timeout = "limit.time"
        /// The task was cancelled while it was waited for.
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

    /// What happened.
    public let code: Code

    /// What happened, in words, with the path.
    public let message: String

    /// What happened, in words, without the path.
    package let reason: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        reason = message
    }

    init(_ code: Code, path: String, _ reason: String) {
        self.code = code
        self.message = "\(path): \(reason)"
        self.reason = reason
    }
}
