/// Counts of the bytes of a text, by what they stand for.
struct ContentBytes {
    private(set) var bytes = 0
    /// Characters that are not white space.
    private(set) var chars = 0
    private(set) var digits = 0
    /// Capital letters of ASCII.
    private(set) var capitals = 0
    private(set) var letters = 0
    /// Commas, including those of other scripts.
    private(set) var commas = 0
    /// Single spaces between two words.
    private(set) var spaces = 0

    /// For each byte, what it adds to each count, in ten bits each, and on top 1 for a space and 2 for other white
    /// space and the end.
    static let kinds: [UInt64] = (UInt8.min ... .max).map { byte in
        if byte == 0 { return 2 << 60 }
        if byte.isASCIIWhitespace { return byte == 0x20 ? 1 << 60 | 1 << 50 : 2 << 60 }
        guard byte & 0xC0 != 0x80 else { return 0 }
        if byte.isASCIIDigit { return 1 | 1 << 10 }
        if byte.isASCIIUppercase { return 1 | 1 << 20 | 1 << 30 }
        return byte.isASCIIAlpha || byte >= 0xC0 ? 1 | 1 << 30 : byte == UInt8(ascii: ",") ? 1 | 1 << 40 : 1
    }

    /// The most bytes whose counts fit into ten bits.
    private static let limit = 1023

    /// Counts a text up to white space that is not a single space between two words, where it ends with NUL.
    ///
    /// - Parameters:
    ///   - text: The text, which begins with something else than white space.
    ///   - kinds: ``kinds``.
    /// - Returns: The number of bytes.
    mutating func add(_ text: UnsafePointer<UInt8>, _ kinds: [UInt64]) -> Int {
        var length = 0
        var isEnd = false
        var kind = unsafe kinds[Int(text[0])]
        while !isEnd {
            var sums: UInt64 = 0
            let start = length
            while length - start < Self.limit {
                let next = unsafe kinds[Int(text[length + 1])]
                // A space before other white space does not belong to it.
                isEnd = (kind >> 60) &+ (next >> 60) >= 2
                if isEnd, kind >> 60 != 0 { break }
                sums &+= kind
                kind = next
                length += 1
                if isEnd { break }
            }
            chars += Int(truncatingIfNeeded: sums & 0x3FF)
            digits += Int(truncatingIfNeeded: sums >> 10 & 0x3FF)
            capitals += Int(truncatingIfNeeded: sums >> 20 & 0x3FF)
            letters += Int(truncatingIfNeeded: sums >> 30 & 0x3FF)
            commas += Int(truncatingIfNeeded: sums >> 40 & 0x3FF)
            spaces += Int(truncatingIfNeeded: sums >> 50 & 0x3FF)
        }
        bytes += length
        if bytes > chars + spaces { unsafe addCommas(text, length) }
        return length
    }

    /// Counts Arabic, Chinese and Japanese commas.
    private mutating func addCommas(_ text: UnsafePointer<UInt8>, _ length: Int) {
        for index in 0..<length where unsafe text[index] >= 0xD8 {
            if unsafe Self.isComma(text + index) { commas += 1 }
        }
    }

    private static func isComma(_ bytes: UnsafePointer<UInt8>) -> Bool {
        switch unsafe bytes[0] {
        case 0xD8: unsafe bytes[1] == 0x8C
        case 0xE3: unsafe bytes[1] == 0x80 && bytes[2] == 0x81
        case 0xEF:
            unsafe bytes[1] == 0xBC && bytes[2] == 0x8C
                || bytes[1] == 0xB9 && (bytes[2] == 0x90 || bytes[2] == 0x91)
        default: false
        }
    }
}
