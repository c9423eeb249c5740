/// Why a string is not a URL.
///
/// It contains the kind of error and its position, but no part of the input, so that no credentials can leak.
public struct WebURLError: WebError {
    /// The kind of error: the validation errors of the URL standard that mean failure, with the standard's
    /// names, and a few of this type's own.
    ///
    /// <https://url.spec.whatwg.org/#validation-error>
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// -1000, a bad URL.
        public var nsURLErrorCode: Int? { -1000 }

        /// The domain cannot be converted to ASCII.
        public static var domainToASCII: Self { "domain-to-ASCII" }
        /// The domain contains a forbidden domain code point.
        public static var domainInvalidCodePoint: Self { "domain-invalid-code-point" }
        /// An opaque host contains a forbidden host code point.
        public static var hostInvalidCodePoint: Self { "host-invalid-code-point" }
        /// An IPv4 address has more than four parts.
        public static var ipv4TooManyParts: Self { "IPv4-too-many-parts" }
        /// A part of an IPv4 address is not a number.
        public static var ipv4NonNumericPart: Self { "IPv4-non-numeric-part" }
        /// A part of an IPv4 address is too large.
        public static var ipv4OutOfRangePart: Self { "IPv4-out-of-range-part" }
        /// An IPv6 address lacks its closing "]".
        public static var ipv6Unclosed: Self { "IPv6-unclosed" }
        /// An IPv6 address begins with a single ":".
        public static var ipv6InvalidCompression: Self { "IPv6-invalid-compression" }
        /// An IPv6 address has more than eight pieces.
        public static var ipv6TooManyPieces: Self { "IPv6-too-many-pieces" }
        /// An IPv6 address is compressed in more than one place.
        public static var ipv6MultipleCompression: Self { "IPv6-multiple-compression" }
        /// An IPv6 address contains something other than hexadecimal digits and ":", or ends unexpectedly.
        public static var ipv6InvalidCodePoint: Self { "IPv6-invalid-code-point" }
        /// An uncompressed IPv6 address has fewer than eight pieces.
        public static var ipv6TooFewPieces: Self { "IPv6-too-few-pieces" }
        /// An IPv4 address follows more than six pieces of an IPv6 address.
        public static var ipv4InIPv6TooManyPieces: Self { "IPv4-in-IPv6-too-many-pieces" }
        /// An IPv4 address in an IPv6 address is malformed.
        public static var ipv4InIPv6InvalidCodePoint: Self { "IPv4-in-IPv6-invalid-code-point" }
        /// A part of an IPv4 address in an IPv6 address exceeds 255.
        public static var ipv4InIPv6OutOfRangePart: Self { "IPv4-in-IPv6-out-of-range-part" }
        /// An IPv4 address in an IPv6 address has fewer than four parts.
        public static var ipv4InIPv6TooFewParts: Self { "IPv4-in-IPv6-too-few-parts" }
        /// The input has no scheme, and there is no base URL that it could be relative to.
        public static var missingSchemeNonRelativeURL: Self { "missing-scheme-non-relative-URL" }
        /// A special URL, or one with credentials or a port, has no host.
        public static var hostMissing: Self { "host-missing" }
        /// The port exceeds 65,535.
        public static var portOutOfRange: Self { "port-out-of-range" }
        /// The port is not a number.
        public static var portInvalid: Self { "port-invalid" }
        /// The input is longer than 1 GiB, or the URL would be longer than 4 GiB; not in the standard.
        public static var tooLong: Self { "too-long" }
        /// A file path does not begin with "/"; not in the standard.
        public static var filePathNotAbsolute: Self { "file-path-not-absolute" }
        /// A file path contains U+0000; not in the standard.
        public static var filePathContainsNUL: Self { "file-path-contains-NUL" }
        /// The URL cannot have the component, such as a host in a `mailto:` URL; not in the standard.
        public static var componentNotAllowed: Self { "component-not-allowed" }
        /// The value is not a scheme, or a scheme that the URL cannot change to; not in the standard.
        public static var schemeNotAllowed: Self { "scheme-not-allowed" }
    }

    /// The kind of error.
    public let code: Code

    /// The offset in the input, in bytes of its UTF-8, at which the parser failed.
    ///
    /// For most errors in a host, it is the offset of the host.
    public let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension WebURLError {
    /// The standard's name of the error and the offset, as in "host-missing at byte 7".
    public var message: String { "\(code) at byte \(offset)" }

    /// The same as ``message``.
    public var description: String { message }
}
