import HTTPTypes
import WebLoader
import WebRendering

/// The options of a loading command, whichever parser has read them.
struct LoadingOptions: Equatable {
    var json = false
    var policies: [CachePolicy] = []
    var storesResponse = true
    /// Whether what states no lifetime may be used without asking the server.
    var acceptsPresumedFreshness = true
    var keepsForOfflineUse = false
    var keepsHistory = false
    var cacheDirectory: String?
    var headers: [String] = []
    var userAgent: String?
    var timeout: Double?
    var connectTimeout: Double?
    var maximumTime: Double?
    var maximumFileSize: Int?
    var maximumRedirects: Int?
    var followsRedirects = true
    var failsOnHTTPError = false
    var output: String?
    var isSilent = false
    var isVerbose = false
    /// Whether the bytes that arrive are counted for ``SiteProgressJSON``.
    var countsBytes = false
    var connection = ConnectionOptions()
    var baseURL: String?
    var mimeType: String?
    var encoding: String?
    var parser = HTMLParserKind.html5
    var maximumDepth: Int?
    var maximumNodes: Int?
    var maximumTreeMemory: Int?
    var reportsParseErrors = false
    var coloring = Terminal.Coloring.auto
    /// Whether to explain decisions on stderr (`--explain`).
    var explains = false
    /// Whether and how the scripts of pages are run (`--render`).
    var rendering = RenderingChoice()
    /// The archives to load from (`--from`), in place of the network and the cache.
    var archives: [String] = []
    /// The date of the copy to take (`--at`).
    var archiveDate: Timestamp?
    /// The dates of both copies that `diff` compares (`--at`, twice).
    var dates: [Timestamp] = []
    /// The WARC that is written (`--record`).
    var record: String?
    /// Whether each page of the archives is taken (`--all`).
    var takesAllPages = false
    /// Whether each page is a line of JSON (`--jsonl`).
    var writesPageLines = false

    /// Whether pages are written as JSON documents.
    var writesDocuments: Bool { json || writesPageLines }

    /// Seconds that a command waits, after its output, for the cache's background work.
    static let backgroundTime = Duration.seconds(5)

    /// Parses seconds, as in "5", "0.5", "5s" and "500ms".
    static func seconds(_ text: String) throws(Failure) -> Double {
        let isThousandths = text.hasSuffix("ms")
        let digits = isThousandths ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast() : text[...]
        guard let value = Double(digits), value >= 0, value.isFinite else {
            throw Failure(usage: text, "not a number of seconds")
        }
        return (isThousandths ? value / 1000 : value).boundedSeconds
    }

    /// Parses bytes, as in "1000000", "64K", "10MB" and "1G" (powers of 1024, as in curl).
    static func size(_ text: String) throws(Failure) -> Int {
        var digits = text.uppercased()[...]
        if digits.hasSuffix("B") { digits = digits.dropLast() }
        var factor = 1
        if let unit = "KMGT".firstIndex(of: digits.last ?? " ") {
            digits = digits.dropLast()
            factor = 1 << (10 &* ("KMGT".distance(from: "KMGT".startIndex, to: unit) + 1))
        }
        guard let size = Int(inBounds: digits).map({ $0 *| factor }), 0...Int.largestBounded ~= size else {
            throw Failure(usage: text, "not a number of bytes")
        }
        return size
    }

    /// Parses bytes of a flag, which an error names.
    static func size(_ text: String, of flag: String) throws(Failure) -> Int {
        do throws(Failure) {
            return try size(text)
        } catch {
            throw error.naming(flag, text)
        }
    }

    /// Parses a count, at least 1.
    static func count(_ flag: String, _ text: String, least: Int = 1) throws(Failure) -> Int {
        guard let count = Int(inBounds: text), count >= least else {
            throw Failure(usage: "\(flag) \(text)", "not a whole number from \(least)")
        }
        return count
    }

    /// When to colour, by its name.
    static func coloring(_ name: String) throws(Failure) -> Terminal.Coloring {
        guard let coloring = Terminal.Coloring(rawValue: name) else {
            throw Failure(
                usage: "--color \(name)",
                "not one of \(Terminal.Coloring.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return coloring
    }

    /// The terminal that text for people is written to.
    var terminal: Terminal {
        if output == nil || output == "-" { return .at(1, coloring) }
        return Terminal(width: nil, isColored: coloring == .always)
    }

    /// A cache policy by its name.
    static func policy(_ name: String) throws(Failure) -> CachePolicy {
        guard let policy = CachePolicy(name: name) else {
            throw Failure(
                usage: "--policy \(name)",
                "not one of \(CachePolicy.allCases.map(\.name).joined(separator: ", "))"
            )
        }
        return policy
    }

    /// A parser by its name.
    static func parser(_ name: String) throws(Failure) -> HTMLParserKind {
        guard let parser = HTMLParserKind(rawValue: name) else {
            throw Failure(
                usage: "--parser \(name)",
                "not one of \(HTMLParserKind.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return parser
    }

    /// The cache policy of the flags.
    func policy() throws(Failure) -> CachePolicy {
        guard policies.count <= 1 else {
            throw Failure(
                usage: "cache flags",
                "only one of --cache-only, --prefer-cache, --refresh, --revalidate and --policy can be given"
            )
        }
        if !archives.isEmpty || archiveDate != nil {
            guard policies.allSatisfy({ $0 == .returnCacheDataDontLoad }) else {
                throw Failure(
                    usage: archives.isEmpty ? "--at" : "--from",
                    "not together with a flag that asks the network"
                )
            }
            return .returnCacheDataDontLoad
        }
        return policies.first ?? (record == nil ? .useProtocolCachePolicy : .reloadIgnoringLocalCacheData)
    }

    /// A loader with the flags' options.
    ///
    /// A command does one thing, so it does it on its own thread.
    func loader(pagesPerWorker: Int = 1) throws(Failure) -> PageLoader {
        PageLoader(configuration: try configuration(pagesPerWorker: pagesPerWorker))
    }

    /// The configuration of such a loader.
    func configuration(pagesPerWorker: Int = 1) throws(Failure) -> PageLoader.Configuration {
        var configuration = PageLoader.Configuration()
        configuration.workers.pagesPerWorker = pagesPerWorker
        configuration.blockingWork = .inline
        configuration.htmlParser = parser
        configuration.cacheDirectory =
            cacheFolder ?? cacheDirectory ?? CacheDirectory.standard(named: "webinspect")
        if let connectTimeout {
            configuration.limits.connectTimeout = Duration(boundedSeconds: connectTimeout)
        }
        if let maximumTime { configuration.limits.maximumSeconds = maximumTime }
        if let maximumFileSize { configuration.limits.maximumBodySize = maximumFileSize }
        if let maximumDepth { configuration.limits.maximumDepth = maximumDepth }
        if let maximumNodes { configuration.limits.maximumNodes = maximumNodes }
        if let maximumTreeMemory { configuration.limits.maximumTreeMemory = maximumTreeMemory }
        configuration.reportsParseErrors = reportsParseErrors
        if rendering.isWanted { configuration.renderer = ChromiumRenderer(options: rendering.options) }
        // Which format a pipe has is seen from its first bytes.
        configuration.archives = try WaitLimit(seconds: maximumTime ?? configuration.limits.maximumSeconds)
            .limit { () throws(Failure) in try openArchives() }
        configuration.archiveDate = archiveDate
        configuration.keepsHistory = keepsHistory
        configuration.archiveWriter = try archiveWriter()
        if let maximumRedirects { configuration.limits.maximumRedirects = maximumRedirects }
        var log: (@Sendable (FetchLogLine) -> Void)?
        if isVerbose, !isSilent { log = { line in Diagnostics.log(line) } }
        // With a log, progress is already visible; otherwise a progress bar is drawn on a terminal.
        var progress: (@Sendable (FetchProgress) -> Void)?
        if countsBytes {
            progress = { SiteProgressJSON.add($0) }
        } else if log == nil, !isSilent, connection.maximumConnections == nil, ProgressLine.isWanted {
            progress = { ProgressLine.add($0) }
        }
        try connection.set(&configuration, log: log, progress: progress)
        return configuration
    }

    /// A request with the flags' options.
    func request(for url: WebURL) throws(Failure) -> WebRequest {
        var request = WebRequest(url: url, cachePolicy: try policy())
        if keepsForOfflineUse, !storesResponse {
            throw Failure(usage: keepsHistory ? "--keep-history" : "--keep", "not together with --no-store")
        }
        request.storesResponse = storesResponse
        request.acceptsPresumedFreshness = acceptsPresumedFreshness
        request.keepsForOfflineUse = keepsForOfflineUse
        request.followsRedirects = followsRedirects
        if let timeout { request.timeoutInterval = Duration(boundedSeconds: timeout) }
        if let userAgent {
            guard HTTPField.isValidValue(userAgent) else {
                throw Failure(usage: "-A", "it has a character that is not allowed in a field")
            }
            request.headerFields[.userAgent] = userAgent
        }
        for header in headers { try add(header, to: &request) }
        try connection.set(&request)
        return request
    }

    /// Adds "Name: value"; "Name:" removes a default field, "Name: " and "Name;" send it empty.
    private func add(_ header: String, to request: inout WebRequest) throws(Failure) {
        let separator = header.firstIndex { $0 == ":" || $0 == ";" }
        guard let separator, let name = HTTPField.Name(String(header[..<separator])) else {
            throw Failure(usage: "-H \(header)", "not a field, as in \"Name: value\"")
        }
        let rest = header[header.index(after: separator)...]
        if header[separator] == ";" {
            guard rest.isEmpty else {
                throw Failure(usage: "-H \(header)", "unexpected text after \"Name;\"")
            }
        } else if rest.isEmpty {
            request.omittedFields.insert(name)
            return
        }
        let value = String(rest.drop { $0 == " " || $0 == "\t" })
        guard HTTPField.isValidValue(value) else {
            throw Failure(
                usage: "-H \(name.rawName)",
                "the value has a character that is not allowed in a field"
            )
        }
        request.headerFields.append(received: HTTPField(name: name, value: value))
    }

    /// The overrides of the flags for the content.
    func overrides() throws(Failure) -> ContentOverrides {
        if let encoding, TextEncoding(label: encoding) == nil {
            throw Failure(usage: "--encoding \(encoding)", "not an encoding of the Encoding standard")
        }
        if let mimeType, MediaType(mimeType) == nil {
            throw Failure(usage: "--mime \(mimeType)", "not a MIME type, as in \"text/html\"")
        }
        var base: WebURL?
        if let baseURL {
            do throws(WebURLError) {
                base = try WebURL(baseURL)
            } catch {
                throw Failure(
                    usage: "--base-url \(Source.redacted(baseURL))",
                    "not a URL: \(error)",
                    code: "url.invalid",
                    nsURLErrorCode: -1000
                )
            }
        }
        return ContentOverrides(mimeType: mimeType, textEncodingName: encoding, baseURL: base)
    }
}
