extension JSONValue {
    /// The document as UTF-8, without white space.
    ///
    /// - Parameter sortingNames: Whether objects' members are sorted by their names' code points, as they are unless
    ///   said otherwise, or keep their order.
    /// - Returns: The text.
    /// - Complexity: O(n) in its length, and the sorting.
    public func serialized(sortingNames: Bool = true) -> [UInt8] {
        var output = unsafe ByteBuffer()
        defer { unsafe output.deallocate() }
        unsafe write(into: &output, sortingNames)
        return unsafe output.bytes
    }

    private func write(into output: inout ByteBuffer, _ sortingNames: Bool) {
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
                // Places are sorted, not members, of which each copy is counted twice.
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

    private static func write(_ value: Double, into output: inout ByteBuffer) {
        guard value.isFinite else {
            unsafe output.append("null")
            return
        }
        var text = "\(value)"
        text.withUTF8 { unsafe output.append($0[...]) }
    }

    private static func write(_ value: Int64, into output: inout ByteBuffer) {
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

    /// Writes a string, runs of bytes that need no escape as they are.
    ///
    /// [RFC 8259, section 7](https://www.rfc-editor.org/rfc/rfc8259#section-7)
    private static func write(_ string: String, into output: inout ByteBuffer) {
        unsafe output.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            var start = 0
            var index = 0
            while index < bytes.count {
                // Most strings need none: eight bytes at a time.
                if index + 8 <= bytes.count {
                    let word = unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(
                        fromByteOffset: index,
                        as: UInt64.self
                    )
                    if !mayNeedEscape(word) {
                        index += 8
                        continue
                    }
                }
                let end = min(index + 8, bytes.count)
                while index < end {
                    if unsafe needsEscape(bytes[index]) {
                        unsafe output.append(bytes[start..<index])
                        unsafe escape(bytes[index], into: &output)
                        start = index + 1
                    }
                    index += 1
                }
            }
            unsafe output.append(bytes[start...])
        }
        unsafe output.append(UInt8(ascii: "\""))
    }

    /// Whether one of eight bytes needs an escape; at times true where none does, never false where one does.
    private static func mayNeedEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        func holds(_ byte: UInt64) -> UInt64 {
            let difference = word ^ (ones &* byte)
            return (difference &- ones) & ~difference
        }
        let isControl = (word &- ones &* 0x20) & ~word
        return (isControl | holds(0x22) | holds(0x5C) | holds(0x7F)) & (ones &* 0x80) != 0
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private static func escape(_ byte: UInt8, into output: inout ByteBuffer) {
        switch byte {
        case UInt8(ascii: "\""): unsafe output.append(#"\""#)
        case UInt8(ascii: "\\"): unsafe output.append(#"\\"#)
        case 0x0A: unsafe output.append(#"\n"#)
        case 0x0D: unsafe output.append(#"\r"#)
        case 0x09: unsafe output.append(#"\t"#)
        default:
            unsafe output.append(#"\u00"#)
            for digit in [byte >> 4, byte & 0xF] {
                unsafe output.append(
                    digit < 10 ? UInt8(ascii: "0") | digit : UInt8(ascii: "a") &+ digit &- 10
                )
            }
        }
    }
}
