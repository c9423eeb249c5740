import WebLoader

/// An error that ends a command: one line on stderr, and with `--json` an object on stdout.
struct Failure: Error {
    /// The subject of the error: a URL, a file, a flag.
    let subject: String
    let message: String
    let code: String
    let nsURLErrorCode: Int?
    /// The status of the response that HTTP requires of a cache in this case; usually `nil`.
    var httpStatus: Int?
    let status: ExitStatus

    /// Whether the report says it already, so that no object of its own follows.
    var isReported = false

    init(_ error: LoadError, source: String) {
        subject = Source.redacted(error.url ?? source)
        message = error.message + (Self.advice(error).map { "; \($0)" } ?? "")
        code = error.code.rawValue
        nsURLErrorCode = error.nsURLErrorCode
        status = ExitStatus(error.code)
        httpStatus = (error.cause as? FetchError)?.generatedStatus?.code
    }

    /// Returns advice about flags that may help; `nil` if there is none.
    private static func advice(_ error: LoadError) -> String? {
        switch error.code {
        case "limit.size": "see --max-filesize"
        case "network.timeout": "see --timeout"
        case "network.timeout.connect": "see --connect-timeout"
        case "network.timeout.total": "see --max-time"
        case "network.too-many-redirects" where (error.cause as? FetchError)?.setsCookies == true:
            "they set cookies; see -c"
        case let code where code.rawValue.hasPrefix("network.tls.certificate"): "see --cacert, and -k"
        default: nil
        }
    }

    init(_ error: ParsingError, source: String) {
        subject = Source.redacted(source)
        message = error.message
        code = error.code.rawValue
        nsURLErrorCode = error.code.nsURLErrorCode
        status = ExitStatus(error.code)
    }

    init(usage subject: String, _ message: String, code: String = "usage", nsURLErrorCode: Int? = nil) {
        self.subject = Source.redacted(subject)
        self.message = message
        self.code = code
        self.nsURLErrorCode = nsURLErrorCode
        status = .usage
    }

    init(subject: String, _ message: String, code: String, status: ExitStatus, isReported: Bool = false) {
        self.isReported = isReported
        self.subject = Source.redacted(subject)
        self.message = message
        self.code = code
        nsURLErrorCode = nil
        self.status = status
    }

    /// The same about a flag, where it says only what is wrong with its value.
    func naming(_ flag: String, _ value: String) -> Failure {
        guard status == .usage, subject == Source.redacted(value) else { return self }
        return Failure(usage: "\(flag) \(value)", message, code: code, nsURLErrorCode: nsURLErrorCode)
    }

    /// The same with the place where the flag is set that it is about, if that is not on the line.
    func naming(_ origins: [String: String]) -> Failure {
        guard status == .usage else { return self }
        let words = "\(subject) \(message)".split { " '\"=;,".contains($0) }
        guard let place = words.lazy.compactMap({ origins[String($0)] }).first else { return self }
        return Failure(
            usage: subject,
            "\(message); it is set by \(place)",
            code: code,
            nsURLErrorCode: nsURLErrorCode
        )
    }

    /// As in "webinspect: http://h/: no byte for 60 s (network.timeout)".
    var line: String {
        "webinspect: \(TerminalText.visible(subject)): \(TerminalText.visible(message)) (\(code))"
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("code", .string(code)), .init("message", .string(message)),
            .init("subject", .string(subject)),
        ]
        if let nsURLErrorCode { members.append(.init("nsURLErrorCode", .integer(Int64(nsURLErrorCode)))) }
        guard let httpStatus else { return ["error": .object(members)] }
        return ["error": .object(members), "status": .integer(Int64(httpStatus))]
    }
}
