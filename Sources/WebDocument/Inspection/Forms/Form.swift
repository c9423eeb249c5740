/// A form of a page, and the data that a browser would send for it.
///
/// [The form element](https://html.spec.whatwg.org/multipage/forms.html#the-form-element)
public struct Form: Hashable, Sendable, Codable {
    /// How it is sent.
    public enum Method: String, Sendable, Codable, CaseIterable {
        /// As the query of a URL.
        case get
        /// As the body of a request.
        case post
        /// Not at all: it closes the dialog that it is in.
        case dialog

        /// Reads the value of the attribute; nil without one.
        init?(_ value: String?) {
            guard let value else { return nil }
            if value.isEqualIgnoringASCIICase(to: "post") {
                self = .post
            } else if value.isEqualIgnoringASCIICase(to: "dialog") {
                self = .dialog
            } else {
                self = .get
            }
        }
    }

    /// How the body of the request is encoded.
    public enum EncodingType: String, Sendable, Codable, CaseIterable {
        /// Like the query of a URL.
        case urlEncoded = "application/x-www-form-urlencoded"
        /// As parts, which files need.
        case multipart = "multipart/form-data"
        /// As lines of text.
        case text = "text/plain"

        /// Reads the value of the attribute; nil without one.
        init?(_ value: String?) {
            guard let value else { return nil }
            if value.isEqualIgnoringASCIICase(to: "multipart/form-data") {
                self = .multipart
            } else if value.isEqualIgnoringASCIICase(to: "text/plain") {
                self = .text
            } else {
                self = .urlEncoded
            }
        }
    }

    /// The value of `name`; nil without it.
    public let name: String?

    /// The value of `id`; nil without it.
    public let id: String?

    /// The value of `action`; nil without it.
    public let reference: String?

    /// The URL that it is sent to: that of ``reference``, or the document's where that is missing or empty;
    /// nil where it is not a valid URL.
    public let action: WebURL?

    /// How it is sent.
    public let method: Method

    /// How the body of the request is encoded.
    public let encodingType: EncodingType

    /// Where the response is shown: the value of `target`; nil without it.
    public let target: String?

    /// The value of `accept-charset`; nil without it.
    public let acceptCharset: String?

    /// The name of the encoding of names and values in the Encoding standard.
    public let encoding: String

    /// Whether it is sent without validating its fields.
    public let isNotValidated: Bool

    /// The value of `autocomplete`; nil without it.
    public let autocomplete: String?

    /// Its fields: the `input`, `select`, `textarea` and `button` elements that belong to it, in document
    /// order.
    ///
    /// They need not be inside it: there is the `form` attribute, and the parser may leave a form in a table
    /// empty.
    public internal(set) var fields: [FormField] = []

    /// The data that a browser sends where nothing is filled in, by the form's first submit button; nil for a dialog's form,
    /// and where ``action`` is nil.
    public internal(set) var submission: FormSubmission?

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
