/// The data that a browser sends for a form.
///
/// [Form submission](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm)
public struct FormSubmission: Hashable, Sendable, Codable {
    /// A name and a value that are sent.
    public struct Entry: Hashable, Sendable, Codable {
        /// The name.
        public let name: String
        /// The value; for a file its name, which is empty where none is chosen.
        public let value: String
        /// Whether it is a file: an empty one, as long as none is chosen.
        public let isFile: Bool
        /// The file; nil where none is chosen, and for other entries.
        public let file: FormFile?
    }

    /// The index in ``Form/fields`` of the button that submits the form; `nil` if there is none.
    ///
    /// In ``Form/submission`` it is the form's first submit button; nil where there is none, or it is disabled, and
    /// only scripts send the form.
    public let submitter: Int?

    /// The URL of the request; for a form that is sent by GET, with the entries as its query.
    public let url: WebURL

    /// How it is sent: as the button says, or else the form.
    public let method: Form.Method

    /// How the body is encoded: as the button says, or else the form.
    public let encodingType: Form.EncodingType

    /// The name of the encoding of names and values in the Encoding standard.
    public let encoding: String

    /// Where the response is shown: as the button says, or else the form; nil where neither does.
    public let target: String?

    /// The entry list.
    public let entries: [Entry]
}
