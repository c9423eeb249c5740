/// The names of RDFa's initial context, which a page need not declare.
enum RDFaTerms {
    private static let syntax = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    static let type = syntax + "type"
    static let first = syntax + "first"
    static let rest = syntax + "rest"
    static let empty = syntax + "nil"
    static let xmlLiteral = syntax + "XMLLiteral"
    static let htmlLiteral = syntax + "HTML"
    private static let rdfa = "http://www.w3.org/ns/rdfa#"
    static let usesVocabulary = rdfa + "usesVocabulary"
    static let copy = rdfa + "copy"
    static let pattern = rdfa + "Pattern"
    static let vocabulary = "http://www.w3.org/1999/xhtml/vocab#"
    static let schemaTypes = "http://www.w3.org/2001/XMLSchema#"

    /// The IRI of a term of the initial context, whatever the case of its letters; nil for any other.
    static func term(_ word: String) -> String? {
        if word.isEqualIgnoringASCIICase(to: "license") { return vocabulary + "license" }
        if word.isEqualIgnoringASCIICase(to: "role") { return vocabulary + "role" }
        if word.isEqualIgnoringASCIICase(to: "describedby") {
            return "http://www.w3.org/2007/05/powder-s#describedby"
        }
        return nil
    }

    /// Whether a `rel` or `rev` may contain relations of RDFa: most contain only those of HTML.
    ///
    /// It is called for each link of a page, so it checks bytes before it splits the value into words.
    static func mayContainTerm(_ attribute: TreeAttribute) -> Bool {
        guard var byte = unsafe attribute.valueBytes else { return false }
        var isStart = true
        var mayBeTerm = false
        while unsafe byte.pointee != 0 {
            let letter = unsafe byte.pointee.asciiLowercased
            if letter == UInt8(ascii: ":") { return true }
            let begins =
                letter == UInt8(ascii: "l") || letter == UInt8(ascii: "d") || letter == UInt8(ascii: "r")
            if isStart, begins { mayBeTerm = true }
            isStart = letter.isASCIIWhitespace
            unsafe byte += 1
        }
        return mayBeTerm && attribute.value.asciiWords.contains { term($0) != nil }
    }

    /// The namespace of a prefix of the initial context, in lower case; nil for any other prefix.
    ///
    /// Those of the Open Graph protocol and of Twitter cards are not in it, but pages use them as if they were.
    ///
    /// [RDFa Core initial context](https://www.w3.org/2011/rdfa-context/rdfa-1.1)
    static func namespace(_ prefix: String) -> String? {
        for entry in namespaces where entry.prefix == prefix { return entry.name }
        return nil
    }

    private static let namespaces: [(prefix: String, name: String)] = [
        ("og", "http://ogp.me/ns#"),
        ("article", "http://ogp.me/ns/article#"),
        ("fb", "http://ogp.me/ns/fb#"),
        ("twitter", "https://dev.twitter.com/cards#"),
        ("schema", "http://schema.org/"),
        ("dc", "http://purl.org/dc/terms/"),
        ("dcterms", "http://purl.org/dc/terms/"),
        ("dc11", "http://purl.org/dc/elements/1.1/"),
        ("foaf", "http://xmlns.com/foaf/0.1/"),
        ("book", "http://ogp.me/ns/book#"),
        ("music", "http://ogp.me/ns/music#"),
        ("product", "http://ogp.me/ns/product#"),
        ("profile", "http://ogp.me/ns/profile#"),
        ("video", "http://ogp.me/ns/video#"),
        ("as", "https://www.w3.org/ns/activitystreams#"),
        ("cc", "http://creativecommons.org/ns#"),
        ("csvw", "http://www.w3.org/ns/csvw#"),
        ("ctag", "http://commontag.org/ns#"),
        ("dcat", "http://www.w3.org/ns/dcat#"),
        ("dqv", "http://www.w3.org/ns/dqv#"),
        ("duv", "https://www.w3.org/ns/duv#"),
        ("gr", "http://purl.org/goodrelations/v1#"),
        ("grddl", "http://www.w3.org/2003/g/data-view#"),
        ("ical", "http://www.w3.org/2002/12/cal/icaltzd#"),
        ("ldp", "http://www.w3.org/ns/ldp#"),
        ("ma", "http://www.w3.org/ns/ma-ont#"),
        ("oa", "http://www.w3.org/ns/oa#"),
        ("odrl", "http://www.w3.org/ns/odrl/2/"),
        ("org", "http://www.w3.org/ns/org#"),
        ("owl", "http://www.w3.org/2002/07/owl#"),
        ("prov", "http://www.w3.org/ns/prov#"),
        ("qb", "http://purl.org/linked-data/cube#"),
        ("rdf", syntax),
        ("rdfa", rdfa),
        ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
        ("rev", "http://purl.org/stuff/rev#"),
        ("rif", "http://www.w3.org/2007/rif#"),
        ("rr", "http://www.w3.org/ns/r2rml#"),
        ("sd", "http://www.w3.org/ns/sparql-service-description#"),
        ("sioc", "http://rdfs.org/sioc/ns#"),
        ("skos", "http://www.w3.org/2004/02/skos/core#"),
        ("skosxl", "http://www.w3.org/2008/05/skos-xl#"),
        ("sosa", "http://www.w3.org/ns/sosa/"),
        ("ssn", "http://www.w3.org/ns/ssn/"),
        ("time", "http://www.w3.org/2006/time#"),
        ("v", "http://rdf.data-vocabulary.org/#"),
        ("vcard", "http://www.w3.org/2006/vcard/ns#"),
        ("void", "http://rdfs.org/ns/void#"),
        ("wdr", "http://www.w3.org/2007/05/powder#"),
        ("wdrs", "http://www.w3.org/2007/05/powder-s#"),
        ("xhv", vocabulary),
        ("xml", "http://www.w3.org/XML/1998/namespace"),
        ("xsd", schemaTypes),
    ]
}
