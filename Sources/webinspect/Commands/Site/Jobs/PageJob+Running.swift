import WebLoader

/// The result of a job on a page.
struct JobResult: Sendable {
    /// JSON: what the command writes with `--json`, or an object with an error.
    let json: [UInt8]
    /// The error, which is in the result too.
    let failure: Failure?

    init(_ json: [UInt8], _ failure: Failure? = nil) {
        self.json = json
        self.failure = failure
    }

    /// Creates the result of a job that failed.
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
    ///   - page: The page, from which nothing has been gathered: a job has the same limits as its command.
    ///   - source: The name of the page.
    ///   - base: The value of `--base-url`.
    /// - Returns: The result; `nil` for a job of a worker.
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
    /// The error that ended the run or prevented it; `nil` if there was none.
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
