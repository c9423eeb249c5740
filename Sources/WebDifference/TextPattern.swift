internal import WebDocument

/// A regular expression, for texts whose changes do not count.
///
/// It is matched by an automaton, without going back: it has the parts of Perl's notation that allow that.
public struct TextPattern: Sendable {
    /// Why an expression is none, or too large.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// A description of the error.
        public let description: String
    }

    /// The expression.
    public let text: String

    private let expression: RegularExpression

    /// Reads an expression.
    ///
    /// - Parameter text: It, as in `(?i)updated \\d+ minutes ago`.
    /// - Throws: ``Failure`` if it is invalid.
    public init(_ text: String) throws(Failure) {
        self.text = text
        do throws(RegularExpression.Failure) {
            expression = try RegularExpression(text)
        } catch {
            throw Failure(description: error.message)
        }
    }

    /// What of a text matches; nothing more once no steps are left.
    func ranges(in text: [UInt8], steps: inout Int) -> [Range<Int>] {
        expression.ranges(in: text, steps: &steps)
    }
}
