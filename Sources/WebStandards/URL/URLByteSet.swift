/// A set of bytes: some ASCII bytes, and all bytes from 0x80.
///
/// The percent-encode sets and the bytes that end a run have this form, because a byte of a multi-byte UTF-8
/// sequence is always encoded. The members are two literal words, so that a set costs nothing at start-up and
/// a look-up is a shift; `URLByteSetTests` lists the members of each.
struct URLByteSet: Equatable, Sendable {
    let low: UInt64
    let high: UInt64

    /// Whether the byte is a member; true for any byte that is not ASCII.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let word = byte & 0x40 == 0 ? low : high
        return byte & 0x80 != 0 || (word &>> UInt64(byte & 0x3F)) & 1 != 0
    }
}

/// The percent-encode sets of the URL standard.
///
/// <https://url.spec.whatwg.org/#percent-encoded-bytes>
extension URLByteSet {
    static let c0Control = URLByteSet(low: 0x0000_0000_FFFF_FFFF, high: 0x8000_0000_0000_0000)
    static let fragment = URLByteSet(low: 0x5000_0005_FFFF_FFFF, high: 0x8000_0001_0000_0000)
    static let query = URLByteSet(low: 0x5000_000D_FFFF_FFFF, high: 0x8000_0000_0000_0000)
    static let specialQuery = URLByteSet(low: 0x5000_008D_FFFF_FFFF, high: 0x8000_0000_0000_0000)
    static let path = URLByteSet(low: 0xD000_000D_FFFF_FFFF, high: 0xA800_0001_4000_0000)
    static let userinfo = URLByteSet(low: 0xFC00_800D_FFFF_FFFF, high: 0xB800_0001_7800_0001)
    static let component = URLByteSet(low: 0xFC00_987D_FFFF_FFFF, high: 0xB800_0001_7800_0001)
    static let formURLEncoded = URLByteSet(low: 0xFC00_9BFF_FFFF_FFFF, high: 0xF800_0001_7800_0001)
}

/// The sets that the parser's states look for.
///
/// <https://url.spec.whatwg.org/#forbidden-host-code-point>
extension URLByteSet {
    /// The forbidden host code points.
    static let forbiddenHost = URLByteSet(low: 0xD400_8009_0000_2601, high: 0x1000_0000_7800_0001)
    /// The forbidden domain code points.
    static let forbiddenDomain = URLByteSet(low: 0xD400_8029_FFFF_FFFF, high: 0x9000_0000_7800_0001)
    /// All except ASCII alphanumerics, "+", "-" and ".".
    static let endsScheme = URLByteSet(low: 0xFC00_97FF_FFFF_FFFF, high: 0xF800_0001_F800_0001)
    /// "/", "?", "#", "@" and "\".
    static let delimitsAuthority = URLByteSet(low: 0x8000_8008_0000_0000, high: 0x0000_0000_1000_0001)
    /// The path percent-encode set, "/" and "#" (which is in it).
    static let interruptsPath = URLByteSet(low: 0xD000_800D_FFFF_FFFF, high: 0xA800_0001_4000_0000)
    /// The path percent-encode set, "/", "#" and "\".
    static let interruptsSpecialPath = URLByteSet(low: 0xD000_800D_FFFF_FFFF, high: 0xA800_0001_5000_0000)
}
