import CCurl

/// The log of a transfer, line by line, with secrets removed.
extension CurlTransfer {
    static let debugCallback: curl_debug_callback = { _, type, bytes, count, context in
        guard let context = unsafe context else { return 0 }
        let transfer = unsafe transfer(context)
        if type == CURLINFO_HEADER_OUT, let recording = transfer.recording {
            unsafe recording.takeSent(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        guard let log = transfer.log else { return 0 }
        let kind: FetchLogLine.Kind
        switch type {
        case CURLINFO_TEXT: kind = .information
        case CURLINFO_HEADER_IN: kind = .received
        case CURLINFO_HEADER_OUT: kind = .sent
        default: return 0
        }
        let text = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
        for var line in text.split(separator: 0x0A) {
            if line.last == 0x0D { line.removeLast() }
            let (text, isSecret) = LogSecrets.without(line, continuesSecret: transfer.isLoggingSecret)
            if kind == .received { transfer.isLoggingSecret = isSecret }
            log(FetchLogLine(kind: kind, text: text))
        }
        return 0
    }
}

/// Removes secrets from a log: credentials and cookies in request and response fields, in libcurl's messages,
/// and in URLs.
enum LogSecrets {
    private static let fields = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "set-cookie2",
    ]

    /// Authentication schemes, which are not secret and stay in the log.
    private static let schemes = ["basic", "bearer", "digest", "negotiate", "ntlm"]

    /// A line without its secrets.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - continuesSecret: Whether the previous line had a secret, which this line continues if it begins with white
    ///     space.
    /// - Returns: The line, and whether it had a secret.
    static func without(
        _ line: ArraySlice<UInt8>,
        continuesSecret: Bool = false
    ) -> (text: String, isSecret: Bool) {
        if continuesSecret, line.first?.isHTTPTabOrSpace == true { return (" ***", true) }
        for colon in line.indices where line[colon] == UInt8(ascii: ":") {
            // The name may be inside a message of libcurl, as in "h2h3 [cookie: a=b]".
            let name = line[..<colon].suffix(while: \.isHTTPToken)
            let field = String(asciiLowercasing: name)
            guard fields.contains(field) else { continue }
            var kept = String(decoding: line[...colon], as: UTF8.self)
            let value = line[(colon + 1)...].drop(while: \.isHTTPTabOrSpace)
            let scheme = value.prefix { $0.isHTTPToken }
            if field.hasSuffix("authorization"), scheme.count < value.count,
                schemes.contains(String(asciiLowercasing: scheme))
            {
                kept += " \(String(decoding: scheme, as: UTF8.self))"
            }
            return ("\(kept) ***", true)
        }
        return (String(decoding: withoutUserInformation(line), as: UTF8.self), false)
    }

    /// A line with the user names and passwords of its URLs replaced by "***".
    private static func withoutUserInformation(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard line.contains(UInt8(ascii: "@")) else { return line }
        var output: ArraySlice<UInt8> = []
        var rest = line
        while let slashes = rest.indices.dropLast().first(where: {
            rest[$0] == UInt8(ascii: "/") && rest[$0 + 1] == UInt8(ascii: "/")
        }) {
            output += rest[..<(slashes + 2)]
            rest = rest[(slashes + 2)...]
            let authority = rest.prefix { $0 > 0x20 && !"/?#\"'<>".utf8.contains($0) }
            guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { continue }
            output += Array("***".utf8)
            rest = rest[at...]
        }
        return output + rest
    }
}

extension ArraySlice<UInt8> {
    /// The longest suffix whose bytes all satisfy the predicate.
    fileprivate func suffix(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var start = endIndex
        while start > startIndex, isWanted(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
