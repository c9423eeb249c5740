/// The ASCII characters with a meaning in URLs, with the URL standard's names.
enum URLByte {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let numberSign: UInt8 = 0x23
    static let percent: UInt8 = 0x25
    static let ampersand: UInt8 = 0x26
    static let plus: UInt8 = 0x2B
    static let hyphen: UInt8 = 0x2D
    static let fullStop: UInt8 = 0x2E
    static let solidus: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let colon: UInt8 = 0x3A
    static let equals: UInt8 = 0x3D
    static let questionMark: UInt8 = 0x3F
    static let commercialAt: UInt8 = 0x40
    static let leftBracket: UInt8 = 0x5B
    static let reverseSolidus: UInt8 = 0x5C
    static let rightBracket: UInt8 = 0x5D
    static let verticalLine: UInt8 = 0x7C

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    @inline(__always)
    static func isAlpha(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26
    }

    @inline(__always)
    static func isUppercase(_ byte: UInt8) -> Bool {
        byte &- 0x41 < 26
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        isUppercase(byte) ? byte | 0x20 : byte
    }

    @inline(__always)
    static func isTabOrNewline(_ byte: UInt8) -> Bool {
        byte == tab || byte == lineFeed || byte == carriageReturn
    }

    /// The value of a hexadecimal digit, or nil.
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The digit for a value below 16, in upper case.
    @inline(__always)
    static func upperHexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 &+ value : 0x37 &+ value
    }

    /// The digit for a value below 16, in lower case.
    @inline(__always)
    static func lowerHexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 &+ value : 0x57 &+ value
    }
}

extension Span<UInt8> {
    /// The byte at an index, or nil past the end (the standard's EOF code point).
    @inline(__always)
    func byte(at index: Int) -> UInt8? {
        index < count ? self[index] : nil
    }
}
