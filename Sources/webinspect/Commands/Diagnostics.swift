import WebLoader

/// Messages on stderr besides errors.
enum Diagnostics {
    /// Warnings of a page, unless `--silent`; with `--verbose`, also the actions of the cache.
    static func report(_ page: ParsedPage, _ options: LoadingOptions) {
        if options.explains { explain(page, options) }
        guard !options.isSilent else { return }
        for warning in page.warnings { warn(warning) }
        for limit in (page.limits + page.inspectionLimits).dropFirst() {
            warn("\(limit.message) (\(limit.code.rawValue))")
        }
        reportWarnings(page.response, options)
    }

    /// Warnings of a response, unless `--silent`.
    static func report(_ response: WebResponse, _ options: LoadingOptions) {
        if options.explains { explain(response) }
        reportWarnings(response, options)
    }

    private static func reportWarnings(_ response: WebResponse, _ options: LoadingOptions) {
        guard !options.isSilent else { return }
        if let failure = response.cacheVerdict?.failure { warn("not stored in the cache: \(failure)") }
        if let verdict = response.cacheVerdict,
            verdict.reason == "disconnected" || verdict.reason == "stale-if-error"
        {
            warn("stale, \(verdict.age ?? 0) s old: \(verdict.explanation)")
        }
        if let verdict = response.cacheVerdict, verdict.outcome == .hit, verdict.reason == "presumed-fresh" {
            let url = TerminalText.visible(response.url.withoutCredentials.href)
            let age = Wording.age(verdict.age ?? 0)
            Output.message(
                "webinspect: \(url): presumed fresh: \(age) old, no expiry given; see --revalidate"
            )
        }
        guard options.isVerbose else { return }
        for redirect in response.redirects {
            note("\(redirect.status.code) \(redirect.url) from the \(redirect.source.rawValue)")
        }
        note(
            "\(response.status.map { "\($0.code) " } ?? "")\(response.url) from the \(response.source.rawValue)"
        )
        if let verdict = response.cacheVerdict {
            note("cache \(verdict.outcome.rawValue): \(verdict.explanation) (\(verdict.reason))")
            if let damage = verdict.damage { note("damaged entry: \(damage)") }
        }
        if let size = response.transferSize {
            note(
                "\(size.headers) bytes of head and \(size.body) of body on the wire, \(size.decodedBody) decoded"
            )
        }
        let timing = response.timing
        let phases = [
            ("name lookup", timing.nameLookup), ("connect", timing.connect), ("TLS", timing.tls),
            ("first byte", timing.firstByte), ("total", timing.total),
        ].compactMap { name, time in time.map { "\(name) \(TerminalText.milliseconds($0))" } }
        if !phases.isEmpty { note("done after: \(phases.joined(separator: ", "))") }
        if response.retries > 0 { note("retried \(response.retries) times") }
    }

    // MARK: - Why

    /// Explains why the response came from the cache or the network.
    private static func explain(_ response: WebResponse) {
        if let capture = response.capture { return explain(capture) }
        guard let verdict = response.cacheVerdict else {
            return note("from the \(response.source.rawValue): no cache was used")
        }
        note(
            "from the \(response.source.rawValue): \(verdict.outcome.rawValue), \(verdict.explanation) (\(verdict.reason))"
        )
    }

    /// Explains which capture of an archive it is.
    private static func explain(_ capture: WebResponse.Capture) {
        var place = "from the archive \(capture.archive)"
        if let part = capture.part { place += ", file \(part)" }
        if let offset = capture.offset { place += ", offset \(offset)" }
        if let date = capture.date { place += ", captured \(date.text)" }
        if let id = capture.recordID { place += ", record \(id)" }
        note(capture.isRevisit ? "\(place): a revisit, whose body another record has" : place)
    }

    /// Explains the page's type, encoding and base URL.
    private static func explain(_ page: ParsedPage, _ options: LoadingOptions) {
        explain(page.response)
        let type = page.mediaType.essence
        if options.mimeType != nil {
            note("type \(type): set by --mime")
        } else if page.response.source == .file {
            note("type \(type): from the name of the file, or its bytes")
        } else if let field = page.response.contentType {
            let isSame = field.essence == type
            note(
                "type \(type): \(isSame ? "from Content-Type" : "from the bytes, where Content-Type is \(field.essence)")"
            )
        } else {
            note("type \(type): from the bytes; there is no Content-Type")
        }
        if let encoding = page.encoding {
            let who =
                switch encoding.source {
                case .byteOrderMark: "from a byte order mark"
                case .transport:
                    options.encoding == nil ? "from the charset of Content-Type" : "set by --encoding"
                case .meta: "from a meta element"
                case .xmlDeclaration: "from the XML declaration"
                case .fallback: "not declared; this is the default"
                case .text: "given as text"
                }
            note("encoding \(encoding.encoding.name): \(who)")
        }
        let base = page.baseURL
        let who =
            base == page.response.url
            ? "the page's own"
            : options.baseURL.flatMap { try? WebURL($0) } == base ? "--base-url's" : "a base element's"
        note("base URL \(base): \(who)")
    }

    /// Throws after the output is written for an HTTP error status with `--fail`, or for a limit that was
    /// reached.
    static func check(_ page: ParsedPage, _ options: LoadingOptions) throws(Failure) {
        try checkStatus(page.response, options)
        if let failure = limitFailure(of: page) { throw failure }
    }

    /// The first limit that a page has reached, as a failure that its results say already.
    static func limitFailure(of page: ParsedPage) -> Failure? {
        guard let limit = (page.limits + page.inspectionLimits).first else { return nil }
        return Failure(
            subject: page.response.url.description,
            limit.message,
            code: limit.code.rawValue,
            status: .limit,
            isReported: true
        )
    }

    /// With `--fail`, an HTTP error status is an error.
    static func checkStatus(_ response: WebResponse, _ options: LoadingOptions) throws(Failure) {
        guard options.failsOnHTTPError, let status = response.status?.code, status >= 400 else { return }
        throw Failure(
            subject: response.url.description,
            "HTTP status \(status)",
            code: "http.status",
            status: .httpStatus,
            isReported: true
        )
    }

    static func warn(_ text: String) {
        Output.message("webinspect: warning: \(TerminalText.visible(text))")
    }

    /// Writes a line of the fetcher's log, marked as in curl.
    static func log(_ line: FetchLogLine) {
        let mark =
            switch line.kind {
            case .information: "*"
            case .sent: ">"
            case .received: "<"
            }
        Output.message("\(mark) \(TerminalText.visible(line.text))")
    }

    static func note(_ text: String) {
        Output.message("* \(TerminalText.visible(text))")
    }
}
