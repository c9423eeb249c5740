/// What a browser sends by a form.
///
/// [Form submission](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm)
public struct FormSubmission: Hashable, Sendable, Codable {
    /// A name and a value that are sent.
    public struct Entry: Hashable, Sendable, Codable {
        /// The name.
        public let name: String
        /// The value; of a file its name, which is empty.
        public let value: String
        /// Whether it is a file: an empty one, as long as none is chosen.
        public let isFile: Bool
    }

    /// Which of ``Form/fields`` sends the form: its first button that does; nil where there is none, or it is disabled,
    /// and only scripts send the form.
    public let submitter: Int?

    /// The URL that is asked for: of a form that is sent by GET with the entries as its query.
    public let url: WebURL

    /// How it is sent: as the button says, or else the form.
    public let method: Form.Method

    /// How a body is written: as the button says, or else the form.
    public let encodingType: Form.EncodingType

    /// The encoding of names and values, by its name of the Encoding standard.
    public let encoding: String

    /// Where the answer is shown: as the button says, or else the form; nil where neither does.
    public let target: String?

    /// The entry list.
    public let entries: [Entry]
}
