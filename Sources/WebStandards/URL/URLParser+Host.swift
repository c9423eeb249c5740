/// The host parser.
///
/// <https://url.spec.whatwg.org/#host-parsing>
extension URLParser {
    /// Parses the host in the range and appends it to the output.
    mutating func parseHost(_ input: Span<UInt8>, _ range: Range<Int>, isOpaque: Bool) throws(WebURLError) {
        let host = input.extracting(range)
        let offset = range.lowerBound
        if host.byte(at: 0) == URLByte.leftBracket {
            guard host[host.count - 1] == URLByte.rightBracket else {
                throw WebURLError(.ipv6Unclosed, at: range.upperBound)
            }
            let address = try IPv6Address(parsing: host, 1..<host.count - 1, offset: offset)
            output.append(URLByte.leftBracket)
            address.write(to: &output)
            output.append(URLByte.rightBracket)
        } else if isOpaque {
            try parseOpaqueHost(host, offset: offset)
        } else {
            try parseDomain(host, offset: offset)
        }
    }

    private mutating func parseOpaqueHost(_ host: Span<UInt8>, offset: Int) throws(WebURLError) {
        for index in 0..<host.count
        where host[index] < 0x80 && URLByteSet.forbiddenHost.contains(host[index]) {
            throw WebURLError(.hostInvalidCodePoint, at: offset + index)
        }
        appendPercentEncoded(host, from: 0, .c0Control, until: nil)
    }

    /// Parses a domain: plain ASCII in one pass, anything else with percent-decoding and UTS #46.
    private mutating func parseDomain(_ host: Span<UInt8>, offset: Int) throws(WebURLError) {
        var index = 0
        var hasUppercase = false
        while index < host.count, !URLByteSet.forbiddenDomain.contains(host[index]) {
            hasUppercase = hasUppercase || URLByte.isUppercase(host[index])
            index &+= 1
        }
        if index == host.count {
            return try appendDomain(host, hasUppercase: hasUppercase, offset: offset)
        }
        // A forbidden code point may still be composed with a non-ASCII one.
        for later in index..<host.count where host[later] >= 0x80 || host[later] == URLByte.percent {
            return try parseEncodedDomain(host, offset: offset)
        }
        throw WebURLError(.domainInvalidCodePoint, at: offset + index)
    }

    private mutating func parseEncodedDomain(_ host: Span<UInt8>, offset: Int) throws(WebURLError) {
        var domain = PercentDecoding.decode(host)
        // An ASCII domain is only lowercased: domain to ASCII must not fail for it.
        if domain.contains(where: { $0 >= 0x80 }) {
            guard let ascii = DomainToASCII.convert(utf8: domain) else {
                throw WebURLError(.domainToASCII, at: offset)
            }
            domain = ascii
        }
        guard !domain.isEmpty else {
            throw WebURLError(.domainToASCII, at: offset)
        }
        for byte in domain where URLByteSet.forbiddenDomain.contains(byte) {
            throw WebURLError(.domainInvalidCodePoint, at: offset)
        }
        try appendDomain(domain.span, hasUppercase: true, offset: offset)
    }

    /// Writes an ASCII domain, or an IPv4 address if it ends in a number.
    private mutating func appendDomain(
        _ domain: Span<UInt8>,
        hasUppercase: Bool,
        offset: Int
    ) throws(WebURLError) {
        if IPv4Address.endsInNumber(domain) {
            let address = try IPv4Address(parsing: domain, offset: offset)
            return address.write(to: &output)
        }
        let start = output.count
        output.append(domain)
        if hasUppercase {
            output.lowercase(from: start)
        }
    }
}
