/// The negotiated TLS parameters of a connection, and the server's certificates.
public struct TLSInformation: Hashable, Sendable {
    /// A certificate of the server's chain.
    public struct Certificate: Hashable, Sendable {
        /// The subject, as in "CN = example.com".
        public let subject: String
        /// The issuer, in the same form.
        public let issuer: String
        /// The start of its validity.
        public let validFrom: Timestamp
        /// The end of its validity.
        public let expires: Timestamp
    }

    /// The version, as in "TLSv1.3".
    public let version: String
    /// The cipher suite, by OpenSSL's name.
    public let cipher: String
    /// The certificate chain that the server sent, its own certificate first.
    public let certificates: [Certificate]
    /// Whether the chain and the host's name were checked; if not, anyone may have answered.
    public let isVerified: Bool
}
