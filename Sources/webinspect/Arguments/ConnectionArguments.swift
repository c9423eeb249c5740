import ArgumentParser

/// The flags about connections, credentials, cookies and retries; all are curl's.
struct ConnectionArguments: ParsableArguments {
    @Option(
        name: [.customShort("x"), .customLong("proxy")],
        help: ArgumentHelp("Use a proxy; \"\" for none.", valueName: "url")
    )
    var proxy: String?

    @Option(
        name: [.customShort("u"), .customLong("user")],
        help: ArgumentHelp("Send a user name and a password to the URL's origin.", valueName: "name:password")
    )
    var user: String?

    @Option(
        name: .customLong("oauth2-bearer"),
        help: ArgumentHelp("Send a bearer token to the URL's origin.", valueName: "token")
    )
    var bearer: String?

    @Flag(
        name: [.customShort("n"), .customLong("netrc")],
        help: "Read names and passwords from ~/.netrc."
    )
    var netrc = false

    @Option(
        name: .customLong("netrc-file"),
        help: ArgumentHelp("Read names and passwords from a file.", valueName: "file")
    )
    var netrcFile: String?

    @Option(
        name: [.customShort("b"), .customLong("cookie")],
        help: ArgumentHelp("Send cookies: \"a=1; b=2\", or those of a file.", valueName: "data|file")
    )
    var cookies: [String] = []

    @Option(
        name: [.customShort("c"), .customLong("cookie-jar")],
        help: ArgumentHelp("Write the cookies to a file at the end.", valueName: "file")
    )
    var cookieJar: String?

    @Flag(
        name: [.customShort("k"), .customLong("insecure")],
        help: "Accept any certificate; the response is not stored."
    )
    var insecure = false

    @Option(
        name: .customLong("cacert"),
        help: ArgumentHelp("Trust only the certificates of a file.", valueName: "file")
    )
    var certificateAuthority: String?

    @Option(
        name: .customLong("resolve"),
        help: ArgumentHelp("Use this address for a host.", valueName: "host:port:address")
    )
    var addresses: [String] = []

    @Option(
        name: .customLong("retry"),
        help: ArgumentHelp("Retries after a failure that may be temporary (0).", valueName: "n")
    )
    var retries = 0

    @Option(
        name: .customLong("retry-max-time"),
        help: ArgumentHelp("Seconds within which to retry.", valueName: "s")
    )
    var retryMaximumTime: String?

    /// The parsed options as a plain value.
    func options() throws(Failure) -> ConnectionOptions {
        guard retries >= 0 else { throw Failure(usage: "--retry \(retries)", "not a number of retries") }
        var options = ConnectionOptions()
        options.proxy = proxy
        options.user = user
        options.bearer = bearer
        options.usesNetrc = netrc
        options.netrcFile = netrcFile
        options.cookies = cookies
        options.cookieJar = cookieJar
        options.isInsecure = insecure
        options.certificateAuthority = certificateAuthority
        options.addresses = addresses
        options.retries = retries
        options.retryMaximumTime = try retryMaximumTime.map { (text) throws(Failure) in
            try LoadingOptions.seconds(text)
        }
        return options
    }
}
