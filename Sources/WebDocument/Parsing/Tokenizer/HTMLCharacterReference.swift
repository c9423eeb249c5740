/// The result of reading a `&`: the characters of a reference, or text.
struct HTMLCharacterReference {
    /// The index after the reference.
    var end = 0
    /// The bytes it stands for, the first in the lowest byte; empty if the `&` is text.
    var bytes: UInt64 = 0
    var count = 0
    /// Whether more input is needed to decide.
    var isUnknown = false

    /// Whether the `&` is text.
    var isNone: Bool {
        count == 0
    }

    static var none: Self {
        Self()
    }

    static var unknown: Self {
        Self(isUnknown: true)
    }

    /// A reference to one scalar value.
    init(end: Int, scalar: Unicode.Scalar) {
        self.end = end
        for byte in UTF8.encode(scalar).unsafelyUnwrappedOrReplacement {
            bytes |= UInt64(byte) << UInt64(truncatingIfNeeded: 8 * count)
            count += 1
        }
    }

    init(end: Int = 0, bytes: UInt64 = 0, count: Int = 0, isUnknown: Bool = false) {
        self.end = end
        self.bytes = bytes
        self.count = count
        self.isUnknown = isUnknown
    }

    func append(to scratch: inout HTMLScratch) {
        for index in 0..<count {
            scratch.append(UInt8(truncatingIfNeeded: bytes >> UInt64(truncatingIfNeeded: 8 * index)))
        }
    }
}

extension Optional where Wrapped == UTF8.EncodedScalar {
    /// A scalar value always encodes; U+FFFD stands for the impossible failure.
    fileprivate var unsafelyUnwrappedOrReplacement: UTF8.EncodedScalar {
        self ?? UTF8.encodedReplacementCharacter
    }
}

extension HTMLCharacterReference {
    /// The bytes it stands for.
    var utf8: [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: bytes >> UInt64(truncatingIfNeeded: 8 * $0)) }
    }
}
