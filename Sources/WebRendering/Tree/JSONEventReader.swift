import WebStandards

/// Reads JSON piece by piece, nested as deep as it may be.
///
/// `JSONValue` has a tree in memory and a limit to its depth; the tree of a page is nested deeper, and too large to be there
/// twice. Each byte is looked at once, and what is open takes a byte.
struct JSONEventReader {
    enum Event: Equatable {
        case beginObject
        case endObject
        case beginArray
        case endArray
        /// The name of a member, whose value is next; the range is that between the quotes.
        case name(Range<Int>)
        /// A string; the range is that between the quotes.
        case string(Range<Int>)
        case number(Range<Int>)
        case boolean(Bool)
        case null
        /// The end of the text.
        case end
    }

    private enum Expected {
        case value
        /// A value or the end of the array.
        case item
        /// A name or the end of the object.
        case name
        /// A comma, or the end of what is open.
        case separator
    }

    let bytes: [UInt8]
    private(set) var position: Int
    private var expected = Expected.value

    /// Of all that is open, whether it is an object.
    private var open: [Bool] = []

    /// How many objects and arrays are open.
    var depth: Int { open.count }

    /// Reads the text that begins at `start`, which is at most the number of bytes.
    init(_ bytes: [UInt8], from start: Int = 0) throws(DOMTreeError) {
        self.bytes = bytes
        position = start
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span.extracting(droppingFirst: start))
        } catch {
            throw .malformed(offset: start + error.byteOffsets.lowerBound)
        }
    }

    /// The next piece.
    mutating func next() throws(DOMTreeError) -> Event {
        skipWhitespace()
        switch expected {
        case .value: return try value()
        case .item: return skip(UInt8(ascii: "]")) ? close() : try value()
        case .name: return skip(UInt8(ascii: "}")) ? close() : try name()
        case .separator:
            guard let isObject = open.last else {
                guard position == bytes.count else { throw error }
                return .end
            }
            if skip(UInt8(ascii: ",")) {
                skipWhitespace()
                return isObject ? try name() : try value()
            }
            guard skip(UInt8(ascii: isObject ? "}" : "]")) else { throw error }
            return close()
        }
    }

    /// Reads on until no more than so many objects and arrays are open.
    mutating func skip(toDepth depth: Int) throws(DOMTreeError) {
        while open.count > depth { _ = try next() }
    }

    private var error: DOMTreeError { .malformed(offset: position) }

    /// The next byte; NUL, which nothing begins with, at the end.
    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhitespace() {
        while position < bytes.count, bytes[position] <= 0x20 {
            guard current == 0x20 || current == 0x0A || current == 0x0D || current == 0x09 else { return }
            position += 1
        }
    }

    private mutating func close() -> Event {
        expected = .separator
        return open.popLast() == true ? .endObject : .endArray
    }

    private mutating func name() throws(DOMTreeError) -> Event {
        let range = try string()
        skipWhitespace()
        guard skip(UInt8(ascii: ":")) else { throw error }
        expected = .value
        return .name(range)
    }

    private mutating func value() throws(DOMTreeError) -> Event {
        expected = .separator
        switch current {
        case UInt8(ascii: "{"):
            position += 1
            open.append(true)
            expected = .name
            return .beginObject
        case UInt8(ascii: "["):
            position += 1
            open.append(false)
            expected = .item
            return .beginArray
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .boolean(true))
        case UInt8(ascii: "f"): return try literal("false", .boolean(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func literal(_ word: String, _ event: Event) throws(DOMTreeError) -> Event {
        for byte in word.utf8 {
            guard skip(byte) else { throw error }
        }
        return event
    }

    private mutating func number() throws(DOMTreeError) -> Range<Int> {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        // No digit follows a leading zero.
        if !skip(UInt8(ascii: "0")) { try skipDigits() }
        if skip(UInt8(ascii: ".")) { try skipDigits() }
        if current | 0x20 == UInt8(ascii: "e") {
            position += 1
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try skipDigits()
        }
        return start..<position
    }

    private mutating func skipDigits() throws(DOMTreeError) {
        guard current.isASCIIDigit else { throw error }
        while current.isASCIIDigit { position += 1 }
    }

    private mutating func string() throws(DOMTreeError) -> Range<Int> {
        guard skip(UInt8(ascii: "\"")) else { throw error }
        let start = position
        let bytes = bytes
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                return start..<index
            }
            guard byte >= 0x20 else { break }
            index += 1
            if byte == UInt8(ascii: "\\") { index = try escape(at: index) }
        }
        position = index
        throw error
    }

    /// The end of an escape whose backslash stands before `start`.
    private mutating func escape(at start: Int) throws(DOMTreeError) -> Int {
        position = start
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 1
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                position += 1
                guard current.isASCIIDigit || (current | 0x20) &- UInt8(ascii: "a") < 6 else { throw error }
            }
            return position + 1
        default: throw error
        }
    }
}
