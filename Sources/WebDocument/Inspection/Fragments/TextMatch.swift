import WebStandards

/// How a text is looked for on a page.
public struct FindOptions: Hashable, Sendable {
    /// Whether capital and small letters differ.
    public var isCaseSensitive: Bool

    /// Whether a match has to begin and end where words do, nearly as Unicode has it, without dictionaries.
    ///
    /// [Unicode Standard Annex #29, section 4.1](https://www.unicode.org/reports/tr29/#Word_Boundary_Rules)
    public var matchesWholeWords: Bool

    /// Whether letters with and without diacritical marks differ.
    ///
    /// Characters are then compared as they are written: a letter with its mark is another one than the letter that a
    /// mark follows.
    public var matchesDiacritics: Bool

    /// Creates options; those that are not given are off.
    public init(
        isCaseSensitive: Bool = false,
        matchesWholeWords: Bool = false,
        matchesDiacritics: Bool = false
    ) {
        self.isCaseSensitive = isCaseSensitive
        self.matchesWholeWords = matchesWholeWords
        self.matchesDiacritics = matchesDiacritics
    }
}

/// A place where a text was found on a page.
public struct TextMatch: Hashable, Sendable {
    /// The text as the page has it, white space collapsed; a line feed where a block ends.
    public let text: String

    /// The text before it in the same block: at most 40 characters, white space collapsed; empty if there is none.
    ///
    /// The space between both is part of it.
    public let before: String

    /// The text after it in the same block: at most 40 characters, white space collapsed; empty if there is none.
    ///
    /// The space between both is part of it.
    public let after: String

    /// Where it begins: before its first character.
    public let start: Place

    /// Where it ends: after its last character.
    public let end: Place

    /// A place in the text of a page.
    public struct Place: Hashable, Sendable {
        /// The text node.
        public let node: Node

        /// A selector of the text node's parent element; nil for one in a shadow root.
        public let path: String?

        /// How many bytes of UTF-8 are before it in the text of the node.
        public let offset: Int

        /// Where it is in the source.
        ///
        /// In HTML this is the place of the character itself, or of the character reference that stands for it; the end
        /// of a match is right after the last one. Where the tree has the text elsewhere than the source does, because
        /// of misnested markup, and in XML, it is where the tag of the parent element is, in XML without a column; nil
        /// where the parser did not keep that.
        public let position: SourcePosition?
    }
}
