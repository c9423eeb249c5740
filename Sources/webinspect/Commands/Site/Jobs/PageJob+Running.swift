import WebLoader

/// What a job makes of a page.
struct JobResult: Sendable {
    /// JSON: what the command writes with `--json`, or an object with an error.
    let json: [UInt8]
    /// What went wrong, and is in the result too.
    let failure: Failure?

    init(_ json: [UInt8], _ failure: Failure? = nil) {
        self.json = json
        self.failure = failure
    }

    /// The result of a job that has none.
    init(_ failure: Failure) {
        var object = JSONObjectWriter()
        object.add("error", failure.brief)
        json = object.written()
        self.failure = failure
    }
}

extension Failure {
    /// The code and the message, as the lines of jobs have them.
    var brief: JSONValue {
        .object([.init("code", .string(code)), .init("message", .string(message))])
    }
}

extension PageJob {
    /// Does the job on a page that is parsed.
    ///
    /// - Parameters:
    ///   - page: The page, of which nothing has been gathered: what a job may take is what its command may.
    ///   - source: What the page is called.
    ///   - base: What `--base-url` says.
    /// - Returns: The result; nil for a job of a worker.
    func result(of page: ParsedPage, source: String, base: WebURL?) -> JobResult? {
        page.shareAllowance()
        let json: [UInt8]
        var failure: Failure?
        do throws(Failure) {
            switch work {
            case .report(let options): json = options.report(page, source).serialized()
            case .metadata: json = page.metadata.document()
            case .links(let selection):
                json = LinkList(page, source: source, selection, base: base).document()
            case .text(let options): json = try TextAnswer(page, source: source, options).json.serialized()
            case .select(let options, let queries):
                let report = try SelectionReport(page, source: source, options, queries)
                json = report.document
                failure = report.failure
            case .tables(let options, let selection):
                json = try TableList(page, source: source, options, selection).document
            case .extract: return nil
            }
        } catch {
            return JobResult(error)
        }
        return JobResult(json, failure ?? Diagnostics.limitFailure(of: page))
    }

    /// The result of a recipe's evaluation.
    static func result(_ extraction: Extraction, _ options: ExtractOptions) -> JobResult {
        let report = ExtractionReport(extraction: extraction, notesProvenance: options.notesProvenance)
        // How much memory a run took depends on what its worker has done before.
        let members = report.lineMembers.filter { $0.name != "usage" }
        let json = JSONValue.object(members).serialized(sortingNames: false)
        return JobResult(json, report.failure)
    }
}

extension ExtractionReport {
    /// What ended the run, or kept it from beginning; nil if nothing did.
    ///
    /// Rules that failed are in the result alone.
    fileprivate var failure: Failure? {
        let place = "extract"
        if let exceeded = extraction.exceeded {
            let code = exceeded.code.rawValue
            return Failure(subject: place, exceeded.message, code: code, status: .limit, isReported: true)
        }
        guard let failure = extraction.failure else { return nil }
        return Failure(
            subject: place,
            failure.message,
            code: failure.code.rawValue,
            status: ExitStatus(failure.code),
            isReported: true
        )
    }
}
