import WebStandards

/// The rules by which a search considers two characters equal.
struct TextFolding: Hashable {
    var isCaseSensitive = false
    var matchesDiacritics = false

    /// Whether neither case nor accents count.
    var isPlain: Bool { !isCaseSensitive && !matchesDiacritics }

    /// Appends a character that is no ASCII, as it is compared; nothing for one that does not count.
    func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        let start = text.count
        BaseLetters.append(scalar, to: &text)
        guard !isPlain else { return }
        if matchesDiacritics {
            let isShown = text.count > start || scalar.properties.generalCategory != .format
            text.removeSubrange(start...)
            guard isShown else { return }
            text += (isCaseSensitive ? String(scalar) : scalar.properties.lowercaseMapping).utf8
        } else if scalar.properties.lowercaseMapping != String(scalar) {
            let letters = String(decoding: text[start...], as: UTF8.self)
            text.removeSubrange(start...)
            text += letters.uppercased().utf8
        }
    }

    /// Whether a character belongs to the one before it, and is nothing to a search that minds no accents.
    static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        var text: [UInt8] = []
        BaseLetters.append(scalar, to: &text)
        return text.isEmpty
    }

    /// The character at a place, and how many bytes it has; U+FFFD for what is no UTF-8.
    @inline(__always)
    static func scalar(
        in bytes: UnsafeBufferPointer<UInt8>,
        at index: Int
    ) -> (scalar: Unicode.Scalar, width: Int) {
        let replacement: (Unicode.Scalar, Int) = ("\u{FFFD}", 1)
        guard index < bytes.count else { return replacement }
        let first = unsafe bytes[index]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        let width = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, bytes.count - index >= width else { return replacement }
        var value = UInt32(first) & (0x7F >> UInt32(truncatingIfNeeded: width))
        for next in 1..<width {
            value = unsafe value << 6 | UInt32(bytes[index + next] & 0x3F)
        }
        return Unicode.Scalar(value).map { ($0, width) } ?? replacement
    }
}

/// A cache of folded characters: a text has few different ones.
struct FoldingMemory {
    private let folding: TextFolding
    /// For the low bits of a character, the one that was folded last: its bytes, the first in the lowest one, and in
    /// the highest one how many there are.
    private var known = [(scalar: UInt32, bytes: UInt64)](repeating: (0, 0), count: 512)
    private var piece: [UInt8] = []

    init(_ folding: TextFolding) { self.folding = folding }

    /// Appends a character that is no ASCII, as it is compared.
    mutating func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        let index = Int(scalar.value & 511)
        if known[index].scalar != scalar.value {
            piece.removeAll(keepingCapacity: true)
            folding.append(scalar, to: &piece)
            guard piece.count < 8 else {
                text += piece
                return
            }
            var bytes = UInt64(truncatingIfNeeded: piece.count) << 56
            for (place, byte) in piece.enumerated() {
                bytes |= UInt64(byte) << UInt64(truncatingIfNeeded: 8 * place)
            }
            known[index] = (scalar.value, bytes)
        }
        var bytes = known[index].bytes
        for _ in 0..<(bytes >> 56) {
            text.append(UInt8(truncatingIfNeeded: bytes))
            bytes >>= 8
        }
    }
}
