/// The name of the file of a stored version of a response: the name contains the date of receipt, so that a list of
/// names is a list of versions.
///
/// The name is only a hint; the head of the file contains the same data, or the file is damaged.
struct VersionName: Hashable, Comparable {
    /// The file's name, without its folder.
    let name: String

    /// The time at which the version was received, in milliseconds since 1970; 0 for any earlier time.
    let milliseconds: Int64

    /// Eight bits of a hash of the request fields that select the version besides the URL.
    let variant: UInt8

    /// The character between the stem and the date.
    ///
    /// It sorts before those of a variant and of a body, since a file that names a body is removed before the body.
    static let mark = UInt8(ascii: "+")

    /// The number of names that a version may have.
    static let maximumAttempts = 256

    /// The name of a new version.
    ///
    /// Versions of the same millisecond differ in their last digits.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - checksum: Its body's.
    ///   - names: The names of its key.
    ///   - attempt: The number of its names that other versions already have.
    init(of response: StoredResponse, _ checksum: UInt64, in names: CacheEntryName, attempt: Int) {
        var writer = ByteWriter()
        writer.integer(Int64(response.status))
        writer.integer(checksum)
        let hash = UInt8(truncatingIfNeeded: ContentHash.checksum(writer.output))
        milliseconds = Self.milliseconds(of: response.responseTime)
        variant = Self.variant(of: response)
        let time = UInt64(bitPattern: milliseconds).hexadecimal(digits: Self.timeDigits)
        let last = hash &+ UInt8(truncatingIfNeeded: attempt)
        let rest = (UInt64(truncatingIfNeeded: variant) << 8 | UInt64(truncatingIfNeeded: last)).hexadecimal(
            digits: Self.digits - Self.timeDigits
        )
        name = "\(names.stem)+\(time)\(rest)"
    }

    /// The version of a name; nil if it is not that of a version of a key.
    init?(_ name: String, in names: CacheEntryName) {
        // Of a folder's many names most are asked no more than this.
        guard Self.isMarked(name), name.hasPrefix(names.stem) else { return nil }
        self.init(marked: name)
    }

    /// The version of a name; nil if it is not that of a version.
    init?(_ name: String) {
        guard CacheEntryName.kind(of: name) == .version else { return nil }
        self.init(marked: name)
    }

    private static func isMarked(_ name: String) -> Bool {
        let bytes = name.utf8
        guard bytes.count == CacheEntryName.stemLength + 1 + digits else { return false }
        return bytes[bytes.index(bytes.startIndex, offsetBy: CacheEntryName.stemLength)] == mark
    }

    /// Reads the digits behind the mark.
    private init?(marked name: String) {
        var number: UInt64 = 0
        for digit in name.utf8.dropFirst(CacheEntryName.stemLength + 1) {
            guard digit.isLowerHexDigit else { return nil }
            // Sixteen digits are 64 bits.
            let value = digit.isASCIIDigit ? digit &- 0x30 : digit &- 0x57
            number = number << 4 | UInt64(truncatingIfNeeded: value)
        }
        self.name = name
        milliseconds = Int64(truncatingIfNeeded: number >> 16)
        variant = UInt8(truncatingIfNeeded: number >> 8)
    }

    /// When the version was received, as far as the name says it.
    var date: Timestamp { Timestamp(millisecondsSince1970: milliseconds) }

    /// The time as a name has it.
    static func milliseconds(of time: Timestamp) -> Int64 { max(0, time.millisecondsSince1970) }

    /// The hash of what besides the URL selects a response, as a name has it.
    static func variant(of response: StoredResponse) -> UInt8 {
        guard !response.varyingFields.isEmpty else { return 0 }
        return UInt8(
            truncatingIfNeeded: ContentHash.checksum(
                Array(CacheEntryName.hash(of: response.varyingFields).utf8)
            )
        )
    }

    static func < (a: VersionName, b: VersionName) -> Bool {
        (a.milliseconds, a.name) < (b.milliseconds, b.name)
    }

    private static let digits = 16
    private static let timeDigits = 12
}
