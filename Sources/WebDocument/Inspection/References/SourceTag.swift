/// A start or end tag as it stands in a page's source.
package struct SourceTag: Sendable {
    /// The vocabulary of an element's name.
    package enum Vocabulary: Sendable {
        case html
        case svg
        case mathML
        case other
    }

    /// The tag's bytes, from its `<` to after its `>`.
    package let range: Range<Int>

    /// The name, in lower case in HTML.
    package let name: String

    /// The name without a prefix, which only XML has.
    package let localName: String

    /// Whether it is an end tag.
    package let isEnd: Bool

    /// Whether it is no tag but an `xml-stylesheet` instruction.
    package var isInstruction = false

    /// Whether it ends with `/>`.
    package var isSelfClosing = false

    /// Whether it ends its element at once, as in XML, SVG and MathML.
    package var isEmptyElement = false

    /// The end tag of a `style` or a `script`, in XML of any element, as its number among ``PageSource/tags``.
    package var endTag: Int?

    /// Whether the tree has another text for its element than was read here, so that nobody knows what it refers to.
    package var isMisread = false

    /// The range of the attributes beyond the maximum of an element; `nil` if there are none.
    package var excess: Range<Int>?

    /// Where its attributes are among ``PageSource/attributes``.
    package var attributes = 0..<0

    /// The vocabulary of its name; that of HTML if it made no element.
    package var vocabulary = Vocabulary.html

    /// Whether the tag made an element of its name.
    package var hasElement = false

    /// Whether its element stands in the contents of a template.
    package var isInert = false

    /// Whether its element stands in a shadow root, where the page's style sheets do not apply.
    package var isInShadowRoot = false

    /// The text of a `style` element of SVG or XML, with character references replaced, where that is not what is
    /// written.
    package var decodedText: SourceText?

    /// Whether it is the tag of an element that a page of HTML has one of.
    var isRoot: Bool {
        guard hasElement, !isEnd, vocabulary == .html else { return false }
        // The length excludes most names.
        let count = name.utf8.count
        guard count == 4 || count == 8 else { return false }
        return name == "html" || name == "head" || name == "body" || name == "frameset"
    }

    /// The kind of its element's parent, where that matters.
    package var parent: Parent = .other

    /// A parent that matters for what an element means.
    package enum Parent: Sendable {
        case picture
        case media
        case head
        case other
    }
}
