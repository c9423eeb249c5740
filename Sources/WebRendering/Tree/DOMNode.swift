/// The stored part of a node of the debugging protocol: the places of its strings in the message, and its related
/// nodes.
///
/// <https://chromedevtools.github.io/devtools-protocol/tot/DOM/#type-Node>
struct DOMNode {
    /// A kind of node, as DOM's `nodeType` numbers them.
    enum Kind: UInt8 {
        case element = 1
        case text = 3
        case characterData = 4
        case processingInstruction = 7
        case comment = 8
        case document = 9
        case doctype = 10
        case fragment = 11
    }

    /// The mode of a shadow root.
    enum ShadowMode: UInt8 {
        case open
        case closed
    }

    let kind: Kind

    /// The mode of a shadow root that a page has made; `nil` for other nodes.
    var shadowMode: ShadowMode?

    /// Whether it is an element of SVG.
    var isSVG = false

    /// Whether its document is XML, in which names do not determine the namespace.
    var isXML = false

    /// Whether its `nodeName` has no lower-case letter: in HTML documents that of an HTML element has none.
    var hasUpperCaseName = false

    /// Whether it is a document in standards mode, not in quirks mode.
    var isStandardsMode = false

    /// The local name of an element, or its qualified name if that is what is to be written; the name of a doctype, the
    /// target of a processing instruction; the URL of a document.
    @Place var name: Int?
    /// The text; the base URL of a document.
    @Place var value: Int?
    /// The place after the bracket that begins the attributes; the public identifier of a doctype.
    @Place var attributes: Int?
    /// The system identifier of a doctype.
    var systemID: Int? {
        get { contents }
        set { contents = newValue }
    }

    @Place var firstChild: Int?
    @Place var next: Int?
    @Place var shadowRoot: Int?
    /// The contents of a template.
    @Place var contents: Int?
    /// The document of a frame.
    @Place var document: Int?

    /// Takes the contents of a node from a later answer.
    mutating func take(_ later: DOMNode) {
        firstChild = later.firstChild
        if kind == .element {
            shadowRoot = later.shadowRoot
            contents = later.contents
            document = later.document
        }
    }
}

/// An optional index in four bytes: there are many.
///
/// An index of 4 GiB and more, which no message has, becomes `nil`.
@propertyWrapper struct Place {
    private var stored = UInt32.max

    var wrappedValue: Int? {
        get { stored == .max ? nil : Int(stored) }
        set { stored = newValue.flatMap { UInt32(exactly: $0) } ?? .max }
    }
}
