public import WebStandards

/// Why a form cannot be filled in or sent as asked.
public struct FormError: WebError {
    /// The kind of error, as a stable code.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no such form, field or button.
        public static var missing: Self { "form.missing" }
        /// The field cannot have this value, or cannot be changed.
        public static var value: Self { "form.value" }
        /// Fields do not satisfy their constraints, so that a browser would not send the form.
        public static var invalid: Self { "form.invalid" }
        /// A browser sends nothing for this form: it closes a dialog, or its action is no URL.
        public static var unsent: Self { "form.unsent" }
        /// The page has more controls than are kept: it was made to exhaust memory.
        public static var limit: Self { "form.limit" }
    }

    /// The kind of error.
    public let code: Code

    /// The message, for people.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
