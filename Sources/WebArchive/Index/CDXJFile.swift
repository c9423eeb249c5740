import Synchronization
import WebStandards

/// An index in a text file, whose lines are sorted by their bytes.
///
/// Lines are found by binary search. Not all files that should be sorted are, so the order of all lines is checked
/// before the first search of a file of up to 16 MiB; in larger files, before a key is reported as missing, and when
/// the search itself finds lines out of order. An unsorted file is read from its start. A search may overlook a line of
/// a large file that is not next to the other lines of its key.
package final class CDXJFile: CaptureIndex {
    private enum Order {
        case unknown
        case sorted
        /// The first line that should be before the one above it.
        case unsorted(at: Int)
    }

    private let file: ArchiveFile
    package let part: String?
    private let order = Mutex(Order.unknown)

    /// The bytes of a file whose order is checked before it is searched.
    private static let smallSize = 16 << 20

    /// Bytes below which lines are read one after the other.
    private static let blockLength = 8 << 10

    /// An index in a file that can be read at any place.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - part: Its name in an archive, for findings.
    package init(_ file: ArchiveFile, part: String? = nil) {
        self.file = file
        self.part = part
    }

    package var findings: [ArchiveFinding] {
        guard case .unsorted(let offset) = order.withLock({ $0 }) else { return [] }
        let message = "the lines are not in the order of their bytes"
        return [ArchiveFinding(.index, part: part, offset: offset, message)]
    }

    package func forEachLine(
        startingWith prefix: [UInt8],
        _ body: (IndexLine) -> Bool
    ) throws(ArchiveError) {
        if prefix.isEmpty { return try scan(startingWith: prefix, body) }
        if let size = file.size, size <= Self.smallSize { try checkOrder() }
        if case .unsorted = order.withLock({ $0 }) { return try scan(startingWith: prefix, body) }
        guard let start = try lowerBound(of: prefix) else { return try scan(startingWith: prefix, body) }
        var reader = LineReader(file, at: start, pieceLength: Self.blockLength)
        var isFound = false
        while let line = try reader.next(), line.bytes.starts(with: prefix) {
            isFound = true
            guard CDXJLine.isComment(line.bytes) || body(IndexLine(line)) else { return }
        }
        if !isFound, case .unsorted = try checkOrder() { try scan(startingWith: prefix, body) }
    }

    /// Reads all lines.
    private func scan(startingWith prefix: [UInt8], _ body: (IndexLine) -> Bool) throws(ArchiveError) {
        var reader = LineReader(file)
        while let line = try reader.next() {
            guard line.bytes.starts(with: prefix), !line.bytes.isEmpty, !CDXJLine.isComment(line.bytes) else {
                continue
            }
            guard body(IndexLine(line)) else { return }
        }
    }

    /// Where the first line is that does not come before some bytes; nil if lines are seen to be out of order.
    private func lowerBound(of target: [UInt8]) throws(ArchiveError) -> Int? {
        var (low, high) = (0, file.size ?? 0)
        var (least, greatest): ([UInt8]?, [UInt8]?) = (nil, nil)
        while high - low > Self.blockLength {
            var reader = LineReader(file, at: low + (high - low) / 2, pieceLength: Self.blockLength)
            // The rest of the line that contains the middle.
            _ = try reader.next()
            let start = reader.offset
            guard start < high, let line = try reader.next() else {
                high = low + (high - low) / 2
                continue
            }
            let bytes = Array(line.bytes)
            if let least, bytes.lexicographicallyPrecedes(least) { return markUnsorted(at: start) }
            if let greatest, greatest.lexicographicallyPrecedes(bytes) { return markUnsorted(at: start) }
            if bytes.lexicographicallyPrecedes(target) {
                (low, least) = (start, bytes)
            } else {
                // The line is no longer in the range: all remaining lines begin before the middle.
                (high, greatest) = (low + (high - low) / 2, bytes)
            }
        }
        // The line at the upper end may begin before it.
        var reader = LineReader(file, at: low, pieceLength: Self.blockLength * 2)
        while let line = try reader.next() {
            guard line.bytes.lexicographicallyPrecedes(target) else { return line.offset }
        }
        return file.size ?? 0
    }

    private func markUnsorted(at offset: Int) -> Int? {
        order.withLock { $0 = .unsorted(at: offset) }
        return nil
    }

    /// Whether all lines are in order, which takes reading them once.
    @discardableResult
    private func checkOrder() throws(ArchiveError) -> Order {
        let known = order.withLock { $0 }
        guard case .unknown = known else { return known }
        var result = Order.sorted
        var reader = LineReader(file)
        var last: [UInt8] = []
        while let line = try reader.next() {
            if line.bytes.lexicographicallyPrecedes(last) {
                result = .unsorted(at: line.offset)
                break
            }
            last.removeAll(keepingCapacity: true)
            last += line.bytes
        }
        order.withLock { $0 = result }
        return result
    }

    package func verify() throws(ArchiveError) { try checkOrder() }
}
