import CIDNATables

/// Text as a search sees it that minds neither case nor accents.
///
/// That is the primary level of the Unicode collation, nearly: canonical decomposition without diacritical marks and what is not
/// shown, in lower case.
package enum BaseLetters {
    /// Appends a character in UTF-8; nothing for a mark.
    package static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        if scalar.value < 0x80 {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            text.append(0x41...0x5A ~= byte ? byte | 0x20 : byte)
            return
        }
        let run = idna_decomposition_of(scalar.value)
        guard run.count > 0 else { return appendPart(scalar, to: &text) }
        for index in 0..<UInt32(run.count) {
            guard let part = Unicode.Scalar(idna_scalar_at(UInt32(run.offset) &+ index)) else { continue }
            appendPart(part, to: &text)
        }
    }

    private static func appendPart(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        guard !isIgnored(scalar.value) else { return }
        text += scalar.properties.lowercaseMapping.utf8
    }

    /// Diacritical marks, vowel points of Hebrew and Arabic, and what has no width.
    private static func isIgnored(_ value: UInt32) -> Bool {
        switch value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F, 0x591...0x5BD,
            0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670, 0xAD,
            0x200B...0x200D, 0x2060, 0xFEFF:
            true
        default: false
        }
    }
}
