import WebLoader

/// What is said on stderr besides errors.
enum Diagnostics {
    /// Warnings of a page, unless `--silent`; with `--verbose`, what the cache did too.
    static func report(_ page: Page, _ options: LoadingOptions) {
        guard !options.isSilent else { return }
        for warning in page.warnings { warn(warning) }
        report(page.response, options)
    }

    /// Warnings of a response, unless `--silent`.
    static func report(_ response: WebResponse, _ options: LoadingOptions) {
        guard !options.isSilent else { return }
        if let failure = response.cacheVerdict?.failure { warn("not cached: \(failure)") }
        guard options.isVerbose else { return }
        for redirect in response.redirects { note("\(redirect.status) \(redirect.url)") }
        note("\(response.status.map { "\($0) " } ?? "")\(response.url) from the \(response.source.rawValue)")
        if let verdict = response.cacheVerdict {
            note("cache \(verdict.outcome.rawValue): \(verdict.explanation) (\(verdict.reason))")
            if let damage = verdict.damage { note("damaged entry: \(damage)") }
        }
    }

    /// With `--fail`, an HTTP error status is an error.
    static func checkStatus(_ response: WebResponse, _ options: LoadingOptions) throws(Failure) {
        guard options.failsOnHTTPError, let status = response.status, status >= 400 else { return }
        throw Failure(
            subject: response.url.description,
            "HTTP status \(status)",
            code: "http.status",
            status: .httpStatus
        )
    }

    private static func warn(_ text: String) {
        Output.message("webinspect: warning: \(TerminalText.visible(text))")
    }

    private static func note(_ text: String) {
        Output.message("* \(TerminalText.visible(text))")
    }
}
