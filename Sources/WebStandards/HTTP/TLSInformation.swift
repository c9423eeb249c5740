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

        package init(subject: String, issuer: String, validFrom: Timestamp, expires: Timestamp) {
            self.subject = subject
            self.issuer = issuer
            self.validFrom = validFrom
            self.expires = expires
        }
    }

    /// The version, as in "TLSv1.3".
    public let version: String
    /// The cipher suite, by OpenSSL's name.
    public let cipher: String
    /// The certificate chain that the server sent, its own certificate first.
    public let certificates: [Certificate]
    /// Whether the chain and the host's name were checked; if not, anyone may have answered.
    public let isVerified: Bool

    package init(version: String, cipher: String, certificates: [Certificate], isVerified: Bool) {
        self.version = version
        self.cipher = cipher
        self.certificates = certificates
        self.isVerified = isVerified
    }
}
