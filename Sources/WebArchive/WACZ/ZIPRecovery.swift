import WebStandards

/// Finds the members of a ZIP archive whose directory is lost, as of one that was cut off, by the headers before each.
///
/// [APPNOTE 6.3, section 4.3.7](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT)
struct ZIPRecovery {
    private let file: ArchiveFile
    private let size: Int
    private var offset = 0

    /// Bytes of a header before the name.
    private static let headerLength = 30

    init?(_ file: ArchiveFile) {
        guard let size = file.size else { return nil }
        self.file = file
        self.size = size
    }

    /// The next member; nil where no header follows, or one that does not say how long its member is.
    mutating func nextEntry() throws(ArchiveError) -> ZIPArchive.Entry? {
        let header = try file.bytes(at: offset, count: Self.headerLength)
        guard header.count == Self.headerLength, header.starts(with: [0x50, 0x4B, 3, 4]) else { return nil }
        let flags = Self.number(header[6..<8])
        let method = Self.number(header[8..<10])
        var sizes = (compressed: Self.number(header[18..<22]), plain: Self.number(header[22..<26]))
        let nameLength = Self.number(header[26..<28])
        let name = try file.bytes(at: offset + Self.headerLength, count: nameLength)
        let extraStart = offset + Self.headerLength + nameLength
        let extra = try file.bytes(at: extraStart, count: Self.number(header[28..<30]))
        if let large = Self.largeSizes(extra) { sizes = large }
        // With bit 3 the sizes come behind the member.
        guard flags & 8 == 0 || sizes.compressed > 0 else { return nil }
        let start = extraStart + extra.count
        guard start <= size else { return nil }
        let available = min(sizes.compressed, size - start)
        offset = start + available
        let kind: ZIPArchive.Entry.Method = method == 0 ? .stored : method == 8 ? .deflated : .other(method)
        return ZIPArchive.Entry(
            name: String(decoding: name, as: UTF8.self),
            method: kind,
            isEncrypted: flags & 1 != 0,
            compressedSize: available,
            // Of a stored member that is cut off, only the available bytes exist.
            size: kind == .stored ? available : sizes.plain,
            place: .file(start)
        )
    }

    /// Reads a member that was found so, without its checksum.
    static func read(
        _ entry: ZIPArchive.Entry,
        at offset: Int,
        of file: ArchiveFile,
        maximumSize: Int,
        _ sink: RecordReader.Sink
    ) throws(ArchiveError) {
        let end = offset + entry.compressedSize
        let codings: [ContentCoding] = entry.method == .stored ? [] : [.deflate]
        let decoder = try ContentDecoder(archived: codings, maximumSize: maximumSize)
        var place = offset
        var total = 0
        var takesMore = true
        func pass(_ decoded: UnsafeRawBufferPointer) throws(ArchiveError) -> Bool {
            total += decoded.count
            guard total <= maximumSize else {
                throw ArchiveError(.limit, "\(entry.name): it has more than \(maximumSize) bytes")
            }
            takesMore = unsafe try sink(decoded)
            return takesMore
        }
        while place < end {
            let piece = try file.bytes(at: place, count: min(64 << 10, end - place))
            guard !piece.isEmpty else { break }
            place += piece.count
            var failure: ArchiveError?
            unsafe piece.withUnsafeBytes { bytes in
                var bytes = unsafe bytes
                do throws(ArchiveError) {
                    if codings.isEmpty {
                        _ = unsafe try pass(bytes)
                    } else {
                        _ = unsafe try decoder.decode(archived: &bytes, pass)
                    }
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            guard takesMore else { return }
        }
        try decoder.finish(archived: ())
    }

    /// The sizes in the field of ZIP64; nil without one.
    private static func largeSizes(_ extra: [UInt8]) -> (compressed: Int, plain: Int)? {
        var rest = extra[...]
        while rest.count >= 4 {
            let length = number(rest.dropFirst(2).prefix(2))
            let field = rest.dropFirst(4).prefix(length)
            if number(rest.prefix(2)) == 1, field.count >= 16 {
                return (number(field.dropFirst(8).prefix(8)), number(field.prefix(8)))
            }
            rest = rest.dropFirst(4 + length)
        }
        return nil
    }

    /// A number of up to eight bytes, the least first; the largest one that is bounded for more.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(bounded: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
