/// The states for file URLs.
extension URLParser {
    mutating func fileState(_ input: Span<UInt8>, _ pointer: Int, base: Span<UInt8>) throws(WebURLError) {
        layout.scheme = .file
        if isPathSeparator(input, at: pointer) {
            return try fileSlashState(input, pointer + 1, base: base)
        }
        guard let baseLayout, baseLayout.scheme == .file else {
            writeFileAuthority()
            return pathState(input, pointer)
        }
        guard let byte = input.byte(at: pointer) else {
            return copyBaseWithoutFragment(base, baseLayout)
        }
        if byte == URLByte.questionMark {
            copyBaseThroughPath(base, baseLayout)
            queryState(input, pointer + 1)
        } else if byte == URLByte.numberSign {
            copyBaseWithoutFragment(base, baseLayout)
            fragmentState(input, pointer + 1)
        } else {
            copyBaseAuthority(base, baseLayout)
            if !startsWithWindowsDriveLetter(input, pointer) {
                copyShortenedPath(of: base, baseLayout)
            }
            pathState(input, pointer)
        }
    }

    private mutating func fileSlashState(
        _ input: Span<UInt8>,
        _ pointer: Int,
        base: Span<UInt8>
    ) throws(WebURLError) {
        if isPathSeparator(input, at: pointer) {
            return try fileHostState(input, pointer + 1)
        }
        if let baseLayout, baseLayout.scheme == .file {
            copyBaseAuthority(base, baseLayout)
            if !startsWithWindowsDriveLetter(input, pointer) {
                copyDriveLetter(of: base, baseLayout)
            }
        } else {
            writeFileAuthority()
        }
        pathState(input, pointer)
    }

    private mutating func fileHostState(_ input: Span<UInt8>, _ start: Int) throws(WebURLError) {
        let end = fileHostEnd(input, start)
        writeFileAuthority()
        // Text that looks like a drive letter is the first segment of the path.
        if end - start == 2, startsWithWindowsDriveLetter(input, start) {
            return pathState(input, start)
        }
        try parseFileHost(input, start..<end)
        pathStartState(input, end)
    }

    /// The end of a file host that begins at the pointer.
    func fileHostEnd(_ input: Span<UInt8>, _ start: Int) -> Int {
        var end = start
        while let byte = input.byte(at: end), !isPathSeparator(byte), byte != URLByte.questionMark,
            byte != URLByte.numberSign
        {
            end += 1
        }
        return end
    }

    /// Parses a file host after "file://" has been written; "localhost" is the empty host.
    mutating func parseFileHost(_ input: Span<UInt8>, _ range: Range<Int>) throws(WebURLError) {
        guard !range.isEmpty else { return }
        let hostStart = output.count
        try parseHost(input, range, isOpaque: false)
        if isLocalhost(from: hostStart) {
            output.truncate(to: hostStart)
        }
        layout.hostEnd = position
        layout.pathStart = position
    }

    private func isLocalhost(from start: Int) -> Bool {
        let localhost = "localhost".utf8.span
        guard output.count - start == localhost.count else { return false }
        for index in 0..<localhost.count where output[start + index] != localhost[index] { return false }
        return true
    }

    /// Writes "file://", an empty host and an empty path.
    private mutating func writeFileAuthority() {
        output.truncate(to: 0)
        output.append("file".utf8.span)
        layout.schemeEnd = position
        output.append(URLByte.colon)
        beginAuthority()
    }

    /// Appends the first segment of the base's path, if it is a drive letter.
    private mutating func copyDriveLetter(of base: Span<UInt8>, _ baseLayout: URLLayout) {
        let path = base.extracting(baseLayout.pathRange)
        guard path.count >= 3, URLByte.isAlpha(path[1]), path[2] == URLByte.colon,
            path.count == 3 || path[3] == URLByte.solidus
        else { return }
        output.append(path.extracting(0..<3))
    }

    /// Whether the input from the pointer on starts with a Windows drive letter.
    ///
    /// <https://url.spec.whatwg.org/#start-with-a-windows-drive-letter>
    private func startsWithWindowsDriveLetter(_ input: Span<UInt8>, _ pointer: Int) -> Bool {
        guard let letter = input.byte(at: pointer), URLByte.isAlpha(letter),
            let mark = input.byte(at: pointer + 1), mark == URLByte.colon || mark == URLByte.verticalLine
        else { return false }
        guard let next = input.byte(at: pointer + 2) else { return true }
        return isPathSeparator(next) || next == URLByte.questionMark || next == URLByte.numberSign
    }
}
