/// Bounded conversion of untrusted numbers, before anything is computed with them.
///
/// A header field, a file, a page, a recipe, a script, a flag can give any number. Each is converted to an
/// `Int` from -2^53 to 2^53, so that hundreds of them can be added, or one multiplied by a thousand, without
/// overflow: Swift traps on overflow. Where that is not certain, +|, -| and *| saturate.
extension Int {
    /// The largest bounded number: 2^53, up to which every whole number is exact as a `Double`.
    @inlinable
    package static var largestBounded: Int { 1 << 53 }

    /// The number, or the nearest one from -2^53 to 2^53.
    @inlinable @inline(__always)
    package init(bounded value: some BinaryInteger) {
        self = Swift.min(Swift.max(Int(clamping: value), -Self.largestBounded), Self.largestBounded)
    }

    /// The number without its fraction, or the nearest one from -2^53 to 2^53; 0 for NaN.
    @inlinable
    package init(bounded value: Double) {
        guard !value.isNaN else {
            self = 0
            return
        }
        let bound = Double(Self.largestBounded)
        self = Int(Swift.min(Swift.max(value, -bound), bound))
    }

    /// Parses a text of decimal digits with an optional sign; nil for other text.
    ///
    /// Larger numbers become 2^53, smaller ones -2^53.
    @inlinable
    package init?(bounded text: some StringProtocol) {
        self.init(bounded: text.utf8)
    }

    /// Parses bytes of decimal digits with an optional sign; nil for other bytes.
    ///
    /// Larger numbers become 2^53, smaller ones -2^53.
    @inlinable
    package init?(bounded bytes: some Sequence<UInt8>) {
        guard let value = Self.decimal(bytes) else { return nil }
        self.init(bounded: value)
    }

    /// Parses a text of decimal digits with an optional sign; nil for other text and beyond ±2^53.
    @inlinable
    package init?(inBounds text: some StringProtocol) {
        guard let value = Self.decimal(text.utf8), abs(value) <= Self.largestBounded else { return nil }
        self = value
    }

    /// Parses decimal digits with an optional sign; larger numbers become 2^53 + 1.
    @inlinable
    static func decimal(_ bytes: some Sequence<UInt8>) -> Int? {
        bytes.withContiguousStorageIfAvailable { unsafe decimal(each: $0) } ?? decimal(each: bytes)
    }

    @inlinable
    static func decimal(each bytes: some Sequence<UInt8>) -> Int? {
        var value = 0
        var isNegative = false
        var hasDigits = false
        var isFirst = true
        for byte in bytes {
            if isFirst, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
                isNegative = byte == UInt8(ascii: "-")
            } else {
                guard byte.isASCIIDigit else { return nil }
                value = Swift.min(value &* 10 &+ Int(byte &- UInt8(ascii: "0")), largestBounded + 1)
                hasDigits = true
            }
            isFirst = false
        }
        guard hasDigits else { return nil }
        return isNegative ? 0 &- value : value
    }

    /// Clamps a count or a limit to 0 to 2^53.
    @inlinable
    package mutating func boundCount() { self = Swift.max(0, Int(bounded: self)) }

    /// Appends an ASCII digit to a number that is not negative; the result is at most 2^53.
    @inlinable @inline(__always)
    package mutating func appendDigit(_ digit: UInt8) {
        self = Swift.min(self &* 10 &+ Int(digit &- UInt8(ascii: "0")), Self.largestBounded)
    }
}

/// A number of seconds in a field of HTTP.
///
/// [RFC 9111, section 1.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-1.2.2)
enum DeltaSeconds {
    /// The largest value, 2^31.
    static let largest = 1 << 31

    /// Parses a text of ASCII digits, at most 2^31; nil for any other text.
    static func read(_ text: some StringProtocol) -> Int? {
        guard text.utf8.first?.isASCIIDigit == true, let seconds = Int(bounded: text) else { return nil }
        return min(seconds, largest)
    }
}
