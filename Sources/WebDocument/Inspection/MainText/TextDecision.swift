/// A block of a page, a run of text on lines of its own: whether it is part of the main text, and why.
public struct TextDecision: Hashable, Sendable, Codable {
    /// A reason.
    ///
    /// More may be added.
    public struct Reason: RawRepresentable, Hashable, Sendable, Codable {
        /// The reason's name, as in "likely".
        public let rawValue: String

        /// A reason of this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The model takes it for content.
        public static let likely = Reason(rawValue: "likely")
        /// The model does not take it for content.
        public static let unlikely = Reason(rawValue: "unlikely")
        /// It is as most of the table of data that it is in.
        public static let table = Reason(rawValue: "table")
        /// It is the heading of a section.
        public static let heading = Reason(rawValue: "heading")
        /// It stands between parts of the content, and nothing indicates that it is not content.
        public static let between = Reason(rawValue: "between")
        /// It is of a list most of which is content.
        public static let list = Reason(rawValue: "list")
        /// It leads to the list, the code or the definition behind it.
        public static let introduction = Reason(rawValue: "introduction")
        /// It only labels what stands beside it, as "Advertisement" and "Photo".
        public static let label = Reason(rawValue: "label")
        /// It is the caption of a figure, which goes with the figure.
        public static let caption = Reason(rawValue: "caption")
        /// It names the author.
        public static let byline = Reason(rawValue: "byline")
        /// It is of a box to subscribe to something.
        public static let box = Reason(rawValue: "box")
        /// The page is too short for the model, or nothing on it looks like content to it: its scores decide.
        public static let scores = Reason(rawValue: "scores")
    }

    /// Whether it is part of the main text.
    public let isKept: Bool

    /// The reason.
    public let reason: Reason

    /// How likely it is content according to the model alone, from 0 to 1; nil where it was not asked.
    public let likelihood: Double?

    /// The name of the nearest element around it that is no part of a line, as "p".
    public let element: String

    /// Where that element's tag begins; nil where the parser did not keep it.
    public let position: SourcePosition?

    /// The beginning of its text, white space collapsed, at most 80 characters.
    public let text: String
}
