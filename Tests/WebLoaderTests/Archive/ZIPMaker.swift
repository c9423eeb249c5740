/// Writes small ZIP archives, right or wrong, without compressing.
struct ZIPMaker {
    /// The bytes of the members, each behind its own header.
    private var members: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    /// Adds a member.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - bytes: The contents.
    ///   - compressed: The compressed contents in the archive, with the method 8; `nil` to store them uncompressed.
    ///   - method: The method, if it is another one.
    ///   - flags: The flags; 1 marks the member as encrypted.
    ///   - hasRightChecksum: Whether the checksum is that of the bytes.
    mutating func add(
        _ name: String,
        _ bytes: [UInt8],
        compressed: [UInt8]? = nil,
        method: UInt16? = nil,
        flags: UInt16 = 0,
        hasRightChecksum: Bool = true
    ) {
        let data = compressed ?? bytes
        var header = Self.number(UInt16(20)) + Self.number(flags)
        header += Self.number(method ?? (compressed == nil ? 0 : 8)) + [0, 0, 0, 0]
        header += Self.number(ArchiveSample.checksum(bytes) ^ (hasRightChecksum ? 0 : 1))
        header += Self.number(UInt32(data.count)) + Self.number(UInt32(bytes.count))
        header += Self.number(UInt16(name.utf8.count)) + Self.number(UInt16(0))
        directory += [0x50, 0x4B, 1, 2, 20, 0] + header + [UInt8](repeating: 0, count: 10)
        directory += Self.number(UInt32(members.count)) + name.utf8
        members += [0x50, 0x4B, 3, 4] + header + name.utf8 + data
        count += 1
    }

    mutating func add(_ name: String, _ text: String) { add(name, Array(text.utf8)) }

    /// The archive.
    var bytes: [UInt8] {
        var end: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        end += Self.number(UInt16(count)) + Self.number(UInt16(count))
        end += Self.number(UInt32(directory.count)) + Self.number(UInt32(members.count)) + [0, 0]
        return members + directory + end
    }

    private static func number(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
