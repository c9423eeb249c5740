extension JSONValue {
    /// The document as UTF-8, without white space.
    ///
    /// - Parameter sortingNames: Whether objects' members are sorted by their names' code points (the
    ///   default), or keep their order.
    /// - Returns: The text.
    /// - Complexity: O(n) in its length, and the sorting.
    public func serialized(sortingNames: Bool = true) -> [UInt8] {
        serialized(sortingNames, isLine: false)
    }

    /// The document as ``serialized(sortingNames:)``, with a line feed at the end.
    package var line: [UInt8] { serialized(true, isLine: true) }

    /// The same with the members as they stand.
    package var lineInOrder: [UInt8] { serialized(false, isLine: true) }

    private func serialized(_ sortingNames: Bool, isLine: Bool) -> [UInt8] {
        var output = unsafe ByteBuffer()
        defer { unsafe output.deallocate() }
        unsafe write(into: &output, sortingNames)
        if isLine { unsafe output.append(0x0A) }
        return unsafe output.bytes
    }

    func write(into output: inout ByteBuffer, _ sortingNames: Bool) {
        switch self {
        case .null: unsafe output.append("null")
        case .bool(let value): unsafe output.append(value ? "true" : "false")
        case .integer(let value): unsafe Self.write(value, into: &output)
        case .number(let value): unsafe Self.write(value, into: &output)
        case .string(let value): unsafe Self.write(value, into: &output)
        case .array(let values):
            unsafe output.append(UInt8(ascii: "["))
            var isFirst = true
            for value in values {
                if !isFirst { unsafe output.append(UInt8(ascii: ",")) }
                isFirst = false
                unsafe value.write(into: &output, sortingNames)
            }
            unsafe output.append(UInt8(ascii: "]"))
        case .object(let members):
            unsafe output.append(UInt8(ascii: "{"))
            if !sortingNames || Self.areSorted(members) {
                for index in members.indices {
                    unsafe Self.write(members[index], index, into: &output, sortingNames)
                }
            } else {
                // Indices are sorted, not members, since copies of members cost reference counting.
                let places = members.indices.sorted { members[$0].name < members[$1].name }
                for index in places.indices {
                    unsafe Self.write(members[places[index]], index, into: &output, sortingNames)
                }
            }
            unsafe output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(
        _ member: Member,
        _ index: Int,
        into output: inout ByteBuffer,
        _ sortingNames: Bool
    ) {
        if index > 0 { unsafe output.append(UInt8(ascii: ",")) }
        unsafe write(member.name, into: &output)
        unsafe output.append(UInt8(ascii: ":"))
        unsafe member.value.write(into: &output, sortingNames)
    }

    private static func areSorted(_ members: [Member]) -> Bool {
        var index = 1
        while index < members.count {
            if members[index].name < members[index - 1].name { return false }
            index += 1
        }
        return true
    }

    // MARK: - Numbers

    static func write(_ value: Double, into output: inout ByteBuffer) {
        guard value.isFinite else {
            unsafe output.append("null")
            return
        }
        var text = "\(value)"
        text.withUTF8 { unsafe output.append($0[...]) }
    }

    static func write(_ value: Int64, into output: inout ByteBuffer) {
        var rest = value.magnitude
        guard value < 0 || rest > 9 else {
            unsafe output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest))
            return
        }
        if value < 0 { unsafe output.append(UInt8(ascii: "-")) }
        var unit: UInt64 = 1
        while rest / unit > 9 { unit &*= 10 }
        while unit > 0 {
            unsafe output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
    }

    // MARK: - Strings

    /// Writes a string, copying runs of bytes that need no escape.
    ///
    /// Besides the escapes that JSON requires, characters that could control a terminal are escaped: control
    /// characters (C0 and C1), and marks of writing direction and of lines.
    ///
    /// [RFC 8259, section 7](https://www.rfc-editor.org/rfc/rfc8259#section-7)
    static func write(_ string: String, into output: inout ByteBuffer) {
        unsafe output.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            var start = 0
            var index = 0
            while index < bytes.count {
                // Most strings need no escape: they are checked eight bytes at a time.
                if let word = unsafe word(bytes, index), !mayNeedEscape(word) {
                    index += 8
                    continue
                }
                let end = min(index + 8, bytes.count)
                while index < end {
                    let length = unsafe escapedLength(bytes, index)
                    if length > 0 {
                        unsafe output.append(bytes[start..<index])
                        unsafe escape(bytes[index..<index + length], into: &output)
                        start = index + length
                    }
                    index += max(length, 1)
                }
            }
            unsafe output.append(bytes[start...])
        }
        unsafe output.append(UInt8(ascii: "\""))
    }

    /// Eight bytes from an index; if fewer are left, those and some before them; nil for a text of fewer than
    /// four.
    @inline(__always)
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt64? {
        let bytes = UnsafeRawBufferPointer(bytes)
        let count = bytes.count
        if count >= 8 {
            return unsafe bytes.loadUnaligned(fromByteOffset: min(index, count - 8), as: UInt64.self)
        }
        guard count >= 4 else { return nil }
        let first = unsafe bytes.loadUnaligned(as: UInt32.self)
        let last = unsafe bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
        return UInt64(first) | UInt64(last) << 32
    }

    /// Whether one of eight bytes needs an escape, or begins a character that may need one; may be a false
    /// positive, but never a false negative.
    @inline(__always)
    private static func mayNeedEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        func holds(_ byte: UInt64, _ word: UInt64) -> UInt64 {
            let difference = word ^ (ones &* byte)
            return (difference &- ones) & ~difference
        }
        let high = ones &* 0x80
        let isControl = (word &- ones &* 0x20) & ~word
        if (isControl | holds(0x22, word) | holds(0x5C, word) | holds(0x7F, word)) & high != 0 { return true }
        guard word & high != 0 else { return false }
        // C2 and E2, which differ in one bit, and D8.
        return (holds(0xE2, word | ones &* 0x20) | holds(0xD8, word)) & high != 0
    }

    /// The length in bytes of the character at an index, if it needs an escape; otherwise 0.
    @inline(__always)
    private static func escapedLength(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        let byte = unsafe bytes[index]
        if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F {
            return 1
        }
        return byte < 0xC2 ? 0 : unsafe ControlCharacter.length(bytes[index...])
    }

    private static func escape(_ character: Slice<UnsafeBufferPointer<UInt8>>, into output: inout ByteBuffer)
    {
        let first = unsafe character[character.startIndex]
        switch first {
        case UInt8(ascii: "\""): unsafe output.append(#"\""#)
        case UInt8(ascii: "\\"): unsafe output.append(#"\\"#)
        case 0x0A: unsafe output.append(#"\n"#)
        case 0x0D: unsafe output.append(#"\r"#)
        case 0x09: unsafe output.append(#"\t"#)
        default:
            var number = UInt16(first)
            let length = unsafe character.count
            if length > 1 { number &= length == 2 ? 0x1F : 0x0F }
            for offset in 1..<max(length, 1) {
                let byte = unsafe character[character.startIndex + offset]
                number = number << 6 | UInt16(byte & 0x3F)
            }
            unsafe output.append(#"\u"#)
            for shift: UInt16 in [12, 8, 4, 0] {
                let digit = UInt8(truncatingIfNeeded: number >> shift & 0xF)
                unsafe output.append(
                    digit < 10 ? UInt8(ascii: "0") | digit : UInt8(ascii: "a") &+ digit &- 10
                )
            }
        }
    }
}
