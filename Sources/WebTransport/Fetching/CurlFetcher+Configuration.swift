extension CurlFetcher {
    /// How a fetcher connects, and to what.
    public struct Configuration: Sendable {
        /// The maximum number of requests at once, 256 by default; the others wait.
        public var maximumConnections = 256 { didSet { maximumConnections.boundCount() } }

        /// The maximum number of requests at once to one host and port, 6 by default as in browsers; the
        /// others wait, and hosts take turns.
        public var maximumConnectionsPerHost = 6 { didSet { maximumConnectionsPerHost.boundCount() } }

        /// The maximum number of requests at once to one host and port that share an HTTP/2 connection; 100
        /// by default.
        public var maximumStreamsPerHost = 100 { didSet { maximumStreamsPerHost.boundCount() } }

        /// Requests a second to one host and port, evenly spaced; nil, the default, is no limit.
        public var requestsPerSecondPerHost: Double?

        /// Which proxy requests go through.
        public var proxy = Proxy.environment

        /// Whether servers' certificates are checked; true by default.
        ///
        /// If not, anyone on the network path can read and change the loaded data.
        public var verifiesCertificates = true

        /// A file of certificates (PEM) to be trusted in place of the system's; nil for the system's.
        public var certificateAuthorityFile: String?

        /// Addresses for hosts, used instead of name resolution: lines as for curl's `--resolve`,
        /// "HOST:PORT:ADDRESS".
        public var hostAddresses: [String] = []

        /// The path of a netrc file, whose user names and passwords are sent to the hosts that it names; `nil` if there
        /// is none.
        ///
        /// The file is read when it is first needed. A `PageLoader` adds the credentials at the start of a load, as if
        /// they were the request's own Authorization: the cache stores the responses to them separately, and they are
        /// not sent after a redirect to another origin (scheme, host, port), nor for a page's resources on another
        /// origin.
        public var netrcFile: String?

        /// Which addresses may be connected to; all by default.
        ///
        /// It is not known where a proxy connects to, so restricting the addresses behind a proxy is an
        /// error, unless `no_proxy` excludes the host.
        public var allowedAddresses = AllowedAddresses.all

        /// Called with each line that is sent or received, on the driver's thread; nil for no log.
        ///
        /// Passwords and tokens are left out.
        public var log: (@Sendable (FetchLogLine) -> Void)?

        /// Called with the number of body bytes (on the wire) each time some arrive, on the driver's thread; `nil` for
        /// no progress reports.
        public var progress: (@Sendable (FetchProgress) -> Void)?

        /// The recorder of all exchanges with servers; `nil` for no recording, which costs nothing.
        package var recorder: (any ExchangeRecorder)?

        /// Creates a configuration with the defaults.
        public init() {}
    }

    /// Which proxy requests go through.
    public enum Proxy: Hashable, Sendable {
        /// The one that `http_proxy`, `https_proxy` and `all_proxy` name, unless `no_proxy` excludes the
        /// host.
        case environment
        /// None.
        case none
        /// A proxy as curl's `-x` names it: a URL whose scheme is `http`, `https`, `socks4`, `socks4a`, `socks5` or
        /// `socks5h`; `no_proxy` excludes hosts from it too.
        case server(String)
    }
}

/// A line of what a fetcher sends, receives and does.
public struct FetchLogLine: Sendable, Equatable {
    /// The kind of a line.
    public enum Kind: Sendable, Equatable {
        /// An action: a name resolved, a connection made.
        case information
        /// A line of the request.
        case sent
        /// A line of the response's head.
        case received
    }

    /// The kind of the line.
    public let kind: Kind
    /// The line, without its end.
    public let text: String
}

/// The progress of a transfer.
public struct FetchProgress: Sendable, Equatable {
    /// The URL that is being loaded.
    public let url: WebURL
    /// The number of bytes that have just arrived.
    public let newBytes: Int
    /// Whether they are the first of the body.
    public let isFirst: Bool
}
