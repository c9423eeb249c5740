import CLibXML2

/// How a document is laid out: the standard's three modes.
enum HTMLQuirksMode: Sendable {
    case noQuirks
    case limitedQuirks
    case quirks
}

/// What a limit has cost a tree.
///
/// Everything left out is counted here.
struct HTMLLimitsReport: Equatable, Sendable {
    /// Elements that were put beside their parent instead of in it, because it was too deep.
    var flattenedElements = 0

    /// Attributes left out because their element had too many.
    var droppedAttributes = 0

    /// Bytes of text, attribute values and comments left out because the node was too long.
    var truncatedTextBytes = 0

    /// Formatting elements that are no longer reopened because there were too many (``HTMLFormattingElements``).
    var droppedFormattingElements = 0

    /// Why parsing stopped early; nil where it did not.
    var stop: Stop?

    enum Stop: Equatable, Sendable {
        case nodeLimit
        /// The tree took more than so many bytes.
        case memoryLimit(Int)
        case time
        case cancelled
    }

    /// Whether the tree lacks something of the page.
    var isTruncated: Bool {
        self != HTMLLimitsReport()
    }
}

/// What a `<meta>` said of the page's encoding.
enum HTMLEncodingDeclaration: Equatable, Sendable {
    /// The value of a `charset` attribute.
    case charset(String)
    /// The value of `content` beside `http-equiv="content-type"`, from which a label has to be extracted.
    case contentType(String)
}

/// A parsed page.
///
/// The caller owns it, ends it with ``free()`` (or, having taken over the side tables, frees these first and then
/// the document with `xmlFreeDoc`) and uses no copy afterwards.
@safe struct ParsedHTML {
    /// The tree: a document of type `XML_HTML_DOCUMENT_NODE`.
    ///
    /// HTML elements have no namespace, SVG and MathML ones
    /// theirs; positions of elements and comments are in `_private` (``HTMLSourcePosition``); identifiers are not registered.
    let document: UnsafeMutablePointer<xmlDoc>

    /// In the fragment case: the element whose children are the fragment.
    var fragmentRoot: TreeNode?

    var quirksMode: HTMLQuirksMode
    var sideTables: HTMLSideTables

    /// The parse errors, in the order of their places; empty unless asked for.
    var errors: ParseErrors

    var limits: HTMLLimitsReport

    /// Roughly the bytes that the tree takes.
    var memory = 0

    /// What `<meta>` elements said of the encoding, the first eight: whoever decoded tentatively asks here whether
    /// to decode again.
    var encodingDeclarations: [HTMLEncodingDeclaration]

    /// The document as a node.
    var documentNode: TreeNode {
        unsafe TreeNode(UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self))
    }

    /// Frees the tree and what is beside it.
    mutating func free() {
        sideTables.free()
        unsafe xmlFreeDoc(document)
    }
}

extension Document {
    /// Takes over a tree made by the HTML parser.
    convenience init(_ parsed: ParsedHTML) {
        unsafe self.init(
            .html,
            tree: parsed.document,
            compatibilityMode: parsed.quirksMode == .quirks ? .quirks : .standards,
            sideTables: parsed.sideTables
        )
        memory = parsed.memory
    }
}
