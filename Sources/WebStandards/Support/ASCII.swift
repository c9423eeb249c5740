/// The byte classes of ASCII, by the Infra standard's names.
extension UInt8 {
    /// Tab, line feed, form feed, carriage return or space.
    ///
    /// <https://infra.spec.whatwg.org/#ascii-whitespace>
    @inlinable @inline(__always)
    package var isASCIIWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
    }

    /// A to Z, a to z.
    @inlinable @inline(__always)
    package var isASCIIAlpha: Bool { (self | 0x20) &- 0x61 < 26 }

    /// 0 to 9.
    @inlinable @inline(__always)
    package var isASCIIDigit: Bool { self &- 0x30 < 10 }

    /// 0 to 9, a to f.
    @inlinable
    package var isLowerHexDigit: Bool { isASCIIDigit || self &- 0x61 < 6 }

    /// A letter or a digit.
    @inlinable @inline(__always)
    package var isASCIIAlphanumeric: Bool { isASCIIAlpha || isASCIIDigit }

    /// A to Z.
    @inlinable @inline(__always)
    package var isASCIIUppercase: Bool { self &- 0x41 < 26 }

    /// The byte, with an upper-case letter converted to lower case.
    ///
    /// <https://infra.spec.whatwg.org/#ascii-lowercase>
    @inlinable @inline(__always)
    package var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }
}
