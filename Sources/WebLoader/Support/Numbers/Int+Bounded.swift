/// What a number from outside is made of before anything is computed with it.
///
/// A header field, a file, a page, a recipe, a script, a flag can give any number. Each is read into an `Int` from
/// -2^53 to 2^53, so that some hundreds of them can be added, or one multiplied by a thousand, without leaving `Int`:
/// Swift ends the process at arithmetic that leaves its type. Where one could not tell, +|, -| and *| stop at the end.
extension Int {
    /// How large a number from outside can be: 2^53, up to which each whole number is a `Double` too.
    package static let largestBounded = 1 << 53

    /// The number, or the nearest one from -2^53 to 2^53.
    @inline(__always)
    package init(bounded value: some BinaryInteger) {
        self = Swift.min(Swift.max(Int(clamping: value), -Self.largestBounded), Self.largestBounded)
    }

    /// The number without its fraction, or the nearest one from -2^53 to 2^53; 0 for what is not a number.
    package init(bounded value: Double) {
        guard !value.isNaN else {
            self = 0
            return
        }
        let bound = Double(Self.largestBounded)
        self = Int(Swift.min(Swift.max(value, -bound), bound))
    }

    /// The number that a whole text gives in decimal digits, perhaps after a sign; nil for other text.
    ///
    /// More than 2^53 gives 2^53, less than -2^53 gives -2^53.
    package init?(bounded text: some StringProtocol) {
        self.init(bounded: text.utf8)
    }

    /// The number that bytes give in decimal digits, perhaps after a sign; nil for others.
    ///
    /// More than 2^53 gives 2^53, less than -2^53 gives -2^53.
    package init?(bounded bytes: some Sequence<UInt8>) {
        guard let value = Self.decimal(bytes) else { return nil }
        self.init(bounded: value)
    }

    /// The same, but nil also for what is more than 2^53 or less than -2^53.
    package init?(inBounds text: some StringProtocol) {
        guard let value = Self.decimal(text.utf8), abs(value) <= Self.largestBounded else { return nil }
        self = value
    }

    /// The number of decimal digits, perhaps after a sign: one beyond the bound for all that are.
    private static func decimal(_ bytes: some Sequence<UInt8>) -> Int? {
        bytes.withContiguousStorageIfAvailable { unsafe decimal(each: $0) } ?? decimal(each: bytes)
    }

    private static func decimal(each bytes: some Sequence<UInt8>) -> Int? {
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

    /// Makes a count, or a limit, the nearest one from 0 to 2^53.
    mutating func boundCount() { self = Swift.max(0, Int(bounded: self)) }

    /// Puts an ASCII digit behind those that the number, 0 or more, has; it stays at 2^53 once it is there.
    @inline(__always)
    package mutating func appendDigit(_ digit: UInt8) {
        self = Swift.min(self &* 10 &+ Int(digit &- UInt8(ascii: "0")), Self.largestBounded)
    }
}

/// A number of seconds in a field of HTTP.
///
/// [RFC 9111, section 1.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-1.2.2)
enum DeltaSeconds {
    /// The most that is told apart: 2^31.
    static let largest = 1 << 31

    /// The number of seconds that a text of ASCII digits gives, 2^31 for more; nil for any other text.
    static func read(_ text: some StringProtocol) -> Int? {
        guard text.utf8.first?.isASCIIDigit == true, let seconds = Int(bounded: text) else { return nil }
        return min(seconds, largest)
    }
}
