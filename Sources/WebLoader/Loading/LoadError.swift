/// Why a page could not be loaded: the stage's own error, with the URL.
public struct LoadError: Error, Equatable, Sendable {
    /// What went wrong, as the stage where it did has it.
    public enum Cause: Equatable, Sendable {
        /// The response could not be had.
        case fetch(FetchError)
        /// The file could not be read.
        case file(FileError)
        /// The `data:` URL could not be taken apart, and why.
        case dataURL(String)
        /// The page could not be decoded or parsed.
        case parsing(ParsingError)
    }

    /// What went wrong.
    public let cause: Cause

    /// The URL that was asked for, its credentials replaced by `***`; nil for what came without.
    public let url: String?

    init(_ cause: Cause, url: WebURL?) {
        self.cause = cause
        self.url = url == .aboutBlank ? nil : url?.description
    }

    /// What happened, as a stable word such as "network.timeout".
    public var code: String {
        switch cause {
        case .fetch(let error): error.code.rawValue
        case .file(let error): error.code.rawValue
        case .dataURL: "url.data"
        case .parsing(let error): error.code.rawValue
        }
    }

    /// Foundation's number for it (`NSURLErrorDomain`), nil where it has none.
    public var nsURLErrorCode: Int? {
        switch cause {
        case .fetch(let error): error.code.nsURLErrorCode
        case .file(let error): error.code.nsURLErrorCode
        case .dataURL: -1000
        case .parsing(let error): error.code.nsURLErrorCode
        }
    }

    /// What happened, in words and figures, for people; without the URL.
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
    /// The URL, what happened, and the code.
    public var description: String {
        "\(url.map { "\($0): " } ?? "")\(message) (\(code))"
    }
}
