/// A form of a page, and what a browser would send by it.
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

        /// What an attribute's value means; nil without one.
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

    /// How a body is written.
    public enum EncodingType: String, Sendable, Codable, CaseIterable {
        /// As a query is.
        case urlEncoded = "application/x-www-form-urlencoded"
        /// As parts, which files need.
        case multipart = "multipart/form-data"
        /// As lines of text.
        case text = "text/plain"

        /// What an attribute's value means; nil without one.
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

    /// What `name` says; nil without.
    public let name: String?

    /// What `id` says; nil without.
    public let id: String?

    /// What `action` says; nil without.
    public let reference: String?

    /// The URL that it is sent to: that of ``reference``, or the document's where that is missing or empty; nil where
    /// it is no URL.
    public let action: WebURL?

    /// How it is sent.
    public let method: Method

    /// How a body is written.
    public let encodingType: EncodingType

    /// Where the answer is shown, as `target` says it; nil without.
    public let target: String?

    /// What `accept-charset` says; nil without.
    public let acceptCharset: String?

    /// Whether it is sent without a look at whether its fields are valid.
    public let isNotValidated: Bool

    /// What `autocomplete` says; nil without.
    public let autocomplete: String?

    /// Its fields: the `input`, `select`, `textarea` and `button` elements whose form it is, in document order.
    ///
    /// These are not only the ones inside: there is the `form` attribute, and forms that tables have emptied.
    public internal(set) var fields: [FormField] = []

    /// What a browser sends where nothing is filled in; nil for a dialog's form, and where ``action`` is nil.
    public internal(set) var submission: FormSubmission?

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
