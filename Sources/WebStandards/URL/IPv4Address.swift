/// An IPv4 address in a URL's host.
///
/// <https://url.spec.whatwg.org/#concept-ipv4>
struct IPv4Address: Equatable, Sendable {
    let value: UInt32

    /// The IPv4 parser, for an ASCII domain for which ``endsInNumber(_:)`` is true.
    ///
    /// - Parameters:
    ///   - domain: the domain.
    ///   - offset: where the domain begins, for the error.
    /// - Throws: ``WebURLError`` if the domain is not an IPv4 address.
    init(parsing domain: Span<UInt8>, offset: Int) throws(WebURLError) {
        var end = domain.count
        if end > 1, domain[end - 1] == URLByte.fullStop {
            end -= 1
        }
        var sum: UInt64 = 0
        var last: UInt64 = 0
        var parts = 0
        var start = 0
        for index in 0...end where index == end || domain[index] == URLByte.fullStop {
            guard parts < 4 else {
                throw WebURLError(.ipv4TooManyParts, at: offset)
            }
            guard let number = Self.parseNumber(domain.extracting(start..<index)) else {
                throw WebURLError(.ipv4NonNumericPart, at: offset + start)
            }
            // Any but the last item must fit a byte.
            if parts > 0 {
                guard last <= 255 else {
                    throw WebURLError(.ipv4OutOfRangePart, at: offset)
                }
                sum &+= last << UInt64(truncatingIfNeeded: 8 * (4 - parts))
            }
            last = number
            parts += 1
            start = index + 1
        }
        guard last < 1 << UInt64(truncatingIfNeeded: 8 * (5 - parts)),
            let value = UInt32(exactly: sum &+ last)
        else {
            throw WebURLError(.ipv4OutOfRangePart, at: offset)
        }
        self.value = value
    }

    /// The ends-in-a-number checker.
    ///
    /// <https://url.spec.whatwg.org/#ends-in-a-number-checker>
    @inline(__always)
    static func endsInNumber(_ domain: Span<UInt8>) -> Bool {
        var end = domain.count
        if end > 0, domain[end - 1] == URLByte.fullStop {
            end -= 1
        }
        // The last label is decimal digits, or "0x" and hexadecimal digits: its last character rules out
        // nearly all names.
        guard end > 0, URLByte.hexValue(domain[end - 1]) != nil || domain[end - 1] | 0x20 == 0x78 else {
            return false
        }
        var start = end
        while start > 0, domain[start - 1] != URLByte.fullStop {
            start -= 1
        }
        return isNumber(domain.extracting(start..<end))
    }

    private static func isNumber(_ label: Span<UInt8>) -> Bool {
        guard label.count > 0, URLByte.isDigit(label[0]) else { return false }
        if label.count > 1, label[0] == URLByte.zero, label[1] | 0x20 == 0x78 {
            for index in 2..<label.count where URLByte.hexValue(label[index]) == nil { return false }
            return true
        }
        for index in 0..<label.count where !URLByte.isDigit(label[index]) { return false }
        return true
    }

    /// The IPv4 number parser: nil is failure; a number too large for any address is 2³².
    private static func parseNumber(_ input: Span<UInt8>) -> UInt64? {
        guard input.count > 0 else { return nil }
        var radix: UInt64 = 10
        var start = 0
        if input.count > 1, input[0] == URLByte.zero {
            (radix, start) = input[1] | 0x20 == 0x78 ? (16, 2) : (8, 1)
        }
        var number: UInt64 = 0
        for index in start..<input.count {
            guard let digit = URLByte.hexValue(input[index]), digit < radix else { return nil }
            number = min(number &* radix &+ UInt64(digit), 1 << 32)
        }
        return number
    }

    /// The IPv4 serializer.
    ///
    /// <https://url.spec.whatwg.org/#concept-ipv4-serializer>
    func write(to output: inout URLWriter) {
        for index: UInt32 in 0..<4 {
            if index > 0 { output.append(URLByte.fullStop) }
            output.appendDecimal(UInt16(truncatingIfNeeded: value >> (24 &- 8 &* index) & 0xFF))
        }
    }
}
