internal import WebDocument

/// A regular expression for texts whose changes do not count.
///
/// It is matched by an automaton, without backtracking: it supports the parts of Perl's syntax that allow that.
public struct TextPattern: Sendable {
    /// The reason why an expression is invalid or too large.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// A description of the error.
        public let description: String
    }

    /// The expression.
    public let text: String

    private let expression: RegularExpression

    /// Parses an expression.
    ///
    /// - Parameter text: The expression, as in `(?i)updated \\d+ minutes ago`.
    /// - Throws: ``Failure`` if it is invalid.
    public init(_ text: String) throws(Failure) {
        self.text = text
        do throws(RegularExpression.Failure) {
            expression = try RegularExpression(text)
        } catch {
            throw Failure(description: error.message)
        }
    }

    /// Returns the ranges of a text that match; no further ranges once the steps are used up.
    func ranges(in text: [UInt8], steps: inout Int) -> [Range<Int>] {
        expression.ranges(in: text, steps: &steps)
    }
}
