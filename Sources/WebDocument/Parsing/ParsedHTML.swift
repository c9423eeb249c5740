import CLibXML2

/// How a document is laid out, in one of the standard's three modes.
enum HTMLQuirksMode: Sendable {
    case noQuirks
    case limitedQuirks
    case quirks
}

/// How limits have changed a tree.
///
/// Everything that was left out is counted here.
struct HTMLLimitsReport: Equatable, Sendable {
    /// Elements that were put beside their parent instead of in it, because it was nested too deeply.
    var flattenedElements = 0

    /// Attributes left out because their element had too many.
    var droppedAttributes = 0

    /// Bytes of text, attribute values and comments left out because the node was too long.
    var truncatedTextBytes = 0

    /// Formatting elements that are no longer reopened because there were too many (``HTMLFormattingElements``).
    var droppedFormattingElements = 0

    /// Why parsing stopped early; nil if it did not.
    var stop: Stop?

    enum Stop: Equatable, Sendable {
        case nodeLimit
        /// The tree took more than this many bytes.
        case memoryLimit(Int)
        case time
        case cancelled
    }

    /// Whether a limit has changed the tree or left something out.
    var isTruncated: Bool {
        self != HTMLLimitsReport()
    }
}

/// An encoding that a `<meta>` element declares.
enum HTMLEncodingDeclaration: Equatable, Sendable {
    /// The value of a `charset` attribute.
    case charset(String)
    /// The value of `content` beside `http-equiv="content-type"`, from which the encoding's label has to be
    /// extracted.
    case contentType(String)
}

/// A parsed page.
///
/// The caller owns it and ends it with ``free()``; no copy may be used afterwards.
@safe package struct ParsedHTML {
    /// The tree: a document of type `XML_HTML_DOCUMENT_NODE`.
    ///
    /// HTML elements have no namespace, SVG and MathML elements have theirs; the positions of elements and
    /// comments are in `_private` (``HTMLSourcePosition``); IDs are not registered.
    let document: UnsafeMutablePointer<xmlDoc>

    /// In the fragment case: the element whose children are the fragment.
    var fragmentRoot: TreeNode?

    var quirksMode: HTMLQuirksMode
    var sideTables: HTMLSideTables

    /// The parse errors, in the order of their places; empty unless they were requested.
    var errors: ParseErrors

    var limits: HTMLLimitsReport

    /// Approximately the number of bytes that the tree takes.
    var memory = 0

    /// The encodings that the first eight `<meta>` elements with one declare: a caller that chose the
    /// encoding tentatively uses them to decide whether to decode again.
    var encodingDeclarations: [HTMLEncodingDeclaration]

    /// The document as a node.
    var documentNode: TreeNode {
        unsafe TreeNode(UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self))
    }

    /// Frees the tree, and what is beside it.
    func free() {
        unsafe webl_free_tree(document)
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
