/// The path states.
extension URLParser {
    /// Continues after the authority.
    mutating func pathStartState(_ input: Span<UInt8>, _ pointer: Int) {
        layout.pathStart = position
        if isSpecial {
            pathState(input, isPathSeparator(input, at: pointer) ? pointer + 1 : pointer)
            return
        }
        switch input.byte(at: pointer) {
        case nil, URLByte.questionMark, URLByte.numberSign:
            endPath(input, pointer)
        case URLByte.solidus:
            pathState(input, pointer + 1)
        default:
            pathState(input, pointer)
        }
    }

    /// Parses the path, whose first segment begins at the pointer, and the query and fragment after it.
    mutating func pathState(_ input: Span<UInt8>, _ pointer: Int) {
        let end = appendPath(input, pointer, stateOverride: false)
        endPath(input, end)
    }

    /// Appends the segments from the pointer to the path; returns where they end.
    ///
    /// The path's last segment is cut off by looking back for its "/", so that any number of ".." takes time linear
    /// in what has been written. With a state override "?" and "#" are part of the path.
    mutating func appendPath(_ input: Span<UInt8>, _ start: Int, stateOverride: Bool) -> Int {
        let interrupts = isSpecial ? URLByteSet.interruptsSpecialPath : URLByteSet.interruptsPath
        // A file's segments are examined one by one, for Windows drive letters.
        let runsThroughSegments = !isFile
        var pointer = start
        segments: while true {
            if let dots = dotSegment(input, pointer, stateOverride: stateOverride) {
                if dots.isDouble {
                    shortenPath()
                }
                pointer = dots.end
                if isPathSeparator(input, at: pointer) {
                    pointer += 1
                    continue segments
                }
                output.append(URLByte.solidus)
                break segments
            }
            if isFile, output.count == Int(layout.pathStart),
                let letter = windowsDriveLetterSegment(input, pointer, stateOverride: stateOverride)
            {
                output.append(URLByte.solidus)
                output.append(letter)
                output.append(URLByte.colon)
                pointer += 2
            } else {
                output.append(URLByte.solidus)
            }
            while true {
                let runStart = pointer
                while pointer < input.count {
                    let byte = input[pointer]
                    if interrupts.contains(byte) {
                        guard runsThroughSegments, byte == URLByte.solidus,
                            startsWithoutDotSegment(input, pointer &+ 1)
                        else { break }
                    }
                    pointer &+= 1
                }
                output.append(input.extracting(runStart..<pointer))
                guard let byte = input.byte(at: pointer) else { break segments }
                if isPathSeparator(byte) {
                    pointer += 1
                    continue segments
                }
                if !stateOverride, byte == URLByte.questionMark || byte == URLByte.numberSign {
                    break segments
                }
                output.appendPercentEncoded(byte)
                pointer &+= 1
            }
        }
        protectPath()
        return pointer
    }

    /// Removes the path's last segment, if any, except a drive letter that is the whole path of a file URL.
    ///
    /// <https://url.spec.whatwg.org/#shorten-a-urls-path>
    mutating func shortenPath() {
        let pathStart = Int(layout.pathStart)
        if isFile, output.count - pathStart == 3, URLByte.isAlpha(output[pathStart + 1]),
            output[pathStart + 2] == URLByte.colon
        {
            return
        }
        var end = output.count
        while end > pathStart {
            end &-= 1
            if output[end] == URLByte.solidus { break }
        }
        output.truncate(to: end)
    }

    /// Puts "/." before a path that would otherwise look like an authority.
    mutating func protectPath() {
        let pathStart = Int(layout.pathStart)
        guard !layout.hasHost, output[pathStart] == URLByte.solidus, output[pathStart + 1] == URLByte.solidus
        else { return }
        output.insert(URLByte.solidus, URLByte.fullStop, at: pathStart)
        layout.pathStart &+= 2
    }

    /// Whether there is a segment at the pointer that cannot be a dot segment.
    @inline(__always)
    private func startsWithoutDotSegment(_ input: Span<UInt8>, _ pointer: Int) -> Bool {
        guard pointer < input.count else { return false }
        return input[pointer] != URLByte.fullStop && input[pointer] != URLByte.percent
    }

    /// The single-dot or double-dot segment at the pointer, or nil.
    @inline(__always)
    private func dotSegment(
        _ input: Span<UInt8>,
        _ start: Int,
        stateOverride: Bool
    ) -> (isDouble: Bool, end: Int)? {
        guard start < input.count, !startsWithoutDotSegment(input, start), let first = dotEnd(input, start)
        else {
            return nil
        }
        if endsSegment(input, first, stateOverride: stateOverride) {
            return (false, first)
        }
        guard let second = dotEnd(input, first), endsSegment(input, second, stateOverride: stateOverride)
        else {
            return nil
        }
        return (true, second)
    }

    /// The end of a "." or "%2e" at the pointer, or nil.
    private func dotEnd(_ input: Span<UInt8>, _ pointer: Int) -> Int? {
        guard let byte = input.byte(at: pointer) else { return nil }
        if byte == URLByte.fullStop { return pointer + 1 }
        guard byte == URLByte.percent, input.byte(at: pointer + 1) == 0x32,
            let last = input.byte(at: pointer + 2), last | 0x20 == 0x65
        else { return nil }
        return pointer + 3
    }

    private func endsSegment(_ input: Span<UInt8>, _ pointer: Int, stateOverride: Bool) -> Bool {
        guard let byte = input.byte(at: pointer) else { return true }
        return isPathSeparator(byte)
            || !stateOverride && (byte == URLByte.questionMark || byte == URLByte.numberSign)
    }

    /// The letter, if the segment at the pointer is just a Windows drive letter.
    private func windowsDriveLetterSegment(
        _ input: Span<UInt8>,
        _ pointer: Int,
        stateOverride: Bool
    ) -> UInt8? {
        guard let letter = input.byte(at: pointer), URLByte.isAlpha(letter),
            let mark = input.byte(at: pointer + 1), mark == URLByte.colon || mark == URLByte.verticalLine,
            endsSegment(input, pointer + 2, stateOverride: stateOverride)
        else { return nil }
        return letter
    }
}
