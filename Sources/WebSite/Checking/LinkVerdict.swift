import WebStandards

/// Judges a link by the result of its target, without access to a clock, a database or the network.
enum LinkVerdict {
    /// Returns the result for a link, and the reason.
    ///
    /// - Parameters:
    ///   - answer: The result for its target.
    ///   - fragment: The result for its fragment.
    /// - Returns: The result, and the code if it is not ``CheckedLink/Result/ok``.
    static func judge(
        _ answer: TargetAnswer,
        fragment: CheckedLink.FragmentResult?
    ) -> (result: CheckedLink.Result, code: String?) {
        if let skipped = answer.skipped { return (.skipped, skipped) }
        if let failure = answer.failure { return (result(ofFailure: failure), failure) }
        if let status = answer.status {
            let result = result(of: status, isPutOff: answer.isPutOff)
            if result != .ok { return (result, "http.\(status)") }
        }
        return fragment == .missing ? (.broken, "fragment.missing") : (.ok, nil)
    }

    /// Whether a status means that the target exists; a target without a status, such as a file, exists unless there is
    /// a failure.
    static func isSuccess(_ status: Int?) -> Bool {
        guard let status else { return true }
        return 200..<300 ~= status || status == 300
    }

    /// Returns the result for a status.
    ///
    /// Statuses by which servers keep out or delay programs or strangers do not mean that people cannot reach the page.
    static func result(of status: Int, isPutOff: Bool = false) -> CheckedLink.Result {
        switch status {
        case 401, 403, 407, 408, 425, 429, 451: .unknown
        case 400..<500: .broken
        case 503 where isPutOff: .unknown
        case 500..<600: .broken
        default: isSuccess(status) ? .ok : .unknown
        }
    }

    /// Returns the result for the code of a failure.
    static func result(ofFailure code: String) -> CheckedLink.Result {
        switch code {
        case "network.dns", "network.connect", "network.lost", "network.protocol", "network.redirect",
            "network.decoding", "redirect.loop", "url.invalid", "url.data", "file.not-found",
            "file.directory",
            "file.path", "archive.miss":
            .broken
        default: code == "network.tls" || code.hasPrefix("network.tls.") ? .broken : .unknown
        }
    }

    /// Whether a failure of HEAD may be specific to HEAD: the host was reached, but did not answer correctly.
    static func mayBeOfMethod(_ code: String) -> Bool {
        switch code {
        case "network.lost", "network.timeout", "network.timeout.total", "network.protocol",
            "network.decoding",
            "limit.headers", "limit.fields", "limit.interim":
            true
        default: false
        }
    }
}
