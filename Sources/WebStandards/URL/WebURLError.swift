/// Why a string is not a URL.
///
/// It has the kind of error and its position, but nothing of the input, so that no credentials can leak.
public struct WebURLError: Error, Equatable, Sendable {
    /// The kind of error: the validation errors of the URL standard that mean failure, with the standard's
    /// names, and a few of this type's own.
    ///
    /// <https://url.spec.whatwg.org/#validation-error>
    public enum Kind: String, Equatable, Sendable {
        /// The domain cannot be converted to ASCII.
        case domainToASCII = "domain-to-ASCII"
        /// The domain contains a forbidden domain code point.
        case domainInvalidCodePoint = "domain-invalid-code-point"
        /// An opaque host contains a forbidden host code point.
        case hostInvalidCodePoint = "host-invalid-code-point"
        /// An IPv4 address has more than four parts.
        case ipv4TooManyParts = "IPv4-too-many-parts"
        /// A part of an IPv4 address is not a number.
        case ipv4NonNumericPart = "IPv4-non-numeric-part"
        /// A part of an IPv4 address is too large.
        case ipv4OutOfRangePart = "IPv4-out-of-range-part"
        /// An IPv6 address lacks its closing "]".
        case ipv6Unclosed = "IPv6-unclosed"
        /// An IPv6 address begins with a single ":".
        case ipv6InvalidCompression = "IPv6-invalid-compression"
        /// An IPv6 address has more than eight pieces.
        case ipv6TooManyPieces = "IPv6-too-many-pieces"
        /// An IPv6 address is compressed in more than one place.
        case ipv6MultipleCompression = "IPv6-multiple-compression"
        /// An IPv6 address contains something other than hexadecimal digits and ":", or ends unexpectedly.
        case ipv6InvalidCodePoint = "IPv6-invalid-code-point"
        /// An uncompressed IPv6 address has fewer than eight pieces.
        case ipv6TooFewPieces = "IPv6-too-few-pieces"
        /// An IPv4 address follows more than six pieces of an IPv6 address.
        case ipv4InIPv6TooManyPieces = "IPv4-in-IPv6-too-many-pieces"
        /// An IPv4 address in an IPv6 address is malformed.
        case ipv4InIPv6InvalidCodePoint = "IPv4-in-IPv6-invalid-code-point"
        /// A part of an IPv4 address in an IPv6 address exceeds 255.
        case ipv4InIPv6OutOfRangePart = "IPv4-in-IPv6-out-of-range-part"
        /// An IPv4 address in an IPv6 address has fewer than four parts.
        case ipv4InIPv6TooFewParts = "IPv4-in-IPv6-too-few-parts"
        /// The input has no scheme, and there is no base URL that it could be relative to.
        case missingSchemeNonRelativeURL = "missing-scheme-non-relative-URL"
        /// A special URL, or one with credentials or a port, has no host.
        case hostMissing = "host-missing"
        /// The port exceeds 65,535.
        case portOutOfRange = "port-out-of-range"
        /// The port is not a number.
        case portInvalid = "port-invalid"
        /// The input is longer than 1 GiB, or the URL would be longer than 4 GiB. Not in the standard.
        case tooLong = "too-long"
        /// A file path does not begin with "/". Not in the standard.
        case filePathNotAbsolute = "file-path-not-absolute"
        /// A file path contains U+0000. Not in the standard.
        case filePathContainsNUL = "file-path-contains-NUL"
    }

    /// The kind of error.
    public let kind: Kind

    /// The offset in the input, in bytes of its UTF-8, at which the parser failed.
    ///
    /// For most errors in a host, it is the offset of the host.
    public let offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension WebURLError: CustomStringConvertible {
    /// The standard's name of the error and the offset, as in "host-missing at byte 7".
    public var description: String {
        "\(kind.rawValue) at byte \(offset)"
    }
}
