import Glibc
import HTTPTypes
import WebLoader

/// The options for connections, credentials, cookies and retries.
struct ConnectionOptions: Equatable {
    var proxy: String?
    var user: String?
    var bearer: String?
    var usesNetrc = false
    var netrcFile: String?
    var cookies: [String] = []
    var cookieJar: String?
    var isInsecure = false
    var certificateAuthority: String?
    var addresses: [String] = []
    var retries = 0
    var retryMaximumTime: Double?
    /// Connections at once, also to one host, where a job of many pages sees to its pace; nil for those of a page.
    var maximumConnections: Int?

    /// Applies the options to a loader's configuration.
    func set(
        _ configuration: inout PageLoader.Configuration,
        log: (@Sendable (FetchLogLine) -> Void)?,
        progress: (@Sendable (FetchProgress) -> Void)? = nil
    ) throws(Failure) {
        guard self != ConnectionOptions() || log != nil || progress != nil else { return }
        var fetching = CurlFetcher.Configuration()
        if let proxy { fetching.proxy = proxy.isEmpty ? .none : .server(proxy) }
        fetching.verifiesCertificates = !isInsecure
        fetching.certificateAuthorityFile = certificateAuthority
        fetching.hostAddresses = try addresses.map { (line) throws(Failure) in try Self.address(line) }
        fetching.netrcFile = try netrc()
        if let maximumConnections {
            fetching.maximumConnections = maximumConnections
            fetching.maximumConnectionsPerHost = maximumConnections
        }
        fetching.log = log
        fetching.progress = progress
        configuration.fetcher = CurlFetcher(configuration: fetching)
        configuration.retryPolicy.maximumRetries = retries
        configuration.retryPolicy.maximumTime = retryMaximumTime.map(Duration.init(boundedSeconds:))
        configuration.cookieJar = try jar(within: configuration.limits.maximumSeconds)
    }

    /// Applies the options to a request.
    func set(_ request: inout WebRequest) throws(Failure) {
        if let user, request.headerFields[.authorization] == nil {
            var credentials = user
            if !user.utf8.contains(UInt8(ascii: ":")) {
                credentials += ":\(try PasswordPrompt.password(of: user, for: "-u"))"
            }
            request.headerFields[.authorization] = "Basic \(Base64.encode(Array(credentials.utf8)))"
        }
        if let bearer, request.headerFields[.authorization] == nil {
            guard HTTPField.isValidValue(bearer) else {
                throw Failure(
                    usage: "--oauth2-bearer",
                    "the token has a character that is not allowed in a field"
                )
            }
            request.headerFields[.authorization] = "Bearer \(bearer)"
        }
        guard let literal = try literalCookies() else { return }
        request.headerFields[.cookie] = [request.headerFields[.cookie], literal].compactMap(\.self).joined(
            separator: "; "
        )
    }

    /// The cookies that `-b` has in words, as a field; nil if there are none.
    private func literalCookies() throws(Failure) -> String? {
        let data = cookies.filter(Self.isLiteral)
        guard !data.isEmpty else { return nil }
        let field = data.joined(separator: "; ")
        guard HTTPField.isValidValue(field) else {
            throw Failure(usage: "-b", "a cookie has a character that is not allowed in a field")
        }
        return field
    }

    /// Whether a value of `-b` is cookies, and not the name of a file.
    private static func isLiteral(_ value: String) -> Bool { value.utf8.contains(UInt8(ascii: "=")) }

    /// Takes away the cookies that `-b` has in words, each as `name=value`, for a jar that is to have them.
    mutating func takeLiteralCookies() throws(Failure) -> [String] {
        let pairs =
            try literalCookies()?.split(separator: ";").map { String($0).trimmingASCIIWhitespace } ?? []
        cookies.removeAll(where: Self.isLiteral)
        return pairs.filter { !$0.isEmpty }
    }

    /// Writes the cookies to the file of `-c`.
    func save(_ jar: CookieJar?) throws(Failure) {
        guard let cookieJar, let jar else { return }
        if cookieJar == "-" { return try Output.write(Array(jar.text().utf8)) }
        do throws(FileError) {
            try jar.write(file: cookieJar)
        } catch {
            throw Failure(subject: cookieJar, error.reason, code: error.code.rawValue, status: .file)
        }
    }

    /// The cookies of the files that `-b` names; a file that does not exist has none.
    private func jar(within seconds: Double?) throws(Failure) -> CookieJar? {
        let files = cookies.filter { !Self.isLiteral($0) }
        guard !files.isEmpty || cookieJar != nil else { return nil }
        var kept: [Cookie] = []
        for file in files where !file.isEmpty {
            do throws(FileError) {
                kept += try CookieJar(file: file, within: seconds).cookies
            } catch {
                if error.code == .notFound { continue }
                throw Failure(
                    subject: file,
                    error.reason,
                    code: error.code.rawValue,
                    status: ExitStatus(error.code)
                )
            }
        }
        return CookieJar(kept)
    }

    private func netrc() throws(Failure) -> String? {
        if let netrcFile { return netrcFile }
        guard usesNetrc else { return nil }
        guard let home = unsafe getenv("HOME") else { throw Failure(usage: "--netrc", "$HOME is not set") }
        return unsafe "\(String(cString: home))/.netrc"
    }

    /// "HOST:PORT:ADDRESS", possibly with several addresses, or "-HOST:PORT", as for curl.
    private static func address(_ line: String) throws(Failure) -> String {
        let parts = line.utf8.split(
            separator: UInt8(ascii: ":"),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        let isRemoval = line.utf8.first == UInt8(ascii: "-")
        guard parts.count == 3 || isRemoval && parts.count == 2, !parts[0].isEmpty,
            UInt16(Substring(parts[1])) != nil, parts.count == 2 || !parts[2].isEmpty
        else {
            throw Failure(usage: "--resolve \(line)", "not as in HOST:PORT:ADDRESS")
        }
        return line
    }
}
