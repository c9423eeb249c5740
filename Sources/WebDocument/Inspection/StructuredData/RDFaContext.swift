import WebStandards

/// A resource, resolved or not: the IRIs of most links of a page are never needed.
enum RDFaResource {
    /// An IRI, or a blank node's name.
    case iri(String)
    /// A reference, as it is written; the URL that it is relative to where that is not the page's.
    case reference(String, base: WebURL? = nil)
}

/// The evaluation context inside an element.
///
/// [RDFa Core 1.1, evaluation context](https://www.w3.org/TR/rdfa-core/#evaluation-context)
struct RDFaContext {
    /// A statement that waits for its other resource.
    struct IncompleteTriple {
        /// The direction of the statement.
        enum Direction {
            case forward
            case reverse
            /// Into a list, in the list mapping with this index.
            case list(Int)
        }

        let predicate: String
        let direction: Direction
    }

    var parentSubject: RDFaResource
    var parentObject: RDFaResource
    var incomplete: [IncompleteTriple] = []
    var listMapping = 0
    var language: String?
    var prefixes: [String: String] = [:]
    var vocabulary: String?
    /// The URL that references are relative to; nil for the page's.
    var baseURL: WebURL?

    init(base: RDFaResource) {
        parentSubject = base
        parentObject = base
    }

    /// The IRI of a term, a compact IRI or an absolute IRI; nil for any other text.
    ///
    /// [RDFa Core 1.1, sections 7.4.2 and 7.4.3](https://www.w3.org/TR/rdfa-core/#s_curieprocessing)
    func iri(_ word: String) -> String? {
        guard word.utf8.contains(UInt8(ascii: ":")) else {
            if let vocabulary { return vocabulary + word }
            return RDFaTerms.term(word)
        }
        if let iri = expanded(word) { return iri }
        guard let first = word.utf8.first, first.isASCIIAlpha else { return nil }
        return word
    }

    /// The IRI of a compact IRI; nil for any other text, and for a prefix that is not declared.
    func expanded(_ word: String) -> String? {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let prefix = String(asciiLowercasing: word.utf8[..<colon])
        let reference = word[word.utf8.index(after: colon)...]
        if prefix == "_" { return "_:" + reference }
        if prefix.isEmpty { return RDFaTerms.vocabulary + reference }
        guard !reference.hasPrefix("//"), let name = prefixes[prefix] ?? RDFaTerms.namespace(prefix) else {
            return nil
        }
        return name + reference
    }

    /// The resource in `about` or `resource`: a compact IRI, in brackets or not, or a reference; nil if it is
    /// invalid.
    func resource(_ text: String) -> RDFaResource? {
        let text = text.trimmingASCIIWhitespace
        if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]"), text.utf8.count > 1 {
            return expanded(String(text.dropFirst().dropLast())).map { .iri($0) }
        }
        return expanded(text).map { .iri($0) } ?? .reference(text, base: baseURL)
    }

    /// Reads `prefix`: names with a colon, each followed by an IRI.
    mutating func declare(_ prefix: String) {
        let words = prefix.asciiWords
        var index = 0
        while index + 1 < words.count {
            guard words[index].utf8.last == UInt8(ascii: ":") else {
                index += 1
                continue
            }
            let name = String(asciiLowercasing: words[index].utf8.dropLast())
            // "_" is reserved for blank nodes.
            if !name.isEmpty, name != "_" { prefixes[name] = words[index + 1] }
            index += 2
        }
    }
}
