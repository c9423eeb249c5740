extension WebURL {
    /// Creates a file URL from an absolute POSIX path.
    ///
    /// Every byte with a meaning in URLs is percent-encoded, including "%". "." and ".." are removed as in
    /// any URL, without resolving symbolic links.
    ///
    /// - Throws: ``WebURLError`` of kind `filePathNotAbsolute` or `filePathContainsNUL`.
    public init(filePath: String) throws(WebURLError) {
        let path = filePath.utf8.span
        guard path.byte(at: 0) == URLByte.solidus else {
            throw WebURLError(.filePathNotAbsolute, at: 0)
        }
        for index in 0..<path.count where path[index] == 0 {
            throw WebURLError(.filePathContainsNUL, at: index)
        }
        var input = Array("file://".utf8)
        input.reserveCapacity(input.count + path.count)
        for index in 0..<path.count {
            // A first segment that looks like a Windows drive letter is not one here.
            let mayFollowDriveLetter = index == 2 && path[index] == URLByte.colon
            let bytes = CollectionOfOne(path[index])
            Self.appendPercentEncoded(bytes, mayFollowDriveLetter ? .userinfo : .filePath, to: &input)
        }
        self = try Self.parse(validUTF8: input.span, base: nil)
    }

    /// The POSIX path of a file URL: percent-decoded, without query and fragment.
    ///
    /// `nil` for any other scheme, for a host that is not this machine (empty or "localhost"), and for a path that is
    /// not a POSIX path: one with an encoded "/" or NUL, or that does not decode to UTF-8.
    public var filePath: String? {
        guard layout.scheme == .file, layout.hostRange.isEmpty else { return nil }
        let path = href.utf8.span.extracting(layout.pathRange)
        let decoded = PercentDecoding.decode(path)
        var separators = 0
        for index in 0..<path.count where path[index] == URLByte.solidus { separators += 1 }
        for byte in decoded {
            if byte == 0 { return nil }
            if byte == URLByte.solidus { separators -= 1 }
        }
        return separators == 0 ? String(validating: decoded, as: UTF8.self) : nil
    }
}

extension URLByteSet {
    /// The path percent-encode set, and "%", "\" and "|".
    fileprivate static let filePath = URLByteSet(
        low: URLByteSet.path.low | 1 << 0x25,
        high: URLByteSet.path.high | 1 << (0x5C - 0x40) | 1 << (0x7C - 0x40)
    )
}
