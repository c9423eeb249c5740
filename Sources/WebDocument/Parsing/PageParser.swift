/// Which parser builds the tree of an HTML page.
public enum HTMLParserKind: String, CaseIterable, Sendable, Codable {
    /// The library's own, which builds the tree that the HTML standard describes.
    case html5
    /// libxml2's, which predates the standard; for example, it leaves out elements deeper than 256 levels.
    case libxml2
}

/// Builds a tree from text.
///
/// There is one parser for each kind of page.
protocol PageParser: Sendable {
    /// Parses UTF-8 without a byte order mark.
    func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws(ParsingError) -> ParserResult
}

/// The result of parsing a page.
struct ParserResult: Sendable {
    package let document: Document

    /// The corrections of the parser, in words; empty for most pages.
    package var warnings: [String] = []

    /// The limits that the page reached.
    package var limits: [ReachedLimit] = []

    /// The parse errors, if they were requested.
    package var errors = ParseErrors()

    /// The encodings that `<meta>` elements declare, for a caller that chose the encoding tentatively.
    var encodingDeclarations: [HTMLEncodingDeclaration] = []
}
