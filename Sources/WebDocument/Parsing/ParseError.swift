/// A parse error: a place where markup departs from the standard, though every page still gets a tree.
public struct ParseError: Hashable, Sendable, Codable {
    /// The standard's name of the error, as "eof-in-tag"; for XML, libxml2's message.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#parse-errors>
    public let name: String

    /// The line of the character at fault, from 1.
    public let line: Int

    /// The column of that character, in Unicode scalar values, from 1; nil for XML, where it is not known.
    public let column: Int?

    /// The line and the column.
    public var position: SourcePosition { SourcePosition(line: line, column: column) }
}

/// The parse errors of a page.
public struct ParseErrors: Hashable, Sendable, Codable {
    /// The maximum number of errors that are kept.
    public static let maximumCount = 10_000

    /// The errors, in the order of their places; the first ``maximumCount`` of them.
    public internal(set) var errors: [ParseError] = []

    /// Whether there are more than are kept.
    public internal(set) var isTruncated = false
}
