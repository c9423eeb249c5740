/// A statement of a page about itself, with a term of Dublin Core.
///
/// [Expressing Dublin Core metadata using HTML](https://www.dublincore.org/specifications/dublin-core/dc-html/)
public struct DublinCoreStatement: Hashable, Sendable, Codable {
    /// The name as it is written, as in "DC.title".
    public let name: String

    /// The term, as in "http://purl.org/dc/elements/1.1/title".
    public let term: String

    /// The content of a `meta` element, white space at its ends stripped; nil for a `link`.
    public let content: String?

    /// The reference of a `link`, as it is written; nil for a `meta`.
    public let reference: String?

    /// The URL that a `link` refers to; nil for a `meta`, and where the reference is not a valid URL.
    public let url: WebURL?

    /// The scheme, as in "DCTERMS.W3CDTF"; nil where it is not given.
    public let scheme: String?

    /// Where the element stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}

/// Reads statements of Dublin Core as their elements come.
struct DublinCoreReader {
    private(set) var statements: [DublinCoreStatement] = []

    /// The prefixes that `link rel="schema.PREFIX"` declares, in lower case, and the namespaces of their
    /// terms.
    private var schemas: [(prefix: String, term: String)] = [
        ("dc", "http://purl.org/dc/elements/1.1/"), ("dcterms", "http://purl.org/dc/terms/"),
    ]

    /// Reads a `meta` element with a name that may be of Dublin Core.
    mutating func read(
        meta element: TreeNode,
        _ name: String,
        _ content: String,
        _ budget: InspectionBudget
    ) {
        guard let term = term(name), budget.spend(size: 640, text: element.attributesLength + term.utf8.count)
        else {
            return
        }
        statements.append(
            DublinCoreStatement(
                name: name,
                term: term,
                content: content.trimmingASCIIWhitespace,
                reference: nil,
                url: nil,
                scheme: element.attribute("scheme"),
                position: element.sourcePosition
            )
        )
    }

    /// Reads a `link` element, which may declare a prefix or make a statement.
    mutating func read(
        link element: TreeNode,
        _ resolver: ReferenceResolver,
        _ budget: InspectionBudget
    ) {
        guard let rel = element.attribute("rel"), let reference = element.attribute("href") else { return }
        for word in rel.asciiWords
        where word.utf8.contains(UInt8(ascii: ".")) || word.utf8.contains(UInt8(ascii: ":")) {
            let lowered = String(asciiLowercasing: word.utf8)
            if lowered.hasPrefix("schema.") {
                let isKnown = reference.hasPrefix("http://purl.org/dc/")
                if isKnown, schemas.count < 16 {
                    schemas.append((String(lowered.dropFirst(7)), reference.trimmingASCIIWhitespace))
                }
            } else if let term = term(word) {
                let texts = 2 * reference.utf8.count + (resolver.base?.href.utf8.count ?? 0) + term.utf8.count
                guard budget.spend(size: 640, text: texts) else { return }
                statements.append(
                    DublinCoreStatement(
                        name: word,
                        term: term,
                        content: nil,
                        reference: reference,
                        // An invalid URL is nil; the reference is there.
                        url: try? resolver.resolve(reference),
                        scheme: nil,
                        position: element.sourcePosition
                    )
                )
            }
        }
    }

    /// The term of a name as "DC.title" or "dcterms:created"; nil for any other name.
    ///
    /// In "DC.date.issued" the last word is the term: older rules have elements with refinements.
    private func term(_ name: String) -> String? {
        let words = name.utf8.split { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
        guard words.count > 1, let first = words.first, let last = words.last else { return nil }
        let prefix = String(asciiLowercasing: first)
        guard let schema = schemas.last(where: { $0.prefix == prefix }) else { return nil }
        let own = String(Substring(last)).trimmingASCIIWhitespace
        guard let initial = own.utf8.first else { return nil }
        // Refinements are terms; the fifteen elements are not.
        let vocabulary = words.count > 2 ? "http://purl.org/dc/terms/" : schema.term
        let lowered = String(decoding: [initial.asciiLowercased], as: UTF8.self) + own.dropFirst()
        return vocabulary + lowered
    }
}
