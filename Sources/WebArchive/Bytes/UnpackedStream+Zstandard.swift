import CArchive

extension UnpackedStream {
    /// The most bytes of a dictionary.
    static var largestDictionary: Int { 8 << 20 }

    /// Reads the length of the skippable frame that begins here, and passes over it.
    func skipFrame() throws(ArchiveError) {
        try fillPacked(8)
        let head = packedBytes(8)
        var left = head.count == 8 ? 8 + Self.length(head) : head.count
        let offset = packedOffset
        while left > 0 {
            try fillPacked(1)
            guard packedStart < packedEnd else {
                return fail(.truncated, at: offset, "the file ends in a frame of Zstandard")
            }
            let piece = min(left, packedEnd - packedStart)
            packedStart += piece
            left -= piece
        }
    }

    /// The length that a skippable frame states.
    static func length(_ head: [UInt8]) -> Int {
        head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads the dictionary that a file may begin with, itself packed or not.
    ///
    /// [WARC in Zstandard, section 3](https://iipc.github.io/warc-specifications/specifications/warc-zstd/)
    func readDictionary() throws(ArchiveError) {
        let head = try file.bytes(at: 0, count: 12)
        guard head.count == 12, head.starts(with: [0x5D, 0x2A, 0x4D, 0x18]) else { return }
        let length = Self.length(head)
        guard length <= Self.largestDictionary else {
            return fail(.compression, at: 0, "the dictionary has more than \(Self.largestDictionary) bytes")
        }
        var dictionary = try file.bytes(at: 8, count: length)
        if dictionary.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { dictionary = unpacked(dictionary) }
        let isSet = unsafe dictionary.withUnsafeBytes {
            unsafe webl_unzstd_set_dictionary(decoder, $0.baseAddress, $0.count) != 0
        }
        if !isSet || dictionary.isEmpty { fail(.compression, at: 0, "the dictionary is damaged") }
    }

    /// The bytes of a frame; none if it is damaged or too large.
    func unpacked(_ bytes: [UInt8]) -> [UInt8] {
        guard unsafe webl_unzstd_begin(decoder) != 0 else { return [] }
        var output: [UInt8] = []
        var (left, isEnd, isStuck) = (bytes.count, false, false)
        while !isEnd, !isStuck, output.count <= Self.largestDictionary {
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { room, count in
                var roomLeft = room.count
                let before = left
                let result = unsafe bytes.withUnsafeBytes {
                    unsafe webl_unzstd_step(
                        decoder,
                        $0.baseAddress.map { unsafe $0 + (bytes.count - before) },
                        &left,
                        room.baseAddress,
                        &roomLeft
                    )
                }
                count = room.count - roomLeft
                isEnd = result == WEBL_UNZSTD_END
                isStuck = result == WEBL_UNZSTD_DAMAGED || !isEnd && count == 0 && left == before
            }
            output += piece
        }
        return isEnd && output.count <= Self.largestDictionary ? output : []
    }
}
