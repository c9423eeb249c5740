import WebStandards

/// Judges what came of a link's target: touches no clock, no database and no network.
enum LinkVerdict {
    /// The result for a link, and why.
    ///
    /// - Parameters:
    ///   - answer: What is known of its target.
    ///   - fragment: What is known of its fragment.
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

    /// Whether a status says that what was asked for is there; what has none, as a file, is there if there is no failure.
    static func isSuccess(_ status: Int?) -> Bool {
        guard let status else { return true }
        return 200..<300 ~= status || status == 300
    }

    /// What a status says of a link.
    ///
    /// Statuses by which servers keep programs or strangers out, or put them off, say nothing of whether people get there.
    static func result(of status: Int, isPutOff: Bool = false) -> CheckedLink.Result {
        switch status {
        case 401, 403, 407, 408, 425, 429, 451: .unknown
        case 400..<500: .broken
        case 503 where isPutOff: .unknown
        case 500..<600: .broken
        default: isSuccess(status) ? .ok : .unknown
        }
    }

    /// What a failure says of a link, by its code.
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

    /// Whether a failure of HEAD may be one of HEAD alone: the host is there, and did not answer as it should.
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
