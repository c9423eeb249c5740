extension StructuredData: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("structured_data", "The structured data of the page.")
        members.list("json_ld", "Blocks of JSON-LD, in document order.", \.jsonLD)
        members.list("microdata", "Items of microdata.") { MicrodataReport.items(of: $0) }
        members.list("rdfa", "Statements of RDFa, by subject.", \.rdfa)
        members.list("open_graph", "Properties of Open Graph.") { $0.openGraph.properties }
        members.list("open_graph_images", "Images of Open Graph.") { $0.openGraph.images }
        members.list("open_graph_videos", "Videos of Open Graph.") { $0.openGraph.videos }
        members.list("open_graph_audios", "Sounds of Open Graph.") { $0.openGraph.audios }
        members.list("twitter_card", "Properties of Twitter cards.", \.twitterCard)
        members.list("dublin_core", "Statements of Dublin Core.", \.dublinCore)
        members.list("microformats", "Microformats not inside others.") { MicroformatReport.items(of: $0) }
        members.flag("truncated", "Present if some were left out, because there are too many.", \.isTruncated)
    }
}

// MARK: - JSON-LD

extension JSONRepair: ReportWord {}

extension JSONLDBlock: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("json_ld_block", "A script element of JSON-LD.")
        members.include { $0.position }
        members.optional("value", "The document, as it is.", \.value)
        members.optional("failure", "Why it cannot be read; absent where it can.", \.failure)
        members.list("repairs", "What had to be repaired to read it.", \.repairs)
    }
}

extension JSONValue.ParsingError: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("message", "What is wrong, for people.", \.message)
        members.required("line", as: .integer(from: 1), "The line of the page.", \.line)
        members.required("column", as: .integer(from: 1), "The column of the page.", \.column)
    }
}

// MARK: - Properties of meta elements

extension MetaProperty: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("meta_property", "A property that a meta element states.")
        members.required("name", "The name, in lower case.", \.name)
        members.required("content", "The content.", \.content)
        members.include { $0.position }
    }
}

extension OpenGraph.Media: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("open_graph_media", "An image, a video or a sound of Open Graph.")
        members.optional("secure_url", "Its HTTPS URL, as written.") { $0.first("secure_url") }
        members.optional("type", "The MIME type, as written.") { $0.first("type") }
        members.optional("width", "The width, as written.") { $0.first("width") }
        members.optional("height", "The height, as written.") { $0.first("height") }
        members.optional("alt", "What it shows.") { $0.first("alt") }
        members.reference("The reference as it is written.", \.reference, \.url)
    }

    /// The page names them as it likes, and as often; what is said first counts.
    private func first(_ name: String) -> String? { properties.first { $0.name == name }?.content }
}

extension DublinCoreStatement: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("dublin_core_statement", "A statement of Dublin Core.")
        members.required("name", "The name as it is written.", \.name)
        members.required("term", "The IRI of the term.", \.term)
        members.optional("content", "The content of a meta element.", \.content)
        members.reference("What a link element refers to, as written.", \.reference, \.url)
        members.optional("scheme", "The scheme of the value.", \.scheme)
        members.include { $0.position }
    }
}

// MARK: - RDFa

extension RDFaNode: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("rdfa_node", "The statements of RDFa about a subject.")
        members.required("id", "The subject: an IRI, or a blank node's name.") { withoutCredentials($0.id) }
        members.required("properties", "The values of each IRI.") {
            GroupedValues($0.properties.map { ($0.name, $0.value) })
        }
    }
}

extension RDFaNode.Value: ReportValue {
    private struct Resource: ReportObject {
        let id: String

        static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
            members.required("id", "A resource: an IRI, or a blank node's name.", \.id)
        }
    }

    private struct Literal: ReportObject {
        let text: String
        let language: String?
        let datatype: String?

        static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
            members.required("text", "The text of a literal.", \.text)
            members.optional("language", "Its language.", \.language)
            members.optional("datatype", "The IRI of its type.", \.datatype)
        }
    }

    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        .either(Resource.schema(&definitions), Literal.schema(&definitions))
    }

    package func write(into output: inout JSONWriter) { output.write(reported) }

    package var reported: JSONValue {
        switch self {
        case .resource(let id): Resource(id: withoutCredentials(id)).reported
        case .literal(let text, let language, let datatype):
            Literal(text: text, language: language, datatype: datatype).reported
        }
    }
}

// MARK: - Shared parts

/// An IRI, or a name that may be one, without credentials.
func withoutCredentials(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")), let url = try? WebURL(text) else { return text }
    return url.description
}

/// An object whose names are the page's own, each with its values.
struct GroupedValues<Value: ReportValue>: ReportValue {
    private let properties: [(name: String, value: Value)]

    init(_ properties: [(name: String, value: Value)]) {
        self.properties = properties
    }

    static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        .dictionary(.array(Value.schema(&definitions)))
    }

    func write(into output: inout JSONWriter) { output.write(reported) }

    /// Names in the order in which they come up.
    var reported: JSONValue {
        var places: [String: Int] = [:]
        var groups: [(name: String, values: [JSONValue])] = []
        for (name, value) in properties {
            if let place = places[name] {
                groups[place].values.append(value.reported)
            } else {
                places[name] = groups.count
                groups.append((name, [value.reported]))
            }
        }
        return .object(groups.map { JSONValue.Member($0.name, .array($0.values)) })
    }
}
