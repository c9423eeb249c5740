/// What a `&` stands for, or that it stands for itself.
struct HTMLCharacterReference {
    /// The index after the reference.
    var end = 0
    /// The bytes it stands for, the first the lowest; empty if it is text.
    var bytes: UInt64 = 0
    var count = 0
    /// Whether more input must tell.
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

    /// A reference to one scalar value, none of the surrogates.
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
    /// A scalar value always encodes; U+FFFD stands for the answer that cannot be.
    fileprivate var unsafelyUnwrappedOrReplacement: UTF8.EncodedScalar {
        self ?? UTF8.encodedReplacementCharacter
    }
}
