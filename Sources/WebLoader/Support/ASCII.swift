/// The byte classes of ASCII, by the Infra standard's names.
extension UInt8 {
    /// Tab, line feed, form feed, carriage return or space.
    ///
    /// <https://infra.spec.whatwg.org/#ascii-whitespace>
    @inline(__always)
    var isASCIIWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
    }

    /// A to Z, a to z.
    @inline(__always)
    var isASCIIAlpha: Bool { (self | 0x20) &- 0x61 < 26 }

    /// 0 to 9.
    @inline(__always)
    var isASCIIDigit: Bool { self &- 0x30 < 10 }

    /// A letter or a digit.
    @inline(__always)
    var isASCIIAlphanumeric: Bool { isASCIIAlpha || isASCIIDigit }

    /// A to Z.
    @inline(__always)
    var isASCIIUppercase: Bool { self &- 0x41 < 26 }

    /// The byte, with an upper-case letter converted to lower case.
    ///
    /// <https://infra.spec.whatwg.org/#ascii-lowercase>
    @inline(__always)
    var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }
}
