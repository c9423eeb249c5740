extension CommandFlag {
    /// The flags about connections, credentials, cookies and retries; all are curl's.
    static let connection: [CommandFlag] = [
        .value("-x", or: "--proxy", value: "url", help: "Use a proxy; \"\" for none.") {
            $0.loading.connection.proxy = $1
        },
        .value(
            "-u",
            or: "--user",
            value: "name:password",
            help:
                "Send a user name and a password to the URL's origin; of a name alone, the password is asked at the terminal."
        ) { $0.loading.connection.user = $1 },
        .value("--oauth2-bearer", value: "token", help: "Send a bearer token to the URL's origin.") {
            $0.loading.connection.bearer = $1
        },
        .flag("-n", or: "--netrc", help: "Read names and passwords from ~/.netrc.") {
            $0.loading.connection.usesNetrc = true
        },
        .value("--netrc-file", value: "file", help: "Read names and passwords from a file.") {
            $0.loading.connection.netrcFile = $1
        },
        .values(
            "-b",
            or: "--cookie",
            value: "data|file",
            help: "Send cookies: \"a=1; b=2\", or those of a file."
        ) { $0.loading.connection.cookies.append($1) },
        .value("-c", or: "--cookie-jar", value: "file", help: "Write the cookies to a file at the end.") {
            $0.loading.connection.cookieJar = $1
        },
        .flag("-k", or: "--insecure", help: "Accept any certificate; the response is not stored.") {
            $0.loading.connection.isInsecure = true
        },
        .value("--cacert", value: "file", help: "Trust only the certificates of a file.") {
            $0.loading.connection.certificateAuthority = $1
        },
        .values("--resolve", value: "host:port:address", help: "Use this address for a host.") {
            $0.loading.connection.addresses.append($1)
        },
        .number("--retry", value: "n", default: 0, help: "Retries after a failure that may be temporary (0).")
        { (line, count) throws(Failure) in
            guard count >= 0 else { throw Failure(usage: "--retry \(count)", "not a number of retries") }
            line.loading.connection.retries = count
        },
        .value(
            "--retry-max-time",
            value: "s",
            help: "Seconds within which to retry.",
            read: LoadingOptions.seconds
        ) { $0.loading.connection.retryMaximumTime = $1 },
    ]
}
