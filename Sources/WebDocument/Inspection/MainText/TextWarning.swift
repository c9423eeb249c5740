/// A warning for readers of a main text.
public struct TextWarning: Hashable, Sendable, Codable {
    /// The subject of a warning.
    ///
    /// A published code is never renamed; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable {
        /// The code, as in "text.partial".
        public let rawValue: String

        /// A warning of this code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Much of what may be content is not in the text.
        public static let partial = Code(rawValue: "text.partial")
    }

    /// The subject of the warning.
    public let code: Code

    /// The message, for people.
    public let message: String

    /// The share of the content that is expected to be in the text, from 0 to 1.
    public let share: Double

    /// The share below which a text is said to be partial.
    ///
    /// Of pages of sites that the model had not seen, those below had 0.60 of their content in the mean, and those
    /// above 0.94.
    private static let least = 0.8

    /// The confidence below which a page is of no kind that is known; of such pages, a third were said to be what they
    /// were.
    private static let leastConfidence = 0.4

    /// Creates the warning about a text; `nil` if there is nothing to warn about.
    ///
    /// - Parameters:
    ///   - completeness: The share of the content that is expected to be in it, from 0 to 1.
    ///   - kind: The page's kind; nil where it has none.
    init?(completeness: Double, _ kind: ContentKind?) {
        let percent = "\(Int(bounded: (completeness * 100).rounded())) %"
        if completeness < Self.least {
            message = "the text may have no more than \(percent) of the content; the whole page has all of it"
        } else if kind?.confidence ?? 0 < Self.leastConfidence {
            message = "the page is of no kind that is known: the text has \(percent) of what may be content"
        } else {
            return nil
        }
        code = .partial
        share = completeness
    }
}
