extension CurlFetcher {
    /// How a fetcher connects, and to what.
    public struct Configuration: Sendable {
        /// Requests under way at once, 256; the others wait.
        public var maximumConnections = 256 { didSet { maximumConnections.boundCount() } }

        /// Requests under way at once to one host and port, 6 as browsers have it; the others wait, hosts in turn.
        public var maximumConnectionsPerHost = 6 { didSet { maximumConnectionsPerHost.boundCount() } }

        /// The same where the host speaks HTTP/2 and they share a connection; 100.
        public var maximumStreamsPerHost = 100 { didSet { maximumStreamsPerHost.boundCount() } }

        /// Requests a second to one host and port, evenly spaced; nil, as unless said otherwise, is no limit.
        public var requestsPerSecondPerHost: Double?

        /// Which proxy requests go through.
        public var proxy = Proxy.environment

        /// Whether servers' certificates are checked; true unless said otherwise.
        ///
        /// If not, anybody on the way may read and change what is loaded.
        public var verifiesCertificates = true

        /// A file of certificates (PEM) to be trusted in place of the system's; nil for the system's.
        public var certificateAuthorityFile: String?

        /// Addresses for hosts, past name resolution: lines as curl's `--resolve` has them, "HOST:PORT:ADDRESS".
        public var hostAddresses: [String] = []

        /// A netrc file, whose user names and passwords go to the hosts that it names; nil for none.
        ///
        /// It is read when it is first needed. A ``PageLoader`` adds them where a load begins, as if they were the
        /// request's own Authorization: the cache keeps apart what they got, and a redirect to another origin (scheme,
        /// host, port) does not have them, nor does what a page names on another origin.
        public var netrcFile: String?

        /// Which addresses may be connected to; all unless said otherwise.
        ///
        /// With a proxy nobody can tell where it connects to, so that restricting it is an error then, unless
        /// `no_proxy` excepts the host.
        public var allowedAddresses = AllowedAddresses.all

        /// Hears what is sent and received, line by line, on the driver's thread; nil for nobody.
        ///
        /// Passwords and tokens are left out.
        public var log: (@Sendable (FetchLogLine) -> Void)?

        /// Hears how many bytes of a body have come, on the wire, each time some do, on the driver's thread; nil for
        /// nobody.
        public var progress: (@Sendable (FetchProgress) -> Void)?

        /// Creates a configuration with the defaults.
        public init() {}
    }

    /// Which proxy requests go through.
    public enum Proxy: Hashable, Sendable {
        /// The one that `http_proxy`, `https_proxy` and `all_proxy` name, unless `no_proxy` excepts the host.
        case environment
        /// None.
        case none
        /// A proxy as curl's `-x` names it: a URL whose scheme is `http`, `https`, `socks4`, `socks4a`, `socks5` or
        /// `socks5h`; `no_proxy` excepts hosts from it too.
        case server(String)
    }
}

/// A line of what a fetcher sends, receives and does.
public struct FetchLogLine: Sendable, Equatable {
    /// What a line is.
    public enum Kind: Sendable, Equatable {
        /// What is done: names resolved, connections made.
        case information
        /// A line of the request.
        case sent
        /// A line of the response's head.
        case received
    }

    /// What it is.
    public let kind: Kind
    /// The line, without its end.
    public let text: String
}

/// How far a transfer is.
public struct FetchProgress: Sendable, Equatable {
    /// What is being loaded.
    public let url: WebURL
    /// How many bytes came this time.
    public let newBytes: Int
    /// Whether they are the first of the body.
    public let isFirst: Bool
}
