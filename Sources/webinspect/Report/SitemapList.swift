import WebLoader
import WebSite

/// The output of `webinspect sitemap`, entry by entry.
///
/// docs/sites.md describes it to users.
struct SitemapList {
    enum Form {
        /// One URL a line.
        case text
        /// One object a line.
        case jsonl
        /// One document.
        case json
    }

    private let form: Form
    private let output: SiteOutput
    private let options: LoadingOptions
    private let maximumCount: Int

    private var document = JSONObjectWriter()
    private var count = 0
    private var faults: [JSONValue] = []
    private var warningCount = 0
    private var isLimited = false
    /// The status of the first sitemap that could not be read.
    private var failure: ExitStatus?
    /// A sitemap that could not be loaded, as long as nothing else was found.
    private var only: Failure?

    /// The warnings that are shown; more are counted.
    private static let maximumWarningCount = 1000

    init(form: Form, output: SiteOutput, options: LoadingOptions, maximumCount: Int?) {
        self.form = form
        self.output = output
        self.options = options
        self.maximumCount = maximumCount ?? .largestBounded
        if form == .json { document.beginArray("entries") }
    }

    /// Adds what was found; false if no more is wanted.
    mutating func add(_ found: SitemapEntries.Element) throws(Failure) -> Bool {
        if let only { warn(only) }
        only = nil
        switch found {
        case .entry(let entry, let sitemap):
            guard count < maximumCount else {
                isLimited = true
                warn(
                    nil,
                    "more than \(maximumCount) URLs; the rest is left out; see --max-urls",
                    "sitemap.limit"
                )
                return false
            }
            count += 1
            try write(entry, sitemap)
        case .fault(let fault, let sitemap):
            if fault.code == .limit { isLimited = true }
            if fault.code == .kind { failure = failure ?? .content }
            if fault.code == .status, options.failsOnHTTPError { failure = failure ?? .httpStatus }
            let place = fault.line.map { "\(sitemap):\($0)" } ?? sitemap.description
            keep(fault.code.rawValue, fault.message, sitemap, fault.line)
            warn(place, fault.message, fault.code.rawValue)
        case .failure(let error, let sitemap):
            let failed = Failure(error, source: sitemap.description)
            failure = failure ?? failed.status
            keep(failed.code, failed.message, sitemap, nil)
            if count == 0, warningCount == 0 { only = failed } else { warn(failed) }
        }
        return true
    }

    /// Writes the rest.
    ///
    /// - Returns: The status of the command.
    /// - Throws: ``Failure``, also if there was but one sitemap, and it could not be loaded.
    mutating func finish() throws(Failure) -> ExitStatus {
        if let only { throw only }
        if warningCount > Self.maximumWarningCount, !options.isSilent {
            let rest = warningCount - Self.maximumWarningCount
            Output.message("webinspect: warning: \(rest) more warnings are not shown")
        }
        if form == .json {
            document.endArray()
            document.add("faults", .array(faults))
            try output.add(document.takeBytes())
            try output.add(Array("}\n".utf8))
        }
        try output.finish()
        if let failure { return failure }
        return isLimited ? .limit : count == 0 ? .no : .done
    }

    private mutating func write(_ entry: SitemapEntry, _ sitemap: WebURL) throws(Failure) {
        switch form {
        case .text: try output.add(Array("\(TerminalText.visible(entry.location.description))\n".utf8))
        case .jsonl: try output.add(Self.json(entry, sitemap).lineInOrder)
        case .json:
            document.addItem(Self.json(entry, sitemap))
            try output.add(document.takeBytes())
        }
    }

    private static func json(_ entry: SitemapEntry, _ sitemap: WebURL) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("url", .string(entry.location.description)),
            .init("lastmod", JSONValue(entry.lastModified?.text)),
            .init("changefreq", JSONValue(entry.changeFrequency?.rawValue)),
            .init("priority", entry.priority.map { .number($0) } ?? .null),
            .init("sitemap", .string(sitemap.description)),
            .init("line", JSONValue(entry.line)),
        ]
        if !entry.alternates.isEmpty {
            let alternates = entry.alternates.map { alternate -> JSONValue in
                ["language": JSONValue(alternate.language), "url": .string(alternate.location.description)]
            }
            members.append(.init("alternates", .array(alternates)))
        }
        if !entry.images.isEmpty {
            members.append(.init("images", .array(entry.images.map { .string($0.description) })))
        }
        return .object(members)
    }

    // MARK: - Faults

    /// Keeps a fault for the document.
    private mutating func keep(_ code: String, _ message: String, _ sitemap: WebURL, _ line: Int?) {
        guard form == .json, faults.count < Self.maximumWarningCount else { return }
        faults.append([
            "code": .string(code), "sitemap": .string(sitemap.description), "line": JSONValue(line),
            "message": .string(message),
        ])
    }

    private mutating func warn(_ failure: Failure) { warn(failure.subject, failure.message, failure.code) }

    private mutating func warn(_ place: String?, _ message: String, _ code: String) {
        warningCount += 1
        guard !options.isSilent, warningCount <= Self.maximumWarningCount else { return }
        Output.message(
            "webinspect: warning: \(TerminalText.visible(place.map { "\($0): \(message)" } ?? message)) (\(code))"
        )
    }
}
