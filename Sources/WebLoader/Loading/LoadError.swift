/// Why a page could not be loaded: the stage's own error, with the URL.
public struct LoadError: Error, Equatable, Sendable {
    /// The error of the stage that failed.
    public enum Cause: Equatable, Sendable {
        /// The response could not be fetched.
        case fetch(FetchError)
        /// The file could not be read.
        case file(FileError)
        /// The `data:` URL could not be decoded; with the reason.
        case dataURL(String)
        /// The page could not be decoded or parsed.
        case parsing(ParsingError)
    }

    /// The error of the stage that failed.
    public let cause: Cause

    /// The requested URL, with its credentials replaced by `***`; nil for a page without a URL.
    public let url: String?

    init(_ cause: Cause, url: WebURL?) {
        self.cause = cause
        self.url = url == .aboutBlank ? nil : url?.description
    }

    /// The kind of failure, as a stable identifier such as "network.timeout".
    public var code: String {
        switch cause {
        case .fetch(let error): error.code.rawValue
        case .file(let error): error.code.rawValue
        case .dataURL: "url.data"
        case .parsing(let error): error.code.rawValue
        }
    }

    /// Foundation's error code (`NSURLErrorDomain`), nil if it has none.
    public var nsURLErrorCode: Int? {
        switch cause {
        case .fetch(let error): error.code.nsURLErrorCode
        case .file(let error): error.code.nsURLErrorCode
        case .dataURL: -1000
        case .parsing(let error): error.code.nsURLErrorCode
        }
    }

    /// A description of the failure for people, without the URL.
    public var message: String {
        switch cause {
        case .fetch(let error): error.message
        case .file(let error): error.message
        case .dataURL(let reason): reason
        case .parsing(let error): error.message
        }
    }

    /// Whether the load was cancelled, by its task or by its delegate.
    public var isCancellation: Bool {
        switch cause {
        case .fetch(let error): error.code == .cancelled || error.code == .refused
        case .parsing(let error): error.code == .cancelled
        case .file(let error): error.code == .cancelled
        case .dataURL: false
        }
    }
}

extension LoadError: CustomStringConvertible {
    /// The URL, the message, and the code.
    public var description: String {
        "\(url.map { "\($0): " } ?? "")\(message) (\(code))"
    }
}
