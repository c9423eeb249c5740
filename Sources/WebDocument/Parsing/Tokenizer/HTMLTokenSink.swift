/// The receiver of a tokenizer's tokens.
///
/// A token is valid only during the call that passes it: its bytes belong to the input or to the scratch
/// space.
protocol HTMLTokenSink: ~Copyable {
    /// The names and their numbers, shared with the tokenizer.
    var names: HTMLNames { get }

    /// Where the next start tag began, packed as ``HTMLSourcePosition``.
    var position: UInt64 { get set }

    /// Whether no more tokens are wanted.
    var isStopped: Bool { get }

    /// Whether `<![CDATA[` begins a CDATA section here.
    var allowsCDATA: Bool { get }

    /// Whether the last start tag's self-closing flag was acknowledged.
    var acknowledgedSelfClosing: Bool { get }

    /// Where in the input the tag, or the doctype, that follows begins and ends.
    mutating func beginTag(from start: Int, to end: Int)

    /// Text without NUL, with lines ended by LF; a text may come in several pieces.
    mutating func characters(_ text: HTMLBytes) throws(HTMLParserError)

    /// A NUL in a state where the tree builder decides how to treat it.
    mutating func nullCharacter() throws(HTMLParserError)

    /// Handles a start tag; returns the state to which the tokenizer has to switch, or `nil` to stay in its state.
    mutating func startTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLTokenizerState?

    mutating func endTag(_ tag: HTMLTag) throws(HTMLParserError)

    mutating func comment(_ data: HTMLBytes) throws(HTMLParserError)

    mutating func doctype(_ doctype: HTMLDoctype) throws(HTMLParserError)

    mutating func processingInstruction(target: HTMLBytes, data: HTMLBytes) throws(HTMLParserError)

    mutating func endOfFile() throws(HTMLParserError)
}

extension HTMLTokenSink where Self: ~Copyable {
    @inline(__always)
    mutating func beginTag(from start: Int, to end: Int) {}
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

    /// The element of that name if a rule of the parser names it.
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

    /// The same tag with another name.
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

/// A DOCTYPE; a part that is nil is missing, which is not the same as empty.
struct HTMLDoctype {
    var name: HTMLBytes?
    var publicIdentifier: HTMLBytes?
    var systemIdentifier: HTMLBytes?
    var forcesQuirks = false
}

extension HTMLElementName {
    /// The element whose name has that number; `other` if no rule names it.
    @inline(__always)
    init(atom: UInt32) {
        // The cases are numbered 0 to ruledCount - 1 without a gap, so every byte below is one of them.
        self =
            atom < HTMLAtom.ruledCount
            ? unsafe unsafeBitCast(UInt8(truncatingIfNeeded: atom), to: Self.self) : .other
    }
}
