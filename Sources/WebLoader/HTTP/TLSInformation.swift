/// What TLS agreed on for a connection, and who the server says it is.
public struct TLSInformation: Hashable, Sendable {
    /// A certificate of the server's chain.
    public struct Certificate: Hashable, Sendable {
        /// Whom it is for, as in "CN = example.com".
        public let subject: String
        /// Who vouches for it, in the same form.
        public let issuer: String
        /// From when it is valid.
        public let validFrom: Timestamp
        /// Until when it is valid.
        public let expires: Timestamp
    }

    /// The version, as in "TLSv1.3".
    public let version: String
    /// The cipher suite, by OpenSSL's name.
    public let cipher: String
    /// The certificates as the server sent them, its own first.
    public let certificates: [Certificate]
    /// Whether the chain and the host's name were checked; if not, anybody may have answered.
    public let isVerified: Bool
}
