import WebLoader

/// The JSON Schema of what `webinspect SOURCE --json` writes.
///
/// docs/report.schema.json is the same. Each section says beside this file what it holds; nothing is made of it before
/// somebody asks for the schema.
///
/// [JSON Schema, draft 2020-12](https://json-schema.org/draft/2020-12/json-schema-core)
enum ReportSchema {
    /// What stands in the report in several places, or has a name of its own; the raw value is its name in `$defs`.
    enum Shape: String, CaseIterable {
        case line, column, heading, link, table, timing, redirect, headers, cache
        case parseError = "parse_error"
        case limit, finding
        case outline, image
        case imageCandidate = "image_candidate"
        case imageFile = "image_file"
        case form
        case formField = "form_field"
        case formSubmission = "form_submission"
        case script, style, frame, comment, resources
        case response, tls, caching, security
        case contentSecurityPolicy = "content_security_policy"
        case cookie
        case metadata
        case metadataText = "metadata_text"
        case metadataDate = "metadata_date"
        case metadataLink = "metadata_link"
        case robotsRule = "robots_rule"
        case themeColor = "theme_color"
        case structuredData = "structured_data"
        case jsonLDBlock = "json_ld_block"
        case microdataItem = "microdata_item"
        case rdfaNode = "rdfa_node"
        case metaProperty = "meta_property"
        case openGraphMedia = "open_graph_media"
        case dublinCoreStatement = "dublin_core_statement"
        case microformat

        var schema: ValueSchema {
            switch self {
            case .line: .integer(from: 1).described("The line, from 1, where it begins in the page's source.")
            case .column:
                .integer(from: 1).described("The column, from 1, in Unicode scalar values, where it begins.")
            case .heading: Heading.schema
            case .link: Link.schema
            case .table: TableSummary.schema
            case .timing: LoadTiming.schema
            case .redirect: ResponseReport.redirectSchema
            case .headers: ResponseReport.headersSchema
            case .cache: ResponseReport.cacheSchema
            case .parseError: ParseError.schema
            case .limit: ReachedLimit.schema
            case .finding: Finding.schema
            case .outline: Outline.schema
            case .image: PageImage.schema
            case .imageCandidate: PageImage.Candidate.schema
            case .imageFile: ImageHeader.schema
            case .form: Form.schema
            case .formField: FormField.schema
            case .formSubmission: FormSubmission.schema
            case .script: PageScript.schema
            case .style: PageStylesheet.schema
            case .frame: PageFrame.schema
            case .comment: PageComment.schema
            case .resources: PageResources.schema
            case .response: ResponseSection.schema
            case .tls: TLSInformation.schema
            case .caching: ResponseCaching.schema
            case .security: SecurityFields.schema
            case .contentSecurityPolicy: ContentSecurityPolicy.schema
            case .cookie: SetCookie.schema
            case .metadata: PageMetadata.schema
            case .metadataText: MetadataText.schema
            case .metadataDate: MetadataDate.schema
            case .metadataLink: MetadataLink.schema
            case .robotsRule: RobotsRule.schema
            case .themeColor: ThemeColor.schema
            case .structuredData: StructuredData.schema
            case .jsonLDBlock: JSONLDBlock.schema
            case .microdataItem: MicrodataItem.schema
            case .rdfaNode: RDFaNode.schema
            case .metaProperty: MetaProperty.schema
            case .openGraphMedia: OpenGraph.Media.schema
            case .dublinCoreStatement: DublinCoreStatement.schema
            case .microformat: MicroformatItem.schema
            }
        }
    }

    /// The schema as a document, for people too: names in the order in which they are said.
    static var document: [UInt8] {
        guard case .object(let report) = Self.report.json else { return [] }
        let head: [JSONValue.Member] = [
            .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
            .init("title", "webinspect report"),
        ]
        let shapes = Shape.allCases.map { JSONValue.Member($0.rawValue, $0.schema.json) }
        let document = JSONValue.object(head + report + [.init("$defs", .object(shapes))])
        return Array("\(document.indented(columns: 120))\n".utf8)
    }
}
