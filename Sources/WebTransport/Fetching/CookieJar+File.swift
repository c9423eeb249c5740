/// The file format of Netscape and curl: seven fields per line, separated by tabs.
extension CookieJar {
    /// The maximum size of a cookie file in bytes, 16 MiB.
    private static let maximumFileSize = 16 << 20

    /// Reads a jar from a file; lines that are not cookies are skipped.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``/WebStandards/FileError`` if it cannot be read.
    public convenience init(file path: String) throws(FileError) {
        try self.init(file: path, within: WaitLimit(seconds: LoadLimits().maximumSeconds))
    }

    /// Reads a jar from a file or a pipe; waits for it at most `seconds`.
    package convenience init(file path: String, within seconds: Double?) throws(FileError) {
        try self.init(file: path, within: WaitLimit(seconds: seconds))
    }

    private convenience init(file path: String, within limit: WaitLimit) throws(FileError) {
        let bytes = try FileReader.read(path: path, maximumSize: Self.maximumFileSize, within: limit)
        self.init(text: bytes)
    }

    /// Reads a jar from the contents of such a file.
    ///
    /// - Parameter text: The bytes.
    public convenience init(text: [UInt8]) {
        // From the end, where the newest are: more than a jar has room for need not be read.
        var cookies: [Cookie] = []
        for line in text.split(separator: 0x0A).reversed() where cookies.count < Self.maximumCount {
            if let cookie = Cookie(netscapeLine: line) { cookies.append(cookie) }
        }
        self.init(cookies.reversed())
    }

    /// Writes the jar to a file, replacing an existing one; includes session cookies, as curl does.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``/WebStandards/FileError`` if it cannot be written.
    public func write(file path: String) throws(FileError) {
        try FileWriter.write(Array(text().utf8), to: path, mode: FileWriter.isPrivate)
    }

    /// The contents of such a file.
    ///
    /// - Parameter now: Cookies that have expired by this time are left out.
    /// - Returns: The file's text.
    public func text(now: Timestamp = .now) -> String {
        var text = "# Netscape HTTP Cookie File\n\n"
        for cookie in cookies where !cookie.hasEnded(by: now) { text += cookie.netscapeLine }
        return text
    }
}

extension Cookie {
    private static let httpOnlyMark = Array("#HttpOnly_".utf8)

    /// Reads a line; nil if it is a comment or not a cookie.
    fileprivate init?(netscapeLine line: ArraySlice<UInt8>) {
        var line = line
        if line.last == 0x0D { line.removeLast() }
        let isHTTPOnly = line.starts(with: Self.httpOnlyMark)
        if isHTTPOnly { line = line.dropFirst(Self.httpOnlyMark.count) }
        guard line.first != UInt8(ascii: "#") else { return nil }
        var parts = line.split(separator: 0x09, maxSplits: 6, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        // A line that ends after the name has an empty value.
        if parts.count == 6 { parts.append("") }
        // Extensions of browsers write fractions of seconds, which curl reads up to the point.
        guard parts.count == 7, let seconds = Int64(parts[4].prefix { $0 != "." }) else { return nil }
        let domain = parts[0].utf8.first == UInt8(ascii: ".") ? String(parts[0].dropFirst()) : parts[0]
        self.init(
            name: parts[5],
            value: parts[6],
            domain: Self.host(ofLine: String(asciiLowercasing: domain.utf8)),
            path: parts[2]
        )
        isHostOnly = !parts[1].isEqualIgnoringASCIICase(to: "true")
        isSecure = parts[3].isEqualIgnoringASCIICase(to: "true")
        self.isHTTPOnly = isHTTPOnly
        // 0 is the end of the session.
        if seconds != 0 {
            expires = Timestamp(millisecondsSince1970: min(max(seconds, 0), Self.lastSecond) *| 1000)
        }
        guard isWellFormed else { return nil }
        if !isHostOnly {
            // As for a cookie from a server: never for a public suffix, and an address has no subdomains.
            if WebURL.isAddress(host: self.domain) {
                isHostOnly = true
            } else if PublicSuffix.contains(self.domain) {
                return nil
            }
        }
    }

    /// The last second of the year 9999.
    private static let lastSecond: Int64 = 253_402_300_799

    /// The host of a URL that a line's domain stands for: curl writes IPv6 addresses without brackets.
    private static func host(ofLine domain: String) -> String {
        domain.utf8.contains(UInt8(ascii: ":")) && domain.utf8.first != UInt8(ascii: "[")
            ? "[\(domain)]" : domain
    }

    /// The domain as a line has it: IPv6 addresses without brackets.
    private var lineDomain: String {
        guard domain.utf8.first == UInt8(ascii: "["), domain.utf8.last == UInt8(ascii: "]") else {
            return domain
        }
        return String(domain.dropFirst().dropLast())
    }

    /// The cookie as a line.
    fileprivate var netscapeLine: String {
        let fields = [
            "\(isHTTPOnly ? "#HttpOnly_" : "")\(isHostOnly ? "" : ".")\(lineDomain)",
            isHostOnly ? "FALSE" : "TRUE", path,
            isSecure ? "TRUE" : "FALSE", "\(expires?.secondsSince1970 ?? 0)", name, value,
        ]
        return fields.joined(separator: "\t") + "\n"
    }
}
