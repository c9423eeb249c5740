import CArchive

/// Puts the sorted lines of an index into blocks, each a member of gzip, and makes the second index that has the first line of each.
///
/// [CDXJ 0.1, compressed index](https://specs.webrecorder.net/cdxj/0.1.0/#compressed-cdxj)
struct ZipNumWriter: ~Copyable {
    private let compressor: MemberCompressor
    private var block: [UInt8] = []
    private var lineCount = 0
    /// The key and the time of the block's first line.
    private var start: [UInt8] = []
    private var offset = 0

    /// The second index.
    private(set) var blocks: [UInt8]

    /// Lines of a block, as others have it.
    private static let maximumLines = 3000

    /// Creates a writer.
    ///
    /// - Parameter name: The name of the blocks' file, beside which the second index is.
    /// - Throws: ``ArchiveError/Code/unavailable`` if zlib is not there.
    init(name: String) throws(ArchiveError) {
        compressor = try MemberCompressor(WEBL_MEMBER_GZIP, level: 6)
        blocks = Array("!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"\(name)\"}\n".utf8)
    }

    /// Adds a line with its line end.
    mutating func append(
        _ line: [UInt8],
        _ write: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        if lineCount == 0 {
            start = Array(line.split(separator: 0x20, maxSplits: 2).prefix(2).joined(separator: [0x20]))
        }
        block += line
        lineCount += 1
        if lineCount == Self.maximumLines { try endBlock(write) }
    }

    /// Ends the last block.
    mutating func finish(_ write: ([UInt8]) throws(ArchiveError) -> Void) throws(ArchiveError) {
        if lineCount > 0 { try endBlock(write) }
    }

    private mutating func endBlock(_ write: ([UInt8]) throws(ArchiveError) -> Void) throws(ArchiveError) {
        let member = try compressor.compress(block)
        var digest = try Digest(.sha256)
        digest.update(member)
        let text = Digest.Value(.sha256, digest.finish()).text
        blocks += start
        blocks += " {\"offset\": \(offset), \"length\": \(member.count), \"digest\": \"\(text)\"}\n".utf8
        try write(member)
        offset += member.count
        block = []
        lineCount = 0
    }
}
