import CHTMLTables

/// The character reference states.
extension HTMLTokenizer where Sink: ~Copyable {
    /// Reads a `&` in text, at `position`.
    mutating func characterReferenceInText() throws(HTMLParserError) -> Step {
        let reference = characterReference(at: position, inAttribute: false)
        if reference.isUnknown { return .needsInput }
        if reference.isNone {
            position += 1
            try emit(position - 1, position)
            return .proceed
        }
        position = reference.end
        scratch.reset()
        scratch.begin()
        reference.append(to: &scratch)
        try sink.characters(scratch.finish())
        return .proceed
    }

    /// [Character reference state](https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state), at the `&`.
    mutating func characterReference(at start: Int, inAttribute: Bool) -> HTMLCharacterReference {
        guard start + 1 < input.count else { return isFinal ? .none : .unknown }
        let next = input[start + 1]
        if next == UInt8(ascii: "#") { return numericReference(at: start) }
        guard next.isASCIIAlphanumeric else { return .none }
        return namedReference(at: start, inAttribute: inAttribute)
    }

    /// [Named character reference state](https://html.spec.whatwg.org/multipage/parsing.html#named-character-reference-state).
    private mutating func namedReference(at start: Int, inAttribute: Bool) -> HTMLCharacterReference {
        var index = start + 1
        var node: UInt32 = 0
        var value: UInt32 = 0
        var end = start
        // Find the longest name that matches.
        while true {
            guard index < input.count else {
                if isFinal { break }
                return .unknown
            }
            node = webl_reference_child(node, input[index])
            if node == 0 { break }
            index += 1
            let found = webl_reference_node_value(node)
            if found != 0 {
                value = found
                end = index
            }
        }
        guard value != 0 else {
            if reports.isEnabled { return ambiguousAmpersand(at: start) }
            return .none
        }
        if input[end - 1] != UInt8(ascii: ";") {
            if inAttribute {
                // For historical reasons: a name without `;` before `=` or an alphanumeric is text.
                guard end < input.count || isFinal else { return .unknown }
                if end < input.count, input[end] == UInt8(ascii: "=") || input[end].isASCIIAlphanumeric {
                    return .none
                }
            }
            report(.missingSemicolonAfterCharacterReference, at: end)
        }
        var bytes: UInt64 = 0
        let text = unsafe webl_reference_bytes(value &- 1)
        let count = Int(webl_reference_count(value &- 1))
        for index in 0..<count {
            bytes |= unsafe UInt64(text[index]) << UInt64(truncatingIfNeeded: 8 * index)
        }
        return HTMLCharacterReference(end: end, bytes: bytes, count: count)
    }

    /// [Ambiguous ampersand state](https://html.spec.whatwg.org/multipage/parsing.html#ambiguous-ampersand-state).
    private mutating func ambiguousAmpersand(at start: Int) -> HTMLCharacterReference {
        var index = start + 1
        while index < input.count, input[index].isASCIIAlphanumeric { index += 1 }
        guard index < input.count || isFinal else { return .unknown }
        if index < input.count, input[index] == UInt8(ascii: ";") {
            report(.unknownNamedCharacterReference, at: index)
        }
        return .none
    }

    /// [Numeric character reference state](https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-state).
    private mutating func numericReference(at start: Int) -> HTMLCharacterReference {
        var index = start + 2
        guard index < input.count else {
            if !isFinal { return .unknown }
            report(.absenceOfDigitsInNumericCharacterReference, at: index)
            return .none
        }
        var code: UInt32 = 0
        let isHexadecimal = input[index] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { index += 1 }
        let digits = index
        while index < input.count {
            let byte = input[index]
            let digit: UInt32
            if byte.isASCIIDigit {
                digit = UInt32(byte &- 0x30)
            } else if isHexadecimal, (byte | 0x20) &- 0x61 < 6 {
                digit = UInt32((byte | 0x20) &- 0x61 &+ 10)
            } else {
                break
            }
            // Once the code is out of range, more digits do not change that.
            if code <= 0x10FFFF { code = code &* (isHexadecimal ? 16 : 10) &+ digit }
            index += 1
        }
        guard index < input.count || isFinal else { return .unknown }
        guard index > digits else {
            report(.absenceOfDigitsInNumericCharacterReference, at: index)
            return .none
        }
        if index < input.count, input[index] == UInt8(ascii: ";") {
            index += 1
        } else {
            report(.missingSemicolonAfterCharacterReference, at: index)
        }
        return HTMLCharacterReference(end: index, scalar: numericReferenceEnd(code, at: index))
    }

    /// [Numeric character reference end state](https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state).
    private mutating func numericReferenceEnd(_ code: UInt32, at index: Int) -> Unicode.Scalar {
        let replacement = Unicode.Scalar(0xFFFD as UInt16) ?? "?"
        switch code {
        case 0:
            report(.nullCharacterReference, at: index)
            return replacement
        case 0x110000...:
            report(.characterReferenceOutsideUnicodeRange, at: index)
            return replacement
        case 0xD800...0xDFFF:
            report(.surrogateCharacterReference, at: index)
            return replacement
        case 0x0D, 0x7F...0x9F, 0x01...0x08, 0x0B, 0x0E...0x1F:
            report(.controlCharacterReference, at: index)
            return Unicode.Scalar(Self.windows1252(code)) ?? replacement
        default:
            if code & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(code) {
                report(.noncharacterCharacterReference, at: index)
            }
            return Unicode.Scalar(code) ?? replacement
        }
    }

    /// The standard's table for 0x80 to 0x9F, which are taken as windows-1252; other codes stay the same.
    private static func windows1252(_ code: UInt32) -> UInt32 {
        switch code {
        case 0x80: 0x20AC
        case 0x82: 0x201A
        case 0x83: 0x0192
        case 0x84: 0x201E
        case 0x85: 0x2026
        case 0x86: 0x2020
        case 0x87: 0x2021
        case 0x88: 0x02C6
        case 0x89: 0x2030
        case 0x8A: 0x0160
        case 0x8B: 0x2039
        case 0x8C: 0x0152
        case 0x8E: 0x017D
        case 0x91: 0x2018
        case 0x92: 0x2019
        case 0x93: 0x201C
        case 0x94: 0x201D
        case 0x95: 0x2022
        case 0x96: 0x2013
        case 0x97: 0x2014
        case 0x98: 0x02DC
        case 0x99: 0x2122
        case 0x9A: 0x0161
        case 0x9B: 0x203A
        case 0x9C: 0x0153
        case 0x9E: 0x017E
        case 0x9F: 0x0178
        default: code
        }
    }
}
