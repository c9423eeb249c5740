import WebLoader

/// The command's exit statuses.
///
/// docs/exit-codes.md says them to users.
enum ExitStatus: Int32 {
    case done = 0
    /// Done, and the answer is no.
    case no = 1
    /// A bad flag, selector, recipe or URL.
    case usage = 2
    /// A network or TLS failure, a network time-out.
    case network = 3
    /// An HTTP status of 400 or above, with `--fail`.
    case httpStatus = 4
    /// Not in the cache, with `--cache-only`.
    case cacheMiss = 5
    /// A limit of size, count or depth was hit.
    case limit = 6
    /// The content could not be decoded or parsed as asked.
    case content = 7
    /// A file could not be read or written.
    case file = 8
    /// A fault of ours.
    case fault = 70
    /// The system has too little of something: descriptors, threads.
    case scarcity = 71
    /// Interrupted.
    case interrupted = 130

    init(_ error: LoadError) {
        switch error.cause {
        case .fetch(let error): self.init(error.code)
        case .file(let error): self.init(error)
        case .dataURL: self = .usage
        case .parsing(let error): self.init(error)
        }
    }

    init(_ error: FileError) {
        switch error.code {
        case .tooLarge, .timeout: self = .limit
        case .cancelled: self = .interrupted
        case .notFound, .isDirectory, .permission, .path, .unreadable, .unwritable: self = .file
        }
    }

    init(_ error: ParsingError) {
        switch error.code {
        case .inputTooLarge, .tooManyAttributes: self = .limit
        case .cancelled: self = .interrupted
        case .outOfMemory, .malformedXML, .unsupportedType, .unknownEncoding: self = .content
        }
    }

    init(_ error: SelectorError) {
        switch error.code {
        case .invalid: self = .usage
        case .limit: self = .limit
        }
    }

    init(_ error: XPathError) {
        switch error.code {
        case .invalid: self = .usage
        case .limit: self = .limit
        }
    }

    private init(_ code: FetchError.Code) {
        switch code {
        case .cancelled: self = .interrupted
        case .refused, .invalidRequest, .unsupportedURL: self = .usage
        case .nameResolution, .connection, .addressRefused, .connectionLost, .timeout, .connectTimeout,
            .totalTimeout, .tls, .certificate, .certificateHost, .certificateExpired, .certificateNotYetValid,
            .certificateUnknownRoot, .malformedResponse, .tooManyRedirects, .unsupportedRedirect,
            .unavailable:
            self = .network
        case .contentDecoding: self = .content
        case .bodyTooLarge, .headersTooLarge, .tooManyFields, .tooManyInterimResponses: self = .limit
        case .cacheMiss: self = .cacheMiss
        }
    }
}
