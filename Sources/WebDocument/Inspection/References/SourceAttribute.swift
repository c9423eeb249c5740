/// An attribute as it stands in a page's source.
package struct SourceAttribute: Sendable {
    /// The name as in "xlink:href", in lower case in HTML.
    package let name: String

    /// All of it: the name, and the value with its quotes.
    package let range: Range<Int>

    /// Where the name ends.
    package let nameEnd: Int

    /// The value without quotes, as it is written; empty where there is none.
    package let value: Range<Int>

    /// The quote around the value; nil where it has none.
    package let quote: UInt8?

    /// The attribute of the same name that stands before it in the tag and counts, as its number among
    /// ``PageSource/attributes``; nil for one that counts itself.
    package let first: Int?

    /// Whether it does not count, since another of the same name stands before it.
    package var isDuplicate: Bool { first != nil }

    /// Whether the tree has another value than was read here, so that nobody knows where its references are.
    package var isMisread = false

    /// The value with character references replaced, where that is not what is written.
    package var decoded: SourceText?
}
