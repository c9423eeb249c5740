/// The gb18030 encoder, which also encodes GBK.
///
/// <https://encoding.spec.whatwg.org/#gb18030-encoder>
enum GB18030Encoder {
    /// Encodes a scalar value that is not ASCII, or returns false where the encoding does not have it.
    static func encode(_ scalar: UInt32, isGBK: Bool, into bytes: inout [UInt8]) -> Bool {
        // U+E5E5 is an error, since its bytes decode to U+3000.
        if scalar == 0xE5E5 { return false }
        if isGBK, scalar == 0x20AC {
            bytes.append(0x80)
            return true
        }
        if let pair = pairOf2005(scalar) {
            bytes.append(UInt8(truncatingIfNeeded: pair >> 8))
            bytes.append(UInt8(truncatingIfNeeded: pair))
            return true
        }
        if let pointer = ReverseIndex.gb18030(scalar) {
            let trailing = pointer % 190
            bytes.append(UInt8(truncatingIfNeeded: pointer / 190 &+ 0x81))
            bytes.append(UInt8(truncatingIfNeeded: trailing &+ (trailing < 0x3F ? 0x40 : 0x41)))
            return true
        }
        if isGBK { return false }
        let pointer = GB18030Ranges.pointer(scalar)
        bytes.append(UInt8(truncatingIfNeeded: pointer / 12600 &+ 0x81))
        bytes.append(UInt8(truncatingIfNeeded: pointer % 12600 / 1260 &+ 0x30))
        bytes.append(UInt8(truncatingIfNeeded: pointer % 1260 / 10 &+ 0x81))
        bytes.append(UInt8(truncatingIfNeeded: pointer % 10 &+ 0x30))
        return true
    }

    /// The private-use scalar values that still get the pairs they had in GB18030-2005.
    ///
    /// The pairs decode to the characters of GB18030-2022, so this mapping works in one direction only.
    private static func pairOf2005(_ scalar: UInt32) -> UInt16? {
        switch scalar {
        case 0xE78D...0xE793: 0xA6D9 &+ UInt16(truncatingIfNeeded: scalar &- 0xE78D)
        case 0xE794: 0xA6EC
        case 0xE795: 0xA6ED
        case 0xE796: 0xA6F3
        case 0xE81E: 0xFE59
        case 0xE826: 0xFE61
        case 0xE82B: 0xFE66
        case 0xE82C: 0xFE67
        case 0xE832: 0xFE6D
        case 0xE843: 0xFE7E
        case 0xE854: 0xFE90
        case 0xE864: 0xFEA0
        default: nil
        }
    }
}
