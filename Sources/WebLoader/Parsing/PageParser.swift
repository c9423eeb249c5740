/// Which parser makes a tree of HTML.
public enum HTMLParserChoice: String, CaseIterable, Sendable, Codable {
    /// The library's own, which builds the tree that the HTML standard describes.
    case html5
    /// libxml2's, which predates the standard: it leaves out what is deeper than 256 elements, for one.
    case libxml2
}

/// Makes a tree of text.
///
/// One parser a kind of page.
protocol PageParser: Sendable {
    /// Parses UTF-8 without a byte order mark.
    func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws(ParsingError) -> ParsedPage
}

/// What a parser made of a page.
struct ParsedPage: Sendable {
    let document: Document

    /// What was put right, in words; empty for most pages.
    var warnings: [String] = []

    /// The limits that the page met.
    var limits: [ReachedLimit] = []

    /// The parse errors, where they were asked for.
    var errors = ParseErrors()

    /// What `<meta>` said of the encoding, for whoever decoded tentatively.
    var encodingDeclarations: [HTMLEncodingDeclaration] = []
}
