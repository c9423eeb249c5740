import Synchronization
import WebStandards

/// An index in blocks of lines, each a member of gzip, with a second index that has the first line of each.
///
/// That second index is small and kept in memory. Where it is wrong, or a block cannot be read, all blocks are read in the
/// order of the file.
///
/// [CDXJ 0.1, compressed index](https://specs.webrecorder.net/cdxj/0.1.0/#compressed-cdxj)
package final class ZipNumIndex: CaptureIndex {
    private struct Block {
        /// The key and the time of its first line.
        let start: [UInt8]
        let offset: Int
        let length: Int
        /// As written; nil if there is none.
        let digest: String?
    }

    private struct State {
        var findings: [ArchiveFinding] = []
        /// All lines, once they were needed.
        var whole: ArchiveFile?
        /// Whether all blocks and the order of all lines were looked at.
        var isVerified = false
    }

    private let data: ArchiveFile
    package let part: String?
    private let blocks: [Block]
    private let isUsable: Bool
    private let state: Mutex<State>

    /// Bytes of the second index that are accepted.
    private static let maximumSize = 64 << 20

    /// Bytes of a block that are accepted.
    private static let maximumBlock = 32 << 20

    /// An index in blocks.
    ///
    /// - Parameters:
    ///   - index: The second index, nil if there is none; then all lines are read.
    ///   - data: The blocks.
    ///   - part: The name of the blocks' file in an archive, for findings.
    /// - Throws: ``ArchiveError`` if the second index cannot be read.
    package init(blocks index: ArchiveFile?, data: ArchiveFile, part: String? = nil) throws(ArchiveError) {
        self.data = data
        self.part = part
        var findings: [ArchiveFinding] = []
        var blocks: [Block] = []
        if let index {
            if let size = index.size, size > Self.maximumSize {
                throw ArchiveError(.limit, "\(index.path): it has more than \(Self.maximumSize) bytes")
            }
            var reader = LineReader(index)
            while let line = try reader.next() {
                guard !line.bytes.isEmpty, !CDXJLine.isComment(line.bytes) else { continue }
                if let block = Self.block(line.bytes) {
                    blocks.append(block)
                } else {
                    findings.append(
                        ArchiveFinding(.index, part: part, "a line for a block of the index cannot be read")
                    )
                }
            }
        }
        self.blocks = blocks
        let isSorted = zip(blocks, blocks.dropFirst()).allSatisfy {
            !$1.start.lexicographicallyPrecedes($0.start)
        }
        if !isSorted {
            findings.append(ArchiveFinding(.index, part: part, "the blocks of the index are not in order"))
        }
        // Blocks that lie over each other could be unpacked without end.
        if blocks.reduce(0, { $0 +| $1.length }) > data.size ?? 0 {
            let message = "the blocks of the index have more bytes than their file"
            findings.append(ArchiveFinding(.index, part: part, offset: 0, message))
        }
        isUsable = isSorted && findings.isEmpty && index != nil
        state = Mutex(State(findings: findings))
    }

    package var findings: [ArchiveFinding] { state.withLock { $0.findings } }

    private static func block(_ line: ArraySlice<UInt8>) -> Block? {
        guard let line = try? CDXJLine(parsing: line), let offset = line.offset, let length = line.length
        else {
            return nil
        }
        return Block(
            start: Array("\(line.key) \(line.timestamp)".utf8),
            offset: offset,
            length: length,
            digest: line["digest"]
        )
    }

    package func verify() throws(ArchiveError) {
        state.withLock { $0.isVerified = true }
        for block in isUsable ? blocks : [] {
            guard let text = try lines(of: block) else { continue }
            var reader = LineReader(text)
            if let first = try reader.next(), !first.bytes.starts(with: block.start) {
                add("a block of the index does not begin with its line", at: block.offset)
            }
            guard let digest = block.digest, case .value(let value) = Digest.parse(digest) else { continue }
            var computed = try Digest(value.algorithm)
            computed.update(try data.bytes(at: block.offset, count: block.length))
            if computed.finish() != value.bytes {
                add("a block of the index does not have its digest", at: block.offset)
            }
        }
        var reader = LineReader(try whole())
        var last: [UInt8] = []
        while let line = try reader.next() {
            if line.bytes.lexicographicallyPrecedes(last) {
                return add("the lines are not in the order of their bytes", at: nil)
            }
            last.removeAll(keepingCapacity: true)
            last += line.bytes
        }
    }

    package func forEachLine(
        startingWith prefix: [UInt8],
        _ body: (IndexLine) -> Bool
    ) throws(ArchiveError) {
        guard isUsable, !prefix.isEmpty else { return try scan(startingWith: prefix, body) }
        var isFound = false
        var number = max(0, firstBlock(notBefore: prefix) - 1)
        blocks: while number < blocks.count {
            let block = blocks[number]
            // Those that begin with the prefix, and the one before them.
            guard !prefix.lexicographicallyPrecedes(block.start) || block.start.starts(with: prefix) else {
                break
            }
            guard let text = try lines(of: block) else { return try scan(startingWith: prefix, body) }
            var reader = LineReader(text)
            while let line = try reader.next() {
                guard line.bytes.starts(with: prefix), !CDXJLine.isComment(line.bytes) else { continue }
                isFound = true
                guard body(IndexLine(line)) else { break blocks }
            }
            number += 1
        }
        // Lines may be out of order inside of a block, or be in none that the second index has.
        guard !isFound else { return }
        if !state.withLock({ $0.isVerified }) { try verify() }
        if !findings.isEmpty { try scan(startingWith: prefix, body) }
    }

    /// The number of the first block that does not begin before some bytes.
    private func firstBlock(notBefore prefix: [UInt8]) -> Int {
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = low + (high - low) / 2
            if blocks[middle].start.lexicographicallyPrecedes(prefix) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The lines of a block; nil if it cannot be read.
    private func lines(of block: Block) throws(ArchiveError) -> ArchiveFile? {
        guard block.length <= Self.maximumBlock, let part = data.slice(block.offset, length: block.length),
            part.size == block.length
        else {
            add("a block of the index is not in the file", at: block.offset)
            return nil
        }
        let (text, failure) = try Gunzip.copy(part, maximumSize: Self.maximumBlock)
        if let failure {
            add("a block of the index is damaged: \(failure.message)", at: block.offset)
            return nil
        }
        return text
    }

    private func scan(startingWith prefix: [UInt8], _ body: (IndexLine) -> Bool) throws(ArchiveError) {
        var reader = LineReader(try whole())
        while let line = try reader.next() {
            guard line.bytes.starts(with: prefix), !line.bytes.isEmpty, !CDXJLine.isComment(line.bytes) else {
                continue
            }
            guard body(IndexLine(line)) else { return }
        }
    }

    /// All lines, as far as they can be read.
    private func whole() throws(ArchiveError) -> ArchiveFile {
        if let whole = state.withLock({ $0.whole }) { return whole }
        let (text, failure) = try Gunzip.copy(data, maximumSize: Gunzip.likelySize(data.size ?? 0))
        if let failure { add("the index is damaged: \(failure.message)", at: nil) }
        state.withLock { $0.whole = text }
        return text
    }

    private func add(_ message: String, at offset: Int?) {
        let finding = ArchiveFinding(.index, part: part, offset: offset, message)
        state.withLock { if !$0.findings.contains(finding) { $0.findings.append(finding) } }
    }
}
