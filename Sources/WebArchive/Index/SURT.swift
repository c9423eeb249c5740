package import WebStandards

/// The key under which an index has a URL: "com,example)/path?query".
///
/// CDXJ 0.1 asks only for the reversed host and lower case. The indexes that exist are written by cdxj-indexer and pywb,
/// both with the Internet Archive's canonicalization, and those are the ones that are to be found; so this goes by what
/// they write. That drops "www." and "www2.", default ports, user names, fragments, session IDs, a last slash and empty
/// queries, undoes percent-encoding until nothing is left of it, and sorts the query. It differs on purpose in four
/// things, of which they leave some keys that cannot be looked up:
///
/// - A host is read as the URL standard reads it, so that IPv6 addresses and names in Unicode have one form, the one that
///   browsers ask for. Brackets are left out, as they do.
/// - An authority such as "example.com:443", the target of CONNECT, is a host with a port, not the scheme "example.com".
/// - A port that is no port stays as it is written, where they use the whole URL as its key.
/// - Whatever would end the key in a line, such as a space in a scheme, is percent-encoded.
///
/// [CDXJ 0.1, section 3](https://specs.webrecorder.net/cdxj/0.1.0/#searchable-url)
package enum SURT {
    /// The key of a URL.
    package static func key(of url: WebURL) -> String { key(of: url.href) }

    /// The key of a URL as it is written in an archive, whether it is valid or not; "-" for an empty one.
    ///
    /// - Complexity: O(*n* log *n*) in its length.
    package static func key(of url: String) -> String {
        String(decoding: key(ofBytes: Array(url.utf8)), as: UTF8.self)
    }

    /// The key of a URL that was asked with a body: what it says is appended to the query, so that each is found by its own.
    ///
    /// - Parameters:
    ///   - url: The URL as written.
    ///   - method: The method; GET, and one that is not known, have the key of the URL.
    ///   - contentType: The field Content-Type of the request, nil if it has none.
    ///   - body: The body, without its transfer coding.
    /// - Returns: The key.
    package static func key(of url: String, method: String, contentType: String?, body: [UInt8]) -> String {
        let method = method.uppercased()
        guard method != "GET", !method.isEmpty else { return key(of: url) }
        let query = RequestBodyQuery.query(contentType: contentType, body: body)
        let mark = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return key(of: "\(url)\(mark)__wb_method=\(method)\(query.isEmpty ? "" : "&\(query)")")
    }

    private static func key(ofBytes url: [UInt8]) -> [UInt8] {
        let url = cleaned(url)
        guard !url.isEmpty else { return [UInt8(ascii: "-")] }
        // The name of an ARC file in its own first record is no URL.
        guard !url.starts(with: "filedesc".utf8) else { return escaped(url) }
        var parts = SURTParts(url)
        let isHTTP = parts.scheme.elementsEqual("http".utf8) || parts.scheme.elementsEqual("https".utf8)
        if parts.scheme.starts(with: "http".utf8), parts.host.isEmpty { parts.takeHostOfPath() }

        var key: [UInt8] = []
        let host = host(parts.host, keepsWWW: parts.scheme.elementsEqual("dns".utf8))
        if host.isEmpty {
            key += escaped(parts.scheme)
            key.append(UInt8(ascii: ":"))
        } else {
            appendReversed(host, to: &key)
            let defaultPort = parts.scheme.elementsEqual("https".utf8) ? 443 : 80
            if !parts.port.isEmpty, !isHTTP || Int(bounded: parts.port) != defaultPort {
                key.append(UInt8(ascii: ":"))
                key += escaped(parts.port)
            }
            key.append(UInt8(ascii: ")"))
        }
        let plain = unescaped(parts.path)
        var path = lowercased(escaped(host.isEmpty ? plain[...] : normalized(plain)[...]))
        path = SURTSessions.removed(fromPath: path)
        if path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        key += path
        let query = query(parts.query)
        if !query.isEmpty {
            if path.isEmpty { key.append(UInt8(ascii: "/")) }
            key.append(UInt8(ascii: "?"))
            key += query
        }
        return key
    }

    // MARK: - Parts

    /// The URL without white space around it, and without line ends and tabs in it.
    private static func cleaned(_ url: [UInt8]) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte.isASCIIWhitespace || byte == 0x0B }
        guard let first = url.firstIndex(where: { !isBlank($0) }),
            let last = url.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return url[first...last].filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    }

    /// The host in lower case, without "www." and dots around it.
    ///
    /// - Parameters:
    ///   - written: The host as written.
    ///   - keepsWWW: Whether "www." stays: a record of DNS is of one name only.
    /// - Returns: The host; empty if there is none.
    private static func host(_ written: ArraySlice<UInt8>, keepsWWW: Bool) -> [UInt8] {
        var host = withoutExtraDots(lowercased(unescaped(written)))
        guard !host.isEmpty else { return [] }
        let text = String(decoding: host, as: UTF8.self)
        let isAddress = host.contains(UInt8(ascii: ":"))
        if let url = try? WebURL(isAddress ? "http://[\(text)]/" : "http://\(text)/"), url.path == "/",
            url.username.isEmpty, url.port == nil
        {
            host = Array(url.hostname.utf8)
            if isAddress { host = Array(host.dropFirst().dropLast()) }
        } else {
            host = lowercased(escaped(host))
        }
        guard !keepsWWW, host.starts(with: "www".utf8) else { return host }
        let rest = host.dropFirst(3).drop { $0.isASCIIDigit }
        return rest.first == UInt8(ascii: ".") ? Array(rest.dropFirst()) : host
    }

    /// A host with one dot for several, and none around it.
    private static func withoutExtraDots(_ host: [UInt8]) -> [UInt8] {
        let dot = UInt8(ascii: ".")
        guard host.first == dot || host.last == dot || host.contains(dot) else { return host }
        return Array(host.split(separator: dot).joined(separator: [dot]))
    }

    private static func appendReversed(_ host: [UInt8], to key: inout [UInt8]) {
        for (index, label) in host.split(separator: UInt8(ascii: ".")).reversed().enumerated() {
            if index > 0 { key.append(UInt8(ascii: ",")) }
            key += label
        }
    }

    /// A path without dot segments and repeated slashes.
    private static func normalized(_ path: [UInt8]) -> [UInt8] {
        guard !path.isEmpty else { return [UInt8(ascii: "/")] }
        var kept: [ArraySlice<UInt8>] = []
        // Bytes before the first slash are not part of a path.
        for segment in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        {
            if segment.elementsEqual(".".utf8) { continue }
            if segment.elementsEqual("..".utf8), !kept.isEmpty {
                kept.removeLast()
            } else {
                kept.append(segment)
            }
        }
        var result = [UInt8(ascii: "/")]
        for segment in kept.dropLast() where !segment.isEmpty {
            result += segment
            result.append(UInt8(ascii: "/"))
        }
        return result + (kept.last ?? [])
    }

    /// A query without session IDs, in order.
    private static func query(_ written: ArraySlice<UInt8>) -> [UInt8] {
        guard !written.isEmpty else { return [] }
        let query = lowercased(SURTSessions.removed(fromQuery: escaped(unescaped(written))))
        guard query.contains(UInt8(ascii: "&")) else { return query }
        let parameters = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return Array(parameters.sorted(by: precedes).joined(separator: [UInt8(ascii: "&")]))
    }

    /// Whether a parameter comes first: by its name, one without a value before those with one.
    private static func precedes(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
        let names = [a, b].map { $0.prefix { $0 != UInt8(ascii: "=") } }
        guard names[0].elementsEqual(names[1]) else {
            return names[0].lexicographicallyPrecedes(names[1])
        }
        return a.lexicographicallyPrecedes(b)
    }

    // MARK: - Percent-encoding

    /// Undoes percent-encoding until none is left.
    ///
    /// One pass is enough: what a sequence stands for may complete another only at its own place.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "%")) else { return Array(bytes) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            result.append(byte)
            while result.count >= 3, result[result.count - 3] == UInt8(ascii: "%"),
                let high = hexadecimal(result[result.count - 2]),
                let low = hexadecimal(result[result.count - 1])
            {
                result.removeLast(3)
                result.append(high << 4 | low)
            }
        }
        return result
    }

    /// Encodes what is not printable ASCII, "#" and "%".
    private static func escaped(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#"), byte != UInt8(ascii: "%") {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result += String(byte >> 4, radix: 16, uppercase: true).utf8
                result += String(byte & 15, radix: 16, uppercase: true).utf8
            }
        }
        return result
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        if byte.isASCIIDigit { return byte &- UInt8(ascii: "0") }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter &+ 10 : nil
    }

    private static func lowercased(_ bytes: [UInt8]) -> [UInt8] { bytes.map(\.asciiLowercased) }
}
