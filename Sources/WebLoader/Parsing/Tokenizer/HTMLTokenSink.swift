/// What a tokenizer gives its tokens to.
///
/// Nothing in a token outlives the call it comes with: its bytes belong to the input or to the scratch space.
protocol HTMLTokenSink: ~Copyable {
    /// The number of a name and its text, shared with the tokenizer.
    var names: HTMLNames { get }

    /// Where the start tag began that comes next, packed as ``HTMLSourcePosition``.
    var position: UInt64 { get set }

    /// Whether no more tokens are wanted.
    var isStopped: Bool { get }

    /// Whether `<![CDATA[` begins a CDATA section here.
    var allowsCDATA: Bool { get }

    /// Whether the last start tag's self-closing flag was acknowledged.
    var acknowledgedSelfClosing: Bool { get }

    /// Text without NUL, its lines ended by LF. A text may come in several pieces.
    mutating func characters(_ text: HTMLBytes) throws(HTMLParserError)

    /// A NUL where the tokenizer leaves it to the tree builder what it becomes.
    mutating func nullCharacter() throws(HTMLParserError)

    /// A start tag; answers the state the tokenizer is to switch to, or nil for none.
    mutating func startTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLTokenizerState?

    mutating func endTag(_ tag: HTMLTag) throws(HTMLParserError)

    mutating func comment(_ data: HTMLBytes) throws(HTMLParserError)

    mutating func doctype(_ doctype: HTMLDoctype) throws(HTMLParserError)

    mutating func processingInstruction(target: HTMLBytes, data: HTMLBytes) throws(HTMLParserError)

    mutating func endOfFile() throws(HTMLParserError)
}

/// The states of the tokenizer between tokens.
///
/// [Tokenization](https://html.spec.whatwg.org/multipage/parsing.html#tokenization)
enum HTMLTokenizerState {
    case data
    case rcdata
    case rawtext
    case scriptData
    case scriptDataEscaped
    case scriptDataDoubleEscaped
    case plaintext
    case cdataSection
}

/// A start or end tag.
@safe struct HTMLTag {
    /// The number of its name, from ``HTMLNames``.
    let atom: UInt32
    let isSelfClosing: Bool
    let attributes: UnsafePointer<HTMLAttribute>?
    let attributeCount: Int

    @inline(__always)
    init(atom: UInt32, isSelfClosing: Bool, attributes: UnsafePointer<HTMLAttribute>?, attributeCount: Int) {
        self.atom = atom
        self.isSelfClosing = isSelfClosing
        unsafe self.attributes = attributes
        self.attributeCount = attributeCount
    }

    /// The element of that name if a rule speaks of it.
    @inline(__always)
    var name: HTMLElementName {
        HTMLElementName(atom: atom)
    }

    @inline(__always)
    func attribute(_ index: Int) -> HTMLAttribute {
        unsafe attributes.unsafelyUnwrapped[index]
    }

    /// The value of the attribute with that number, or nil.
    func value(of atom: UInt32) -> HTMLBytes? {
        for index in 0..<attributeCount where attribute(index).atom == atom {
            return attribute(index).value
        }
        return nil
    }

    /// The same tag by another name.
    func renamed(_ name: HTMLElementName) -> HTMLTag {
        unsafe HTMLTag(
            atom: UInt32(name.rawValue),
            isSelfClosing: isSelfClosing,
            attributes: attributes,
            attributeCount: attributeCount
        )
    }

    /// A tag of that name without attributes.
    static func implied(_ name: HTMLElementName) -> HTMLTag {
        unsafe HTMLTag(
            atom: UInt32(name.rawValue),
            isSelfClosing: false,
            attributes: nil,
            attributeCount: 0
        )
    }
}

/// An attribute of a tag.
struct HTMLAttribute {
    /// The number of its name, from ``HTMLNames``.
    var atom: UInt32
    var value: HTMLBytes
}

/// A DOCTYPE; nil is a part that is missing, which an empty one is not.
struct HTMLDoctype {
    var name: HTMLBytes?
    var publicIdentifier: HTMLBytes?
    var systemIdentifier: HTMLBytes?
    var forcesQuirks = false
}

extension HTMLElementName {
    /// The element whose name has that number; `other` if no rule speaks of it.
    @inline(__always)
    init(atom: UInt32) {
        // The cases are numbered 0 to ruledCount - 1 without a gap, so every byte below is one of them.
        self =
            atom < HTMLAtom.ruledCount
            ? unsafe unsafeBitCast(UInt8(truncatingIfNeeded: atom), to: Self.self) : .other
    }
}
