import WebStandards

/// The strings of a JSON text that has been read, each by where it begins.
struct JSONStrings {
    var bytes: [UInt8]

    /// Puts the string behind a quote in place of what is in `text`, in UTF-8, and returns the index behind its end.
    ///
    /// NUL, which HTML cannot express, and each half of a surrogate pair become U+FFFD.
    @discardableResult
    func read(at start: Int, into text: inout [UInt8]) -> Int {
        text.removeAll(keepingCapacity: true)
        return append(at: start, to: &text)
    }

    /// Whether two strings are written with the same bytes.
    func areEqual(_ left: Int, _ right: Int) -> Bool {
        var (left, right) = (left, right)
        var isEscaped = false
        while max(left, right) < bytes.count, bytes[left] == bytes[right] {
            if bytes[left] == UInt8(ascii: "\""), !isEscaped { return true }
            isEscaped = bytes[left] == UInt8(ascii: "\\") && !isEscaped
            left += 1
            right += 1
        }
        return false
    }

    /// Puts a string behind what is in `text`, and returns the index behind its end.
    @discardableResult
    func append(at start: Int, to text: inout [UInt8]) -> Int {
        var index = start
        var run = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            text.append(contentsOf: bytes[run..<index])
            index = appendEscape(at: index + 1, to: &text)
            run = index
        }
        text.append(contentsOf: bytes[run..<index])
        return min(index + 1, bytes.count)
    }

    private func appendEscape(at index: Int, to text: inout [UInt8]) -> Int {
        guard index < bytes.count else { return bytes.count }
        switch bytes[index] {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "u"):
            let lead = unit(at: index + 1)
            if lead & 0xFC00 == 0xD800, isUnit(at: index + 5) {
                let trail = unit(at: index + 7)
                if trail & 0xFC00 == 0xDC00 {
                    Self.append(0x10000 &+ (lead & 0x3FF) << 10 | (trail & 0x3FF), to: &text)
                    return index + 11
                }
            }
            let isScalar = lead != 0 && lead & 0xF800 != 0xD800
            Self.append(isScalar ? lead : 0xFFFD, to: &text)
            return min(index + 5, bytes.count)
        case let byte: text.append(byte)
        }
        return index + 1
    }

    private func isUnit(at index: Int) -> Bool {
        index + 6 <= bytes.count && bytes[index] == UInt8(ascii: "\\")
            && bytes[index + 1] == UInt8(ascii: "u")
    }

    /// The number that four hexadecimal digits are.
    private func unit(at index: Int) -> UInt32 {
        guard index + 4 <= bytes.count else { return 0 }
        var value: UInt32 = 0
        for place in index..<index + 4 {
            let byte = bytes[place]
            value = value << 4 | UInt32(byte.isASCIIDigit ? byte & 0xF : (byte & 0xF) &+ 9)
        }
        return value
    }

    private static func append(_ scalar: UInt32, to text: inout [UInt8]) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift) & 0x3F }
        switch scalar {
        case 0..<0x80: text.append(UInt8(truncatingIfNeeded: scalar))
        case 0..<0x800:
            text.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
            text.append(tail(0))
        case 0..<0x10000:
            text.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            text.append(tail(6))
            text.append(tail(0))
        default:
            text.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
            text.append(tail(12))
            text.append(tail(6))
            text.append(tail(0))
        }
    }
}
