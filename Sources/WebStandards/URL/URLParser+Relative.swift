/// The states for references that take something from a base URL.
extension URLParser {
    mutating func specialRelativeOrAuthorityState(
        _ input: Span<UInt8>,
        _ pointer: Int,
        base: Span<UInt8>,
        _ baseLayout: URLLayout
    ) throws(WebURLError) {
        if input.byte(at: pointer) == URLByte.solidus, input.byte(at: pointer + 1) == URLByte.solidus {
            copyBaseScheme(base, baseLayout)
            try specialAuthorityIgnoreSlashesState(input, pointer + 2)
        } else {
            try relativeState(input, pointer, base: base, baseLayout)
        }
    }

    mutating func relativeState(
        _ input: Span<UInt8>,
        _ pointer: Int,
        base: Span<UInt8>,
        _ baseLayout: URLLayout
    ) throws(WebURLError) {
        guard let byte = input.byte(at: pointer) else {
            return copyBaseWithoutFragment(base, baseLayout)
        }
        if isPathSeparator(byte) {
            try relativeSlashState(input, pointer + 1, base: base, baseLayout)
        } else if byte == URLByte.questionMark {
            copyBaseThroughPath(base, baseLayout)
            queryState(input, pointer + 1)
        } else if byte == URLByte.numberSign {
            copyBaseWithoutFragment(base, baseLayout)
            fragmentState(input, pointer + 1)
        } else {
            copyBaseAuthority(base, baseLayout)
            copyShortenedPath(of: base, baseLayout)
            pathState(input, pointer)
        }
    }

    private mutating func relativeSlashState(
        _ input: Span<UInt8>,
        _ pointer: Int,
        base: Span<UInt8>,
        _ baseLayout: URLLayout
    ) throws(WebURLError) {
        if isSpecial, isPathSeparator(input, at: pointer) {
            copyBaseScheme(base, baseLayout)
            try specialAuthorityIgnoreSlashesState(input, pointer + 1)
        } else if input.byte(at: pointer) == URLByte.solidus {
            copyBaseScheme(base, baseLayout)
            try authorityState(input, pointer + 1)
        } else {
            copyBaseAuthority(base, baseLayout)
            pathState(input, pointer)
        }
    }

    // MARK: Copies of the base

    private mutating func copy(_ base: Span<UInt8>, upTo end: Int) {
        output.truncate(to: 0)
        output.append(base.extracting(0..<end))
    }

    /// Copies the base's scheme.
    private mutating func copyBaseScheme(_ base: Span<UInt8>, _ baseLayout: URLLayout) {
        copy(base, upTo: Int(baseLayout.schemeEnd) + 1)
        layout.scheme = baseLayout.scheme
        layout.schemeEnd = baseLayout.schemeEnd
    }

    /// Copies the base's scheme, credentials, host and port; the path is empty.
    mutating func copyBaseAuthority(_ base: Span<UInt8>, _ baseLayout: URLLayout) {
        copy(base, upTo: baseLayout.authorityEnd)
        layout = baseLayout
        layout.pathStart = position
    }

    /// Copies the base up to the end of its path.
    mutating func copyBaseThroughPath(_ base: Span<UInt8>, _ baseLayout: URLLayout) {
        copy(base, upTo: Int(baseLayout.queryStart))
        layout = baseLayout
        layout.fragmentStart = position
    }

    /// Copies the base without its fragment.
    mutating func copyBaseWithoutFragment(_ base: Span<UInt8>, _ baseLayout: URLLayout) {
        copy(base, upTo: Int(baseLayout.fragmentStart))
        layout = baseLayout
    }

    /// Appends the base's path without its last segment.
    mutating func copyShortenedPath(of base: Span<UInt8>, _ baseLayout: URLLayout) {
        output.append(base.extracting(baseLayout.pathRange))
        shortenPath()
    }
}
