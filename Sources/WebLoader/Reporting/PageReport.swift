/// Everything found on a page, as `webinspect SOURCE --json` writes it.
///
///     let report = PageReport(try await page.parsed(), including: .findings)
///     let bytes = report.serialized()
///
/// docs/json-report.md describes it to people, ``schema`` to programs; both hold for ``serialized()`` and for ``json``.
public struct PageReport: Sendable {
    /// The optional sections of a report.
    public struct Sections: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int

        /// Creates options from bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Where the markup departs from the standard; none unless the page was parsed so
        /// (``PageLoader/Configuration``).
        public static let parseErrors = Sections(rawValue: 1)

        /// Problems and possible improvements.
        public static let findings = Sections(rawValue: 2)

        /// The kind of content, such as an article or a list; a report takes longer with it.
        public static let content = Sections(rawValue: 4)
    }

    /// The version of the report's form; it grows when a name changes its meaning or goes.
    package static let version: Int64 = 1

    /// The page.
    public let page: ParsedPage

    /// Where the page is from, as the report says it.
    public let source: String

    /// The optional sections that the report has.
    public let sections: Sections

    /// The images; those of ``Page/measuredImages(maximumFiles:maximumBytes:)`` have what their files say.
    public var images: [PageImage]

    /// The result of loading the images and style sheets; `nil`, and absent from the report, if they were not loaded.
    public var resources: PageResources?

    /// How the page's scripts were run; nil, and not in the report, where they were not.
    public var rendering: Rendering?

    /// Problems and possible improvements, those of the page itself unless others are set; nil where they are not wanted.
    public var findings: Findings?

    package let links: [Link]
    package let inventory: PageInventory
    package let tables: [TableSummary]
    package let contentKind: ContentKind?
    package let metadata: PageMetadata
    package let structuredData: StructuredData
    package let response: PageResponseReport

    /// Gathers the data of a page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - source: The page's origin in the caller's words, which must not contain a password; `nil` for the URL of
    ///     the response.
    ///   - sections: The optional sections to include.
    /// - Complexity: O(n) in the size of the page.
    public init(_ page: ParsedPage, source: String? = nil, including sections: Sections = []) {
        self.page = page
        self.source = source ?? page.response.url.description
        self.sections = sections
        findings = sections.contains(.findings) ? page.findings : nil
        links = page.links
        inventory = page.inventory
        images = inventory.images
        response = PageResponseReport(page.response, page.securityFields)
        tables = page.tableSummaries
        // Before the metadata, which it then gathers with it.
        structuredData = page.structuredData
        metadata = page.metadata
        contentKind = sections.contains(.content) ? page.contentKind : nil
    }

    /// The report as JSON in UTF-8, on one line, the members of each object in the order of their names.
    ///
    /// - Complexity: O(n) in its length. It is written as it is gone through, so that nothing but the text is in memory
    ///   besides the page.
    public func serialized() -> [UInt8] { document() }

    /// The report as a value, members in the order in which people read them.
    ///
    /// - Complexity: O(n) in its size.
    public var json: JSONValue { reported }

    /// The [JSON Schema](https://json-schema.org/draft/2020-12/json-schema-core) of every report.
    ///
    /// docs/report.schema.json is the same.
    public static var schema: JSONValue {
        var definitions = ReportDefinitions()
        let report = schema(&definitions).described("What webinspect SOURCE --json writes about a page.")
        let head: [JSONValue.Member] = [
            .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
            .init("title", "webinspect report"),
        ]
        return .object(head + report.members + [.init("$defs", definitions.json)])
    }
}

extension PageReport: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("schema", as: .constant(.integer(version)), "The version of the report's form.") {
            _ in
            version
        }
        members.required("source", "SOURCE, as it was given.", \.source)
        members.required("url", "The URL that answered, after redirects.") { $0.page.response.url }
        members.required("status", "The HTTP status; null where it did not come over HTTP.") {
            $0.page.response.status?.code
        }
        members.required("mime_type", "The computed MIME type, with its parameters.") {
            $0.page.mediaType.description
        }
        members.required("kind", "The kind of the page.") { $0.page.kind }
        members.required("bytes", as: .count, "Bytes of the body, without its content coding.") {
            $0.page.response.body.count
        }
        members.required("base_url", "What references are resolved against.") { $0.page.baseURL }
        members.required("title", "The title; null where there is none.") { $0.page.title }
        members.required("headings", "Headings, in document order.") { $0.inventory.headings }
        members.required("links", "References, in document order.", \.links)
        members.optional("content", "With --content: what the content is.", \.contentKind)
        members.required("metadata", "Metadata of the page and its response.", \.metadata)
        members.required("structured_data", "The structured data of the page.", \.structuredData)
        members.required("tables", "What tables there are, in document order.", \.tables)
        members.required("warnings", "What was corrected while decoding and parsing, for people.") {
            $0.page.warnings
        }
        members.required("limits", "Limits that the page met while it was parsed.") {
            $0.page.limits + $0.page.inspectionLimits
        }
        members.required("truncated", "Whether something is missing because of them.") {
            $0.page.isTruncated || !$0.page.inspectionLimits.isEmpty
        }
        members.required("redirects", "The redirects, in their order.") { $0.page.response.redirects }
        members.required("timing", "How long the request took that got the response.") {
            $0.page.response.timing
        }
        members.optional("encoding", "The character encoding; absent if the page is not text.") {
            $0.page.encoding
        }
        members.optional("parse_errors", "With --parse-errors: the parse errors.") { $0.parseErrors?.errors }
        members.flag("parse_errors_truncated", "Present if there are more parse errors.") {
            $0.parseErrors?.isTruncated ?? false
        }
        members.optional("findings", "With --findings: problems and possible improvements.") {
            $0.findings?.findings
        }
        members.flag("findings_truncated", "Present if there are more findings.") {
            $0.findings?.isTruncated ?? false
        }
        members.optional("compat_mode", "The mode of an HTML page.") {
            $0.page.document?.kind == .html ? $0.page.document?.compatibilityMode : nil
        }
        members.optional("counts", "How many elements there are of a kind.", \.counts)
        members.optional("cache", "What the cache did, and why; absent if no cache was used.") {
            $0.page.response.cacheVerdict
        }
        members.required("images", "Images, in document order.", \.images)
        members.required("forms", "Forms, in document order.") { $0.inventory.forms }
        members.required("scripts", "Scripts, in document order.") { $0.inventory.scripts }
        members.required("styles", "Style sheets, in document order.") { $0.inventory.stylesheets }
        members.required("frames", "Frames, in document order.") { $0.inventory.frames }
        members.required("comments", "Comments, in document order.") { $0.inventory.comments }
        members.required("response", "The response's fields, explained.", \.response)
        members.optional("outline", "The structure, as assistive technology has it.", \.outline)
        members.optional("resources", "The result of --with-resources.", \.resources)
        members.optional("rendering", "With --render: how the page's scripts were run.", \.rendering)
    }

    /// The parse errors; nil where they are not wanted.
    package var parseErrors: ParseErrors? { sections.contains(.parseErrors) ? page.parseErrors : nil }

    /// How many elements there are of a kind; nil for a page without a tree.
    package var counts: PageCounts? { page.document == nil ? nil : inventory.counts }

    /// The structure; nil for a page without a tree.
    package var outline: Outline? { page.document == nil ? nil : inventory.outline }
}

extension ContentKind: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("kind", as: .word(Name.all.map(\.rawValue)), "What the content is.") {
            $0.name.rawValue
        }
        members.required("confidence", "How likely that is, above 0 and up to 1.") {
            ($0.confidence * 100).rounded() / 100
        }
    }
}

extension PageKind: ReportWord {}
extension Document.CompatibilityMode: ReportWord {}

extension EncodingDetection: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("name", "The Encoding standard's name.") { $0.encoding.name }
        members.required("source", as: .word(statedSources), "Where it was declared.") { $0.source.rawValue }
    }

    /// All sources but text that is already decoded, which only a program can pass.
    private static var statedSources: [String] {
        Source.allCases.filter { $0 != .text }.map(\.rawValue)
    }
}
